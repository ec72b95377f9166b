import Basics
import Testing

@testable import WidgetFleet

@Suite("When a run has come to rest")
struct QuietPeriodTests {
    private var quiet = QuietPeriod()
    private let start = WallTime(rawValue: 1_700_000_000_000)
    private let progress = ExactTime(rawValue: 1)

    /// Ticks of 10 ms; how many ms after `start` the period has lasted, nil if not by `end`.
    private mutating func rest(
        through end: Int64,
        isBusy: (Int64) -> Bool = { _ in false },
        progress: (Int64) -> ExactTime,
        skipping skipped: ClosedRange<Int64>? = nil
    ) -> Int64? {
        for time in stride(from: Int64(0), through: end, by: 10) {
            if let skipped, skipped.contains(time) { continue }
            let isQuiet = quiet.observe(
                start + .milliseconds(time),
                isBusy: isBusy(time),
                progress: progress(time)
            )
            if isQuiet { return time }
        }
        return nil
    }

    @Test mutating func `Nothing for a second is rest`() {
        let progress = progress
        #expect(rest(through: 3_000, progress: { _ in progress }) == 1_010)
    }

    @Test mutating func `The second begins after the last work and the last progress`() {
        #expect(
            rest(
                through: 3_000,
                isBusy: { $0 <= 500 },
                progress: { ExactTime(rawValue: $0 <= 700 ? 1 : 2) }
            ) == 1_720
        )
    }

    @Test mutating func `The second begins after a tick that came late`() {
        let progress = progress
        #expect(rest(through: 3_000, progress: { _ in progress }, skipping: 600...690) == 1_710)
    }
}
