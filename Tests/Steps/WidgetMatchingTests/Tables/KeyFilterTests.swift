import Basics
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("The filter of keys")
struct KeyFilterTests {
    /// A filter beside the table of its keys.
    private struct Keys: ~Copyable {
        var index = HashIndex()
        var filter = KeyFilter()
        var hashes: [UInt64] = []
        private var random: SeededGenerator

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        mutating func add() {
            hashes.append(random.next())
            index.insert(hashes.last!, number: UInt32(truncatingIfNeeded: hashes.last!) / 2)
            filter.insert(hashes.last!, of: index)
        }

        mutating func remove() {
            hashes.swapAt(random.below(hashes.count), hashes.count - 1)
            let hash = hashes.removeLast()
            index.remove(hash, number: UInt32(truncatingIfNeeded: hash) / 2)
        }

        /// How many of a thousand hashes without a key it lets pass.
        mutating func passing() -> Int {
            (0..<20_000).count { _ in filter.mayHave(random.next()) } / 20
        }
    }

    @Test("lets every key pass, and few others", arguments: [100, 3_000, 30_000, 200_000])
    func passes(count: Int) {
        var keys = Keys(seed: UInt64(count))
        for _ in 0..<count { keys.add() }
        let areFound = keys.hashes.allSatisfy { keys.filter.mayHave($0) }
        #expect(areFound)
        let passing = keys.passing()
        #expect(passing < 60, "\(passing) of 1,000 hashes without a key")
        #expect(keys.filter.byteCount <= max(256 * 8 * 2, count * 2))
    }

    @Test("is no fuller and no larger for the keys that have come and gone")
    func changes() {
        var keys = Keys(seed: 5)
        for _ in 0..<10_000 { keys.add() }
        for _ in 0..<200_000 {
            keys.remove()
            keys.add()
        }
        let areFound = keys.hashes.allSatisfy { keys.filter.mayHave($0) }
        #expect(areFound)
        let passing = keys.passing()
        #expect(passing < 60, "\(passing) of 1,000 hashes without a key")
        #expect(keys.filter.byteCount <= 10_000 * 3)
        // With few keys left, it shrinks as others come.
        for _ in 0..<9_900 { keys.remove() }
        for _ in 0..<40_000 {
            keys.add()
            keys.remove()
        }
        #expect(keys.filter.byteCount <= 4_096)
        let areLeft = keys.hashes.allSatisfy { keys.filter.mayHave($0) }
        #expect(areLeft)
    }
}
