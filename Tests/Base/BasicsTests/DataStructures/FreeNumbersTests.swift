import Basics
import TestSupport
import Testing

@Suite("Free numbers")
struct FreeNumbersTests {
    @Test("come lowest first, whatever order they became free in")
    func order() {
        var free = FreeNumbers()
        for number in [70_000, 3, 64, 0, 4_096, 63] as [UInt32] { free.insert(number) }
        var numbers: [UInt32] = []
        while let number = free.popFirst() { numbers.append(number) }
        #expect(numbers == [0, 3, 63, 64, 4_096, 70_000])
        let rest = (free.count, free.first)
        #expect(rest == (0, nil))
    }

    @Test("take no memory until there is one, and no more when they come again")
    func memory() {
        var free = FreeNumbers()
        let (none, isThere, atFirst) = (free.byteCount, free.contains(5), free.first)
        #expect(none == 0 && !isThere && atFirst == nil)
        for number in 0..<UInt32(100_000) { free.insert(number) }
        let once = free.byteCount
        #expect(once > 0 && once <= 2 * (100_000 / 8) * 64 / 63 + 64)
        while free.popFirst() != nil {}
        for number in 0..<UInt32(100_000) { free.insert(number) }
        let twice = free.byteCount
        #expect(twice == once)
    }

    @Test("are found at every width that needs one level more, and beside it")
    func levels() {
        for shift in 0..<24 as Range<UInt32> {
            for number in [1 << shift - 1, 1 << shift, 1 << shift + 1] as [UInt32] {
                var free = FreeNumbers()
                free.insert(number)
                let first = free.first
                #expect(first == number)
                free.insert(number + 1)
                free.remove(number)
                let (second, isThere) = (free.first, free.contains(number))
                #expect(second == number + 1 && !isThere)
            }
        }
    }

    @Test("are what a sorted set holds", arguments: 1...6 as ClosedRange<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var free = FreeNumbers()
        var model: Set<UInt32> = []
        // From one word to four levels; few numbers make empty words, many make full ones.
        let limit = 1 << (4 + 3 * Int(seed))
        for step in 0..<4_000 {
            let number = UInt32(random.below(limit))
            switch random.below(8) {
            case 0...2 where !model.contains(number):
                free.insert(number)
                model.insert(number)
            case 3 where model.contains(number):
                free.remove(number)
                model.remove(number)
            case 4 where random.below(10) == 0:
                let end = min(UInt32(limit), number + UInt32(random.below(300)))
                let range = number..<end
                if range.contains(where: model.contains) { continue }
                free.insert(contentsOf: range)
                model.formUnion(range)
            case 5:
                let bits = random.next() & random.next()
                let first = number & ~63
                free[word: Int(number >> 6)] = bits
                for bit in 0..<64 as Range<UInt32> {
                    if bits >> UInt64(bit) & 1 == 1 {
                        model.insert(first + bit)
                    } else {
                        model.remove(first + bit)
                    }
                }
            default:
                let (expected, found) = (model.min(), free.popFirst())
                #expect(found == expected, "seed \(seed), step \(step)")
                if let expected { model.remove(expected) }
            }
            let (count, isThere) = (free.count, free.contains(number))
            #expect(count == model.count, "seed \(seed), step \(step)")
            #expect(isThere == model.contains(number), "seed \(seed), step \(step)")
        }
        var rest: [UInt32] = []
        while let number = free.popFirst() { rest.append(number) }
        #expect(rest == model.sorted(), "seed \(seed)")
    }
}
