import Basics
import ReloadScheduling
import StoreFormat
import TestSupport
import Testing

@Suite("A schedule clock that is read from its bytes")
struct ScheduleClockStoreTests {
    private static func read(_ bytes: [UInt8]) throws(StoreError) -> PlainClock {
        try restored(bytes) { reader throws(StoreError) in try PlainClock(reading: &reader) }
    }

    @Test(
        "shows the same times as the one that was written, whatever the clocks do",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func behaviour(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var instant = PlainInstant(monotonic: 1_000, wall: 1_700_000_000_000)
        var clock = PlainClock(instant)
        var other = clock
        for step in 0..<3_000 {
            let passed = Int64(random.below(random.pick([1, 10, 1_000, 600_000])))
            let steps = [1, 3, 2_400, 7_200_000]
            let border = random.pick(steps)
            instant.monotonic += passed
            instant.wall += passed + Int64(random.below(2 * border + 1) - border)
            if random.below(30) == 0 { other = try Self.read(stored { clock.write(to: &$0) }) }
            let jumps = (clock.advance(to: instant), other.advance(to: instant))
            #expect(jumps.0 == jumps.1 && clock.now == other.now, "seed \(seed), step \(step)")
            let time = instant.wall + Int64(random.below(1_000_000)) - 500_000
            #expect(clock.schedule(wall: time) == other.schedule(wall: time))
            #expect(clock.schedule(monotonic: time) == other.schedule(monotonic: time))
            #expect(clock.monotonic(time) == other.monotonic(time))
        }
        #expect(stored { clock.write(to: &$0) } == stored { other.write(to: &$0) })
    }

    @Test("has 32 bytes and throws for fewer, and for times that cannot be")
    func refused() {
        let bytes = stored { PlainClock(PlainInstant(monotonic: 5, wall: 7)).write(to: &$0) }
        #expect(bytes.count == 32)
        for count in bytes.indices {
            #expect(throws: StoreError.self) { _ = try Self.read(Array(bytes.prefix(count))) }
        }
        // The top bytes of schedule time and of how far it is ahead.
        for position in [7, 31] {
            for byte in [0x40, 0x80] as [UInt8] {
                var damaged = bytes
                damaged[position] = byte
                #expect(throws: StoreError.self) { _ = try Self.read(damaged) }
            }
        }
    }

    @Test("can be worked with whatever bits are flipped, or throws")
    func flipped() throws {
        let image = stored {
            PlainClock(PlainInstant(monotonic: 5_000, wall: 1_700_000_000_000)).write(to: &$0)
        }
        var random = SeededGenerator(seed: 1)
        var accepted = 0
        for _ in 0..<4_000 {
            var bytes = image
            for _ in 0...random.below(4) {
                bytes[random.below(32)] ^= 1 << UInt8(random.below(8))
            }
            guard var clock = try? Self.read(bytes) else { continue }
            accepted += 1
            var instant = PlainInstant(monotonic: 6_000, wall: 1_700_000_000_000)
            for _ in 0..<20 {
                let before = clock.now
                instant.monotonic += Int64(random.below(2_000))
                instant.wall += Int64(random.below(9_000)) - 4_000
                _ = clock.advance(to: instant)
                #expect(clock.now >= before && clock.now <= PlainClock.end)
                _ = clock.schedule(wall: instant.wall)
                _ = clock.schedule(monotonic: instant.monotonic)
                _ = clock.monotonic(clock.now)
            }
        }
        #expect(accepted > 400 && accepted < 4_000)
    }
}
