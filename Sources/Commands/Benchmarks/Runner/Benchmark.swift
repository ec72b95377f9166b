import ArgumentParser
import Basics
import CommandSupport

/// A benchmark: a command that says what it measures, and adds its figures to a run. Everything
/// else, from its help to the report, is the same for all of them.
protocol Benchmark: LongCommand {
    static var plan: BenchPlan { get }
    var options: BenchOptions { get }

    /// Measures everything once; windows as often as `run.rounds` says.
    func measure(_ run: BenchRun) throws
}

extension Benchmark {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: plan.name,
            abstract: "Measure \(plan.what).",
            discussion: plan.discussion
        )
    }

    var activity: String? { "measuring" }

    func run() throws {
        let run = try BenchRun(Self.plan, options: options)
        defer { run.stopServers() }
        try measure(run)
        run.printFigures()
    }
}

/// What a benchmark says of itself.
struct BenchPlan {
    let name: String
    /// What it measures, after “measure”.
    let what: String
    /// Its target, as text.
    let aim: String
    /// How it measures, for its help.
    let discussion: String
    /// How many rounds it measures if nothing else is asked for.
    var rounds = 3
    /// The arguments with which `bench all` runs it, where its defaults would take too long.
    var arguments = ""
    /// The arguments of `bench all --quick`: the smallest run that still measures something.
    let quick: String

    /// The arguments of one of the two runs, as words.
    func arguments(quick isQuick: Bool) -> [String] {
        (isQuick ? quick : arguments).split(separator: " ").map { String($0) }
    }
}

/// The options of every benchmark: how long and how often it measures, and how it reports.
struct BenchOptions: ParsableArguments {
    @Flag(help: "Print each figure as a JSON object on a line of its own, instead of a table.")
    var json = false

    @Option(
        help: """
            Measured rounds; the median is reported. jitter and memory measure once. (default: 3; \
            5 of match)
            """,
        of: "rounds",
        name: .customLong("repeat")
    )
    var rounds: Int?

    @Option(help: "Length of a measured window.")
    var seconds: Double = 1

    @Option(
        help: "Folder for stores and recordings, on the disk to measure.",
        completion: .directory
    )
    var folder = "/var/tmp"

    var length: Nanoseconds { Nanoseconds(seconds: seconds) }

    func validate() throws {
        if let rounds { try checkNumbers([rounds], within: 1...1_000, of: "--repeat") }
        if !(0.01...600).contains(seconds) {
            throw ValidationError("--seconds is \(seconds); it must be from 0.01 to 600")
        }
    }
}
