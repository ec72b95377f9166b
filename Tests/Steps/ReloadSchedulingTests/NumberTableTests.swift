import Basics
import TestSupport
import Testing

@testable import ReloadScheduling

@Suite("A number table")
struct NumberTableTests {
    @Test(
        "holds what a dictionary holds, whatever comes and goes",
        arguments: 1...6 as ClosedRange<UInt64>
    )
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = NumberTable(hashKey: HashKey(low: seed, high: 0))
        var model: [UInt32: Set<EntryNumber>] = [:]
        var stored: [(key: UInt32, number: EntryNumber)] = []
        for step in 0..<UInt32(8_000) {
            let isGrowing = step / 2_000 % 2 == 0
            let number = EntryNumber(step)
            if stored.isEmpty || random.below(10) < (isGrowing ? 8 : 3) {
                // Some keys are the same, some far apart.
                let key = UInt32(random.below(500)) << UInt32(random.below(3) * 11)
                table.insert(key, number: number)
                model[key, default: []].insert(number)
                stored.append((key, number))
            } else {
                stored.swapAt(random.below(stored.count), stored.count - 1)
                let (key, number) = stored.removeLast()
                table.remove(key, number: number)
                model[key]!.remove(number)
            }
            let key = random.below(2) == 0 ? stored.last?.key ?? 0 : UInt32(random.below(1_000))
            var found = Set<EntryNumber>()
            let end = table.find(key) { (number: EntryNumber) in
                found.insert(number)
                return false
            }
            #expect(end == nil && found == model[key] ?? [], "seed \(seed), step \(step)")
        }
        let count = table.count
        #expect(count == stored.count)
    }

    @Test("has other collisions for another key")
    func seeds() {
        var first = NumberTable(hashKey: HashKey(low: 1, high: 0))
        var second = NumberTable(hashKey: HashKey(low: 2, high: 0))
        for key in 0..<UInt32(10_000) {
            first.insert(key, number: EntryNumber(key))
            second.insert(key, number: EntryNumber(key))
        }
        // Whoever knew the first key could find any number of keys with one place.
        var homes = Set<Int>()
        var colliding = 0
        for key in 0..<UInt32(1_000_000) where first.home(key) == 77 {
            colliding += 1
            homes.insert(second.home(key))
        }
        #expect(colliding > 30)
        #expect(homes.count > colliding * 9 / 10)
    }

    @Test(
        "spreads consecutive keys and such that are far apart evenly, for any key",
        arguments: [1, 2, 3, 1 << 63, .max, 0] as [UInt64]
    )
    func spread(seed: UInt64) {
        var table = NumberTable(hashKey: HashKey(low: seed, high: 0))
        for key in 0..<UInt32(10_000) { table.insert(key, number: EntryNumber(key)) }
        for distance in [1, 5, 128, 675, 65_536, 1 << 18] as [UInt32] {
            let homes = Set((0..<UInt32(10_000)).map { table.home($0 &* distance) })
            // Of 16,384 places 10,000 random keys meet 7,484 on average.
            #expect(homes.count > 7_200, "\(distance)")
        }
    }
}
