import TestSupport
import Testing

@testable import WidgetMatching

@Suite("The table of what has been seen in a push")
struct SeenTableTests {
    @Test("A new table is empty, and can be used at once")
    func new() {
        var table = SeenTable()
        let before = table.find(7, where: { _ in true })
        table.insert(7, number: 1)
        let after = table.find(7, where: { $0 == 1 })
        #expect(before == nil && after == 1)
        table.checkInvariants()
    }

    @Test("Entries are found until the table is emptied", arguments: 1...4 as ClosedRange<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = SeenTable()
        for _ in 0..<20 {
            var expected: [UInt64: Int] = [:]
            for number in 0..<random.below(300) {
                // Few homes, so that entries are beside them.
                let hash = UInt64(random.below(400)) << 32 | UInt64(random.below(4))
                let found = table.find(hash, where: { _ in true })
                #expect(found == expected[hash], "seed \(seed)")
                if found != nil { continue }
                expected[hash] = number
                table.insert(hash, number: number)
                table.checkInvariants()
            }
            table.removeAll()
            for hash in expected.keys {
                let found = table.find(hash, where: { _ in true })
                #expect(found == nil, "seed \(seed)")
            }
            table.checkInvariants()
        }
    }
}
