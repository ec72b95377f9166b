import ArgumentParser
import CommandSupport
import Glibc
import LoadReporting
import Platform
import Times

/// `bench all`: runs the benchmarks, each several times in a process of its own, and reports
/// medians and spreads.
struct BenchAll: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "all",
        abstract: "Run the benchmarks, several times each, and report medians and spreads.",
        discussion: """
            Each run is a process of its own, with one round of what the benchmark measures; the \
            reference is measured in the same run. Measure on a machine that is otherwise idle. \
            Exit status: 1 if a benchmark could not be run.
            """
    )

    @OptionGroup var set: BenchSet

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Benchmarks to run. (default: all)", valueName: "name")
    )
    var only: [String] = []

    @Option(
        help: ArgumentHelp(
            "Write the results as JSON; - for standard output, in place of the tables.",
            valueName: "file"
        ),
        completion: .file(extensions: ["json"])
    )
    var json: String?

    @Option(
        help: ArgumentHelp("Write the tables as a Markdown page.", valueName: "file"),
        completion: .file(extensions: ["md"])
    )
    var markdown: String?

    func validate() throws {
        for name in only where !BenchCatalog.entries.contains(where: { $0.name == name }) {
            throw ValidationError("there is no benchmark \(name); see `bench --list`")
        }
    }

    func run() throws {
        let entries = BenchCatalog.entries.filter { only.isEmpty || only.contains($0.name) }
        let plan = entries.map {
            BenchSet.Item($0.name, what: $0.what, arguments: set.arguments(of: $0))
        }
        let results = set.run(plan, command: command)
        if let markdown { try ReportFile.write(results.markdown, to: markdown) }
        if let json, json != "-" { try ReportFile.write(results.json(), to: json) }
        print(json == "-" ? try results.json() : results.text, terminator: "")
        if results.benchmarks.contains(where: { $0.failure != nil }) { throw ExitCode.failure }
    }

    private var command: String {
        var words = ["reload-lab bench all --runs \(set.runs)"]
        if set.quick { words.append("--quick") }
        if !only.isEmpty { words.append("--only " + only.joined(separator: " ")) }
        return words.joined(separator: " ")
    }
}

/// Options of running a set of benchmarks; `all` and `compare` share them.
struct BenchSet: ParsableArguments {
    @Option(help: ArgumentHelp("Number of runs of each benchmark.", valueName: "count"))
    var runs = 3

    @Flag(help: "Measure as little as possible, only to check that everything runs.")
    var quick = false

    @Option(
        help: ArgumentHelp("Folder for the stores, on the disk to measure."),
        completion: .directory
    )
    var folder = "/var/tmp"

    @Option(
        help: ArgumentHelp("Commit under test, printed beside the version.", valueName: "text")
    )
    var commit: String?

    func validate() throws {
        if !(1...100).contains(runs) {
            throw ValidationError("--runs is \(runs); it must be from 1 to 100")
        }
    }

    /// Returns the arguments to run a benchmark with, depending on `--quick`.
    func arguments(of entry: BenchCatalog.Entry) -> [String] {
        quick ? entry.quickArguments : entry.arguments
    }

    /// A benchmark, and the arguments to run it with.
    struct Item {
        let name: String
        let what: String
        let arguments: [String]

        init(_ name: String, what: String, arguments: [String]) {
            self.name = name
            self.what = what
            self.arguments = arguments
        }
    }

    /// Runs benchmarks one after the other. If one fails, the results have the reason instead of
    /// its figures.
    func run(_ items: [Item], command: String) -> BenchResults {
        var results = BenchResults(
            machine: .this,
            program: "reload-router \(Release.version)" + (commit.map { ", \($0)" } ?? "")
                + (BenchProgram.namedRouter.map { ", router \($0)" } ?? ""),
            command: command,
            startedAt: WallDate.now.moment.rawValue,
            runs: runs
        )
        for item in items { results.benchmarks.append(run(item)) }
        return results
    }

    private func run(_ item: Item) -> BenchResults.Benchmark {
        let start = ExactTime.now
        var figures: [[BenchFigure]] = []
        var failure: String?
        do {
            for number in 1...runs {
                printProgress("\(item.name), run \(number) of \(runs)")
                figures.append(try figuresOfOneRun(item))
            }
        } catch {
            failure = "\(error)"
            printProgress("\(item.name): \(error)")
        }
        return BenchResults.Benchmark(
            name: item.name,
            what: item.what,
            arguments: item.arguments,
            seconds: (.now - start).inSeconds,
            runs: failure == nil ? figures : [],
            failure: failure
        )
    }

    /// Runs a benchmark once, for one round, in a process of its own.
    private func figuresOfOneRun(_ item: Item) throws -> [BenchFigure] {
        var arguments = ["bench", item.name] + item.arguments + ["--repeat", "1", "--json"]
        if BenchCatalog.entries.contains(where: { $0.name == item.name && $0.usesDisk }) {
            arguments += ["--folder", folder]
        }
        let output = try BenchProcess.output(of: .lab, arguments: arguments)
        let figures = try output.split(separator: "\n").map { try BenchFigure(json: $0) }
        if figures.isEmpty { throw BenchFailure("bench \(item.name) measured nothing") }
        return figures
    }
}

extension MachineDescription {
    /// The machine that this program runs on.
    static var this: MachineDescription {
        var names = utsname()
        unsafe uname(&names)
        let system = unsafe text(&names.sysname) + " " + text(&names.release)
        return MachineDescription(
            cpuinfo: readText("/proc/cpuinfo"),
            meminfo: readText("/proc/meminfo"),
            system: system,
            cores: sysconf(CInt(_SC_NPROCESSORS_ONLN))
        )
    }

    /// The text of one field of `utsname`, which ends with a zero byte.
    @unsafe
    private static func text<Name>(_ name: inout Name) -> String {
        unsafe withUnsafeBytes(of: &name) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
