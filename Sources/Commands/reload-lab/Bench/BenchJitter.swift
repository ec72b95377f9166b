import ArgumentParser
import CommandSupport
import LoadReporting
import ReloadScheduling

/// `bench jitter`: measures how evenly the reloads of one date are spread, and what a slot costs.
struct BenchJitter: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jitter",
        abstract: "Spread up to 1,000,000 reloads with one date over a window, in this process.",
        discussion: """
            For each size, the most reloads in any 1,000 ms that begin at a second of the \
            schedule, or at a second after the date, beside the mean: without cancellation (all), \
            with a random fifth cancelled after all have arrived (after), and with one cancelled \
            after every five arrivals (between). Once for the ledger, once for random times \
            (uniform), once without spreading, where all come at once (none). For the ledger also \
            with ten reloads that are not delayed.

            Then the ledger's cost: CPU of the thread per call, medians of windows, and bytes, \
            beside a plain array in which the last element replaces a cancelled one; finally for \
            reloads with a different date each (dates).
            """
    )

    @OptionGroup var options: BenchRounds

    @Option(help: "Seed for the cancelled reloads and the random times.")
    var seed: UInt64 = 1

    func run() throws {
        var report = BenchReport(json: options.json)
        for size in BenchJitterSize.all {
            printProgress("jitter, \(size.count) over \(size.seconds) s, seed \(seed)")
            for cancellation in BenchJitterRun.Cancellation.allCases {
                for spreading in BenchJitterRun.Spreading.allCases {
                    try add(spreading, cancellation: cancellation, size: size, to: &report)
                }
            }
            costs(size, datesApart: 0)
                .add("jitter.\(size.count)", bytesAim: .value(8), to: &report)
        }
        let size = BenchJitterSize(count: 100_000, seconds: 600)
        printProgress("jitter, \(size.count) with a date each")
        costs(size, datesApart: 1_000).add("jitter.\(size.count).dates", bytesAim: nil, to: &report)
        report.print()
    }

    private func costs(_ size: BenchJitterSize, datesApart: Int64) -> BenchJitterCosts {
        let windows = options.count(otherwise: 5)
        return BenchJitterCosts(size, datesApart: datesApart, windows: windows, seed: seed)
    }

    private func add(
        _ spreading: BenchJitterRun.Spreading,
        cancellation: BenchJitterRun.Cancellation,
        size: BenchJitterSize,
        to report: inout BenchReport
    ) throws {
        var run = BenchJitterRun(size: size, spreading: spreading, seed: seed)
        let peak = try run.peak(cancellation)
        let (rest, seconds) = (Double(run.pendingCount), Double(size.seconds))
        let aim = (rest / seconds).rounded(.up) + 1
        let isOurs = spreading == .ledger || spreading == .undelayed
        report.add(
            "jitter.\(size.count).\(cancellation.rawValue).\(spreading.rawValue)",
            value: Double(peak),
            unit: "reloads/s",
            reference: rest / seconds,
            aim: isOurs ? .value(aim) : nil
        )
    }
}

/// The number of reloads with one date, and the window in seconds over which they are spread.
struct BenchJitterSize {
    let count: Int
    let seconds: Int

    /// The sizes for which targets are stated.
    static var all: [BenchJitterSize] {
        [
            BenchJitterSize(count: 1_000_000, seconds: 900),
            BenchJitterSize(count: 100_000, seconds: 600),
            BenchJitterSize(count: 10_000, seconds: 600),
        ]
    }
}
