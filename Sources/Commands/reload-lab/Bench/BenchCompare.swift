import ArgumentParser
import LoadReporting

/// `bench compare`: compares results of benchmarks with earlier ones.
struct BenchCompare: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare benchmarks with earlier results; exit status 2 if one is worse.",
        discussion: """
            The figures compared are each figure's ratio to its reference of the same run, which \
            is comparable between machines, and figures that do not depend on speed, such as \
            bytes. A figure is worse if both its median and its best run are worse; a missing one \
            counts as worse. Without a second file the baseline's benchmarks are run now, with the \
            same options.
            """
    )

    @Argument(
        help: ArgumentHelp("Baseline: results of `bench all --json`.", valueName: "baseline"),
        completion: .file(extensions: ["json"])
    )
    var baseline: String

    @Argument(
        help: ArgumentHelp("Results to compare with the baseline.", valueName: "current"),
        completion: .file(extensions: ["json"])
    )
    var current: String?

    @Option(help: ArgumentHelp("Factor above which a figure is worse.", valueName: "factor"))
    var bound = 1.25

    @OptionGroup var set: BenchSet

    func validate() throws {
        if !(1...100).contains(bound) {
            throw ValidationError("--bound is \(bound); it must be from 1 to 100")
        }
    }

    func run() throws {
        let before = try read(baseline)
        let now = try current.map(read) ?? measure(before)
        let comparison = BenchComparison(before, current: now, bound: bound)
        print("before: \(before.program), \(before.machine.text)")
        print("now:    \(now.program), \(now.machine.text)\n")
        print(comparison.text, terminator: "")
        if !comparison.isAcceptable { throw ExitCode(2) }
    }

    /// Runs the benchmarks of the baseline again, with the same arguments.
    private func measure(_ before: BenchResults) -> BenchResults {
        let items = before.benchmarks.map {
            BenchSet.Item($0.name, what: $0.what, arguments: $0.arguments)
        }
        return set.run(items, command: before.command)
    }

    private func read(_ path: String) throws -> BenchResults {
        try BenchResults(json: ReportFile.read(path), named: path)
    }
}
