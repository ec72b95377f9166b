import ArgumentParser
import CommandSupport
import Glibc
import LoadReporting
import Platform
import ReloadModel
import Times

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
            program: Release.router + (commit.map { ", \($0)" } ?? "")
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
            writeStandardError("\(item.name): \(error)\n")
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
