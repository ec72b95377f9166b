import ArgumentParser
import Basics
import CommandSupport
import LoadReporting
import Platform

/// Options of running a set of benchmarks; `all` and `compare` share them.
struct BenchSet: ParsableArguments {
    @Option(help: "Number of runs of each benchmark.")
    var runs = 3

    @Flag(help: "Measure as little as possible, only to check that everything runs.")
    var quick = false

    @Option(help: "Folder for the stores, on the disk to measure.", completion: .directory)
    var folder = "/var/tmp"

    @Option(help: "Commit under test, printed beside the version.")
    var commit: String?

    func validate() throws { try checkNumbers([runs], within: 1...100, of: "--runs") }

    /// A benchmark, and the arguments to run it with.
    struct Item {
        let name: String
        let what: String
        let arguments: [String]
    }

    /// Runs benchmarks one after the other, each with all routers in turn; nil is the one that is
    /// started otherwise. If one fails, the results have the reason instead of its figures.
    /// `command` measures the same again.
    func run(_ items: [Item], command: String, routers: [String?] = [nil]) -> [BenchResults] {
        var results = routers.map { router in
            BenchResults(
                machine: .this,
                program: Release.router + (commit.map { ", \($0)" } ?? "")
                    + ((router ?? LabProgram.namedRouter).map { ", router \($0)" } ?? ""),
                command: command,
                startedAt: WallDate.now.moment.rawValue,
                runs: runs
            )
        }
        for item in items {
            for (index, found) in run(item, routers: routers).enumerated() {
                results[index].benchmarks.append(found)
            }
        }
        return results
    }

    private func run(_ item: Item, routers: [String?]) -> [BenchResults.Benchmark] {
        let start = ExactTime.now
        var figures: [[[BenchFigure]]] = routers.map { _ in [] }
        var failure: String?
        do {
            for number in 1...runs {
                printProgress("\(item.name), run \(number) of \(runs)")
                for (index, router) in routers.enumerated() {
                    figures[index].append(try figuresOfOneRun(item, router: router))
                }
            }
        } catch {
            failure = "\(error)"
            writeStandardError("\(item.name): \(error)\n")
        }
        return figures.map { figures in
            BenchResults.Benchmark(
                name: item.name,
                what: item.what,
                arguments: item.arguments,
                seconds: (.now - start).inSeconds,
                runs: failure == nil ? figures : [],
                failure: failure
            )
        }
    }

    /// Runs a benchmark once, for one round, in a process of its own.
    private func figuresOfOneRun(_ item: Item, router: String?) throws -> [BenchFigure] {
        var program = LabProgram.lab
        program.router = router
        let arguments =
            ["bench", item.name] + item.arguments
            + ["--repeat", "1", "--json", "--folder", folder]
        let output = try LabProcess.output(of: program, arguments: arguments)
        let figures = try output.split(separator: "\n").map { try BenchFigure(json: $0) }
        if figures.isEmpty { throw BenchFailure("bench \(item.name) measured nothing") }
        return figures
    }

    func items(_ names: [String]) throws -> [Item] {
        let plans = Bench.benchmarks.map { $0.plan }
        for name in names where !plans.contains(where: { $0.name == name }) {
            let hint = Spelling.hint(for: name, among: plans.map(\.name))
            throw ValidationError("there is no benchmark \(name); see `bench --list`\(hint)")
        }
        return plans.filter { names.isEmpty || names.contains($0.name) }.map {
            Item(name: $0.name, what: $0.what, arguments: $0.arguments(quick: quick))
        }
    }
}

/// `bench all`: runs the benchmarks, each several times in a process of its own, and reports
/// medians and spreads.
struct BenchAll: LongCommand {
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

    @Option(parsing: .upToNextOption, help: "Benchmarks to run. (default: all)")
    var only: [String] = []

    @Option(
        help: "Write the results as JSON; - for standard output, in place of the tables.",
        of: .file("json")
    )
    var json: String?

    @Option(help: "Write the tables as a Markdown page.", completion: .file(extensions: ["md"]))
    var markdown: String?

    var activity: String? { "measuring" }

    func validate() throws { _ = try set.items(only) }

    func run() throws {
        let results = set.run(try set.items(only), command: command)[0]
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

/// `bench compare`: compares results of benchmarks with earlier ones, or two routers.
struct BenchCompare: LongCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare benchmarks with earlier results; exit status 2 if one is worse.",
        discussion: """
            The figures compared are each figure's ratio to its reference of the same run, which \
            is comparable between machines, and figures that do not depend on speed, such as \
            bytes. A figure is worse if both its median and its best run are worse; a missing one \
            counts as worse. Without a second file the baseline's benchmarks are run now, with the \
            same options. With --old instead of files, each benchmark is run with an earlier \
            router and with this one in turn; `apns`, `match`, `timers` and `jitter` \
            measure this program, whichever router is named.
            """
    )

    @Argument(
        help: "Baseline: results of `bench all --json`.",
        completion: .file(extensions: ["json"])
    )
    var baseline: String?

    @Argument(
        help: "Results to compare with the baseline.",
        completion: .file(extensions: ["json"])
    )
    var current: String?

    @Option(help: "Program of an earlier router.", completion: .file())
    var old: String?

    @Option(parsing: .upToNextOption, help: "Benchmarks to run with --old. (default: all)")
    var only: [String] = []

    @Option(help: "Factor above which a figure is worse.")
    var bound = 1.25

    @OptionGroup var set: BenchSet

    var activity: String? { "measuring" }

    func validate() throws {
        if !(1...100).contains(bound) {
            throw ValidationError("--bound is \(bound); it must be from 1 to 100")
        }
        if (baseline == nil) == (old == nil) {
            throw ValidationError("name either a baseline or, with --old, an earlier router")
        }
        _ = try set.items(only)
    }

    func run() throws {
        let (before, now) = try results()
        let comparison = BenchComparison(before, current: now, bound: bound)
        print("before: \(before.program), \(before.machine.text)")
        print("now:    \(now.program), \(now.machine.text)\n")
        print(comparison.text, terminator: "")
        let hasFailed = before.benchmarks.contains { $0.failure != nil }
        if old != nil && hasFailed { throw ExitCode.failure }
        if !comparison.isAcceptable { throw ExitCode(2) }
    }

    private func results() throws -> (before: BenchResults, now: BenchResults) {
        guard let baseline else {
            let found = set.run(try set.items(only), command: "bench compare", routers: [old, nil])
            return (found[0], found[1])
        }
        let before = try read(baseline)
        if let current { return (before, try read(current)) }
        // The benchmarks of the baseline again, with the same arguments.
        let items = before.benchmarks.map {
            BenchSet.Item(name: $0.name, what: $0.what, arguments: $0.arguments)
        }
        return (before, set.run(items, command: before.command)[0])
    }

    private func read(_ path: String) throws -> BenchResults {
        try BenchResults(json: ReportFile.read(path), named: path)
    }
}
