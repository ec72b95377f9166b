import TestSupport
import Testing

@testable import Basics

@Suite("Numbers that come often")
struct HotKeysTests {
    /// Half of the stream is of few numbers, the rest of very many.
    private func stream(_ count: Int, seed: UInt64) -> [UInt32] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let word = random.next()
            return word & 1 == 0
                ? UInt32(word >> 32 & 7) : UInt32(truncatingIfNeeded: word >> 8 & 0xf_ffff) + 100
        }
    }

    @Test("a few are counted exactly")
    func few() {
        var keys = HotKeys()
        for _ in 0..<3 { keys.add(7, count: 2, extra: 5) }
        keys.add(9, count: 1, extra: 1)
        #expect(
            keys.top(10) == [
                HotKeys.Entry(key: 7, count: 6, error: 0, extra: 15),
                HotKeys.Entry(key: 9, count: 1, error: 0, extra: 1),
            ]
        )
        #expect(keys.top(1).map(\.key) == [7])
    }

    @Test("none is counted too low, or too high by more than its error", arguments: 1...10)
    func bounds(seed: UInt64) {
        var keys = HotKeys()
        var exact: [UInt32: UInt64] = [:]
        let stream = stream(50_000, seed: seed)
        for key in stream {
            keys.add(key, count: 1, extra: 0)
            exact[key, default: 0] += 1
        }
        let entries = keys.top(.max)
        #expect(entries.count == HotKeys.capacity)
        for entry in entries {
            let count = exact[entry.key] ?? 0
            #expect(entry.count >= count && entry.count - entry.error <= count)
        }
        // Each entry's count came from the stream.
        #expect(entries.reduce(0) { $0 + $1.count } == UInt64(stream.count))
        // Whoever makes up more than one in `capacity` is there.
        let found = Set(entries.map(\.key))
        for (key, count) in exact where count > UInt64(stream.count / HotKeys.capacity) {
            #expect(found.contains(key))
        }
        #expect(Set(entries.prefix(8).map(\.key)) == Set(0..<8), "seed \(seed)")
    }

    @Test("the place of the lowest count is given away, and its count becomes the error")
    func lowest() {
        var keys = HotKeys()
        for key in 0..<UInt32(HotKeys.capacity) { keys.add(key, count: 5, extra: 1) }
        keys.add(3, count: 1, extra: 0)
        for key in 0..<UInt32(HotKeys.capacity - 1) { keys.add(1_000 + key, count: 2, extra: 4) }
        let entries = keys.top(.max)
        #expect(entries.filter { $0.key < 1_000 }.map(\.key) == [3])
        #expect(entries.filter { $0.key >= 1_000 }.allSatisfy { $0.count == 7 && $0.error == 5 })
        #expect(entries.filter { $0.key >= 1_000 }.allSatisfy { $0.extra == 4 })
    }

    @Test("halving forgets what came once, and lets the rest fade")
    func halving() {
        var keys = HotKeys()
        keys.add(1, count: 9, extra: 8)
        keys.add(2, count: 1, extra: 8)
        keys.halve()
        #expect(keys.top(9) == [HotKeys.Entry(key: 1, count: 4, error: 0, extra: 4)])
        for _ in 0..<3 { keys.halve() }
        #expect(keys.isEmpty)
    }

    @Test("a number that was removed is counted anew; the others are found all the same")
    func removal() {
        var keys = HotKeys()
        var exact: [UInt32: UInt64] = [:]
        var random = SeededGenerator(seed: 5)
        for _ in 0..<20_000 {
            let key = UInt32(truncatingIfNeeded: random.next() >> 20) % 200
            if random.next() % 4 == 0 {
                keys.remove(key)
                exact[key] = nil
            } else {
                keys.add(key, count: 1, extra: 0)
                exact[key, default: 0] += 1
            }
        }
        let found = keys.top(.max).map { ($0.key, $0.count) }
        #expect(Dictionary(uniqueKeysWithValues: found) == exact)
    }
}
