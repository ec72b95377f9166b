import Basics
import ReloadScheduling
import TestSupport
import Testing

@Suite("Paired clocks")
struct PairedClocksTests {
    private let millisecond: Int64 = 1_000_000
    private let start: Int64 = 1_700_000_000_123_456_789

    @Test("advance together to the millisecond, however long a reading takes")
    func together() {
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var clocks = PlainPairedClocks()
            var now: Int64 = 5_000_000_999
            // The first reading is the one that all others are measured by.
            let first = clocks.instant(wall: start + now, between: now, and: now)
            for _ in 0..<1_000 {
                now += Int64(random.below(3_000_000))
                let before = now
                now += Int64(random.below(random.below(10) == 0 ? 9_000_000 : 200))
                let wall = start + now
                now += Int64(random.below(random.below(10) == 0 ? 9_000_000 : 200))
                let instant = clocks.instant(wall: wall, between: before, and: now)
                #expect(instant.wall - instant.monotonic == first.wall - first.monotonic)
                #expect(instant.wall <= (start + now) / millisecond, "seed \(seed)")
                #expect(instant.monotonic == now / millisecond)
            }
        }
    }

    @Test("find out what the first reading left open, and are never ahead")
    func convergence() {
        var clocks = PlainPairedClocks()
        let first = clocks.instant(wall: start, between: 0, and: 50 * millisecond)
        #expect(first.wall == start / millisecond)
        let second = clocks.instant(
            wall: start + 60 * millisecond,
            between: 60 * millisecond,
            and: 60 * millisecond
        )
        #expect(second.wall == start / millisecond + 60)
    }

    @Test(
        "are not ahead when the wall clock was set back, however long the reading takes",
        arguments: 0...9 as ClosedRange<Int64>,
        0...9 as ClosedRange<Int64>
    )
    func setBack(earlier: Int64, later: Int64) {
        var clocks = PlainPairedClocks()
        _ = clocks.instant(wall: start, between: 0, and: 0)
        // The wall clock is read so many ms after the one reading and before the other.
        let before = 1_000 * millisecond
        let read = before + earlier * millisecond
        let after = read + later * millisecond
        let shown = start - 3_600_000 * millisecond
        let instant = clocks.instant(wall: shown + read, between: before, and: after)
        #expect(instant.wall <= (shown + after) / millisecond)
        #expect(instant.wall >= (shown + after) / millisecond - later)
    }

    @Test("show at once that the wall clock was set", arguments: [-3_600_000, -2, 2, 3_600_000])
    func jump(distance: Int64) {
        var clocks = PlainPairedClocks()
        let before = clocks.instant(wall: start, between: 10, and: 20)
        let wall = start + distance * millisecond + 1_000_000_000
        let after = clocks.instant(wall: wall, between: 1_000_000_010, and: 1_000_000_020)
        #expect(abs(after.wall - before.wall - 1_000 - distance) <= 1)
    }
}
