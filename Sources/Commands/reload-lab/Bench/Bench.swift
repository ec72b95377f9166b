import ArgumentParser
import CReferences
import CommandSupport
import Times

/// `bench`: runs one of the benchmarks. Most measure the router from outside, as a server process
/// loaded over loopback; some measure a part of it within this process.
///
/// On a shared machine, two figures are reliable: the server's CPU time per operation, and its
/// ratio to that of a reference server in C that did the same input and output at nearly the same
/// time.
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the router, next to reference servers in C.",
        discussion: """
            `frames`, `route`, `fanout`, `latency`, `publish` and `tls` start the router and the \
            reference as processes of their own, load them alternately, and report medians; \
            `memory`, \
            `hot-key`, `fairness`, `tokens`, `store`, `restart`, `keys`, `record`, `replay`, \
            `scrape` and `clients` start the router. CPU time is the server's own, except for `replay` and `clients`, \
            which measure what sends. The others measure within this process: `match` the matcher alone, \
            `timers` the timing wheel, `jitter` an origin's slots, `budget` a router's decisions, \
            `tokens` most of what it costs to judge who is let in. `all` \
            runs them several times, all but `clients`, which needs the tools of six languages; \
            `compare` checks the results against earlier ones. \
            Figures of a debug build are meaningless.
            """,
        subcommands: [
            BenchFrames.self, BenchRoute.self, BenchFanout.self, BenchLatency.self,
            BenchHotKey.self, BenchFairness.self, BenchTLS.self, BenchTokens.self,
            BenchPublish.self, BenchAPNs.self, BenchAPNsFanOut.self, BenchMemory.self,
            BenchMatch.self, BenchTimers.self,
            BenchJitter.self, BenchBudget.self, BenchStore.self,
            BenchRestart.self, BenchKeys.self, BenchRecord.self, BenchReplay.self, BenchScrape.self,
            BenchClients.self, BenchAll.self, BenchCompare.self, BenchClient.self,
            BenchReference.self, BenchHostile.self, BenchPost.self, BenchReconnect.self,
            BenchTouch.self, BenchWatch.self,
        ]
    )

    @Flag(help: "List the benchmarks and their aims.")
    var list = false

    func run() throws {
        if !list { throw CleanExit.helpRequest(self) }
        for entry in BenchCatalog.entries {
            print("\(padded(entry.name, to: 12)) \(padded(entry.what, to: 50)) aim: \(entry.aim)")
        }
    }
}

/// The options of every benchmark: how often it measures, and how it reports.
struct BenchRounds: ParsableArguments {
    @Flag(help: "Print each figure as a JSON object on a line of its own, instead of a table.")
    var json = false

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp(
            "Measured rounds; the median is reported. (default: 3; 5 of match, jitter and budget)",
            valueName: "rounds"
        )
    )
    var chosen: Int?

    /// Returns the number of rounds asked for, or the benchmark's own default.
    func count(otherwise usual: Int) -> Int {
        assert(usual > 0, "a benchmark measures no rounds")
        return chosen ?? usual
    }

    func validate() throws {
        if let chosen, !(1...1_000).contains(chosen) {
            throw ValidationError("--repeat is \(chosen); it must be from 1 to 1000")
        }
    }
}

/// The options of a benchmark that measures for a given time.
struct BenchOptions: ParsableArguments {
    @OptionGroup var rounds: BenchRounds

    @Option(help: ArgumentHelp("Length of a measured window.", valueName: "seconds"))
    var seconds: Double = 1

    /// The length of a measured window.
    var length: Nanoseconds { Nanoseconds(seconds: seconds) }

    var json: Bool { rounds.json }
    /// The number of windows to measure on each side.
    var windows: Int { rounds.count(otherwise: 3) }

    func validate() throws {
        if !(0.01...600).contains(seconds) {
            throw ValidationError("--seconds is \(seconds); it must be from 0.01 to 600")
        }
    }

    /// Measures each side several times, alternating, so that a busy machine slows all of them.
    func alternate(
        _ sides: [BenchSide],
        body: (BenchSide) throws -> BenchWindow
    ) throws -> [BenchWindows] {
        var all = sides.map { _ in BenchWindows() }
        for _ in 0..<windows {
            for (index, side) in sides.enumerated() { all[index].add(try body(side)) }
        }
        return all
    }
}

/// Checks the numbers given with an option.
///
/// - Parameters:
///   - values: the numbers; a single one, unless the option may have several.
///   - limits: the numbers that are allowed.
///   - option: the option's name, with its dashes.
/// - Throws: a sentence with the first number that is not allowed.
func checkNumbers(
    _ values: [Int],
    within limits: ClosedRange<Int>,
    of option: String
) throws(ValidationError) {
    for value in values where !limits.contains(value) {
        throw ValidationError(
            "\(option) is \(value); it must be from \(limits.lowerBound) to \(limits.upperBound)"
        )
    }
}

/// `bench reference`: runs a reference server in C until standard input ends. The benchmarks spawn
/// it.
struct BenchReference: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reference",
        abstract: "Run a reference server in C.",
        shouldDisplay: false
    )

    /// The reference servers; `reference_server.h` describes what each does.
    enum Server: String, CaseIterable, ExpressibleByArgument {
        case acknowledge
        case relay
        case fanout
    }

    @Argument(help: "The reference server to run.")
    var server: Server

    @Option(help: "The certificate, which switches TLS on.")
    var cert: String?

    @Option(help: "The certificate's key.")
    var key: String?

    @Option(name: .customLong("client-ca"), help: "The authority of clients' certificates.")
    var clientCA: String?

    func run() throws {
        if let cert, let key {
            let status = unsafe reference_server_use_tls(cert, key, clientCA)
            if status != 0 { throw BenchFailure("the reference server cannot use \(cert)") }
        }
        let status =
            switch server {
            case .acknowledge: reference_server_acknowledge(0)
            case .relay: reference_server_relay(0)
            case .fanout: reference_server_fanout(0)
            }
        if status != 0 { throw BenchFailure("the reference server ended with \(status)") }
    }
}

/// An error that keeps a benchmark from running, as a sentence.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
