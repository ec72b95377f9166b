import ArgumentParser
import CommandSupport
import DurableStore
import StoreFormat
import StrictJSON

/// Says what a store holds, and which files take the space.
struct MeasureStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stat",
        abstract: "Say how much a store holds, and how much space that takes.",
        discussion: """
            Reads the journal behind the newest checkpoint, and not the table, whose records are \
            estimated. Bytes are those of files: sorted ones of table and journal, the write-ahead \
            log in which both are first, and all others.

            Exit status: 0 measured, 1 there is no store, or it cannot be read.
            """
    )

    @OptionGroup var options: StoreOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        try await options.use("stat") { folder in
            let statistics = try StoreStatistics(path: folder)
            if json {
                printLine(jsonText(statistics, folder))
            } else {
                for line in lines(statistics, folder) { printLine(line) }
            }
        }
    }

    /// Seconds since the store was made; 0 if the clock was set back behind that.
    private func age(of statistics: StoreStatistics) -> Int64 {
        max(0, WallDate.now.milliseconds - statistics.facts.madeAt) / 1_000
    }

    private func lines(_ statistics: StoreStatistics, _ folder: String) -> [String] {
        let facts = statistics.facts
        let manifest = statistics.manifest
        let made = WallDate(milliseconds: facts.madeAt).text
        let checkpoint =
            manifest.epoch == 0 ? "none" : "\(manifest.epoch), at position \(manifest.position)"
        let bytes: [(String, UInt64)] = [
            ("table", statistics.tableFileByteCount), ("journal", statistics.journalFileByteCount),
            ("log", statistics.logFileByteCount), ("other", statistics.otherFileByteCount),
            ("all", statistics.fileByteCount),
        ]
        return [
            "store        \(folder)",
            "format       \(facts.version)",
            "identifier   \(facts.identifier)",
            "made         \(made), \(counted(age(of: statistics), "second")) ago",
            "checkpoint   \(checkpoint)",
            "table        about \(counted(statistics.tableRecordEstimate, "record"))",
            "journal      \(counted(statistics.journalRecordCount, "record")) behind it, "
                + "\(counted(statistics.journalByteCount, "byte")), to position "
                + "\(statistics.lastPosition), in \(counted(statistics.segments.count, "segment"))",
            "bytes        " + bytes.map { "\($0) \($1)" }.joined(separator: ", "),
        ]
    }

    private func jsonText(_ statistics: StoreStatistics, _ folder: String) -> String {
        let manifest = statistics.manifest
        var json = JSONWriter()
        func member(_ name: String, _ number: some BinaryInteger) {
            json.key(name)
            json.integer(Int64(clamping: number))
        }
        json.beginObject()
        json.key("store")
        json.string(folder)
        member("format", statistics.facts.version)
        json.key("identifier")
        json.string("\(statistics.facts.identifier)")
        member("madeAt", statistics.facts.madeAt)
        member("ageSeconds", age(of: statistics))
        member("checkpoint", manifest.epoch)
        member("checkpointPosition", manifest.position)
        member("tableRecordsEstimate", statistics.tableRecordEstimate)
        member("journalRecords", statistics.journalRecordCount)
        member("journalBytes", statistics.journalByteCount)
        member("journalSegments", statistics.segments.count)
        member("lastPosition", statistics.lastPosition)
        member("tableFileBytes", statistics.tableFileByteCount)
        member("journalFileBytes", statistics.journalFileByteCount)
        member("logFileBytes", statistics.logFileByteCount)
        member("otherFileBytes", statistics.otherFileByteCount)
        member("fileBytes", statistics.fileByteCount)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
