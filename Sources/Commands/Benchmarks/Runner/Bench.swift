package import ArgumentParser
import Basics
import CommandSupport

/// `bench`: runs one of the benchmarks. Most measure the router from outside, as a server process
/// loaded over loopback; some measure a part of it within this process.
///
/// On a shared machine, two figures are reliable: the server's CPU time per operation, and its
/// ratio to that of a reference server in C that did the same input and output at nearly the same
/// time.
package struct Bench: ParsableCommand {
    /// The benchmarks, in the order in which `all` runs them.
    static var benchmarks: [any Benchmark.Type] {
        [
            BenchFrames.self, BenchRoute.self, BenchFanout.self, BenchTLS.self, BenchPublish.self,
            BenchAPNs.self, BenchFairness.self, BenchMemory.self, BenchStore.self,
            BenchRestart.self, BenchMatch.self, BenchTimers.self, BenchJitter.self,
        ]
    }

    /// What the command line says of it.
    package static let configuration = CommandConfiguration(
        abstract: "Measure the router, next to reference servers in C.",
        discussion: """
            Those that load a router start it, and its reference, as processes of their own, load \
            them alternately, and report medians; CPU time is the server's. `apns` measures what \
            sends. `match`, `timers` and `jitter` measure a part of the router within this process. `all` runs all of them several times; `compare` checks the results \
            against earlier ones. Figures of a debug build are meaningless.
            """,
        subcommands: benchmarks.map { $0 as any ParsableCommand.Type }
            + [BenchAll.self, BenchCompare.self, BenchPart.self]
    )

    @Flag(help: "List the benchmarks and their aims.")
    var list = false

    /// For ArgumentParser, which reads the options.
    package init() {}

    /// Lists the benchmarks, or explains the command.
    package func run() throws {
        if !list { throw CleanExit.helpRequest(self) }
        let rows = Self.benchmarks.map { [$0.plan.name, $0.plan.what, "aim: \($0.plan.aim)"] }
        print(TextTable.text(rows, numbers: []), terminator: "")
    }
}

/// An error that keeps a benchmark from running, as a sentence.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Says what a benchmark does now.
func printProgress(_ text: String) { Progress.update(text) }
