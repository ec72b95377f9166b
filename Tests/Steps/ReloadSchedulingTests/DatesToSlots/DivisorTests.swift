import TestSupport
import Testing

@testable import ReloadScheduling

@Suite("A division by multiplication")
struct DivisorTests {
    @Test("agrees with the processor's division")
    func agrees() {
        let seed: UInt64 = 9
        var random = SeededGenerator(seed: seed)
        let divisors: [UInt32] = [1, 2, 3, 7, 60, 599, 600, 900, 86_399, 86_400, 1 << 31, .max]
        for value in divisors {
            let divisor = Divisor(value)
            for _ in 0..<2_000 {
                let number = UInt32(
                    truncatingIfNeeded: random.next() >> UInt64(32 + random.below(30))
                )
                #expect(divisor.quotient(number) == number / value, "seed \(seed)")
                let longer = random.next() >> 31
                if value > 86_400 { continue }
                #expect(divisor.remainder(longer) == UInt32(longer % UInt64(value)), "seed \(seed)")
            }
        }
    }

    @Test("walks every second of a window once")
    func walks() {
        for width in Array(1...2_000) + [86_399, 86_400] as [UInt32] {
            let walk = WindowWalk(width: width)
            var seen = [Bool](repeating: false, count: Int(width))
            for step in 0..<UInt64(width) {
                seen[Int(walk.width.remainder(step * UInt64(walk.stride)))] = true
            }
            #expect(seen.allSatisfy { $0 }, "\(width)")
        }
    }
}
