import ArgumentParser
import Basics
import CommandSupport
import DurableStore
import RouterCore
import StoreFormat

/// `store dump`: prints the records of a store as JSON lines.
struct DumpStore: LongCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Print all records of a store as JSON, one per line.",
        discussion: """
            What the store was made with, the records of the table, and those of the journal:

              {"store":"…","format":2,"identifier":"…","madeAt":…}
              {"table":"registration","number":3,"checkpoint":2,"bytes":71,…}
              {"journal":7,"bytes":61,"entries":[…]}

            A record that cannot be read, or not to its end, has the members "problem" (a code) \
            and "message"; the records after it are still printed. Records of the table that are \
            not part of the newest checkpoint have "isLeftOver". Times are in ms: "wall" times \
            since 1970, "monotonic" times on a clock that continues over restarts of the router. \
            Push tokens of devices and tokens of apps are not printed; what devices and producers \
            have sent is.

            Exit status: 0 printed, 1 there was a problem, or there is no store.
            """
    )

    @OptionGroup var options: StoreOptions

    @Flag(help: "Print only records of the table.")
    var table = false

    @Flag(help: "Print only records of the journal.")
    var journal = false

    @Option(help: "The first record of the journal to print.", of: "position")
    var from: UInt64 = 0

    var activity: String? { "reading all records" }

    func validate() throws {
        if from > 0 && table && !journal {
            throw ValidationError(
                "--from is a position in the journal; it cannot be combined with --table"
            )
        }
    }

    func run() throws {
        var selection = DumpSelection()
        selection.hasTable = table || !journal
        selection.hasJournal = journal || !table
        selection.firstPosition = from
        let folder = try options.folder()
        var printer = try DumpPrinter()
        try StoreView(path: folder).dump(selection) { item throws(StoreError) in
            try printer.print(item, folder: folder)
        }
        try printer.finish()
        if printer.hasProblems { throw ExitStatus.refused }
    }
}

/// Writes the items of a store to standard output as lines.
private struct DumpPrinter: ~Copyable {
    private var state = StateDump()
    private let output: LineWriter
    private(set) var hasProblems = false

    init() throws(SettingsProblem) { output = try LineWriter(nil) }

    mutating func print(_ item: StoreItem, folder: String) throws(StoreError) {
        switch item {
        case .description(let description): try put(Self.line(description, folder: folder))
        case .tableRecord(let key, let body):
            var lines: [DumpLine] = []
            try state.add(key, bytes: body) { lines.append($0) }
            for line in lines { try put(line) }
        case .journalRecord(let record):
            try finishTable()
            try put(JournalDump.line(of: record))
        case .problem(let error): try put(DumpLine(error))
        }
    }

    mutating func finish() throws(StoreError) {
        try finishTable()
        try write { () throws(SettingsProblem) in try output.finish() }
    }

    private mutating func finishTable() throws(StoreError) {
        var lines: [DumpLine] = []
        try state.finish { lines.append($0) }
        for line in lines { try put(line) }
    }

    private mutating func put(_ line: DumpLine) throws(StoreError) {
        if line.problem != nil { hasProblems = true }
        try put(line.text)
    }

    private func put(_ line: [UInt8]) throws(StoreError) {
        try write { () throws(SettingsProblem) in try output.put(line) }
    }

    private func write(_ body: () throws(SettingsProblem) -> Void) throws(StoreError) {
        do throws(SettingsProblem) {
            try body()
        } catch {
            throw StoreError(.io, message: error.description)
        }
    }

    private static func line(_ description: StoreDescription, folder: String) -> [UInt8] {
        JSONWriter.object { json in
            json.member("store", value: folder)
            json.member("format", value: description.version)
            json.member("identifier", value: "\(description.identifier)")
            json.member("madeAt", value: description.madeAt.rawValue)
            json.member("partitions", value: description.partitionCount)
        }
    }
}
