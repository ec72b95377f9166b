import Basics
import TestSupport
import Testing

@Suite("A sparse table")
struct SparseTableTests {
    @Test("takes memory for what is near a number that was stored, and for nothing below it")
    func memory() {
        var table = SparseTable<EntryNumber, UInt32>(filling: 7)
        let atFirst = (table.byteCount, table.has(0))
        #expect(atFirst == (0, false))
        table[10_000_000] = 1
        let chunk = 4_096 * MemoryLayout<UInt32>.stride
        let high = (table.byteCount, table.has(10_000_000), table.has(0), table.has(.none))
        #expect(high == (chunk, true, false, false))
        table[10_000_001] = 2
        let near = table.byteCount
        #expect(near == chunk)
        table[0] = 3
        let both = table.byteCount
        #expect(both == 2 * chunk)
    }

    @Test("has what was stored, and near it what elements are at first")
    func elements() {
        var table = SparseTable<EntryNumber, UInt32>(filling: 7)
        let numbers = (0..<1_000).map { UInt32($0) &* 2_654_435_761 >> 8 }
        for number in numbers { table[EntryNumber(number)] = number }
        for number in numbers {
            let found = table[EntryNumber(number)]
            #expect(found == number)
            if numbers.contains(number ^ 1) { continue }
            let neighbour = table[EntryNumber(number ^ 1)]
            #expect(neighbour == 7)
        }
    }
}
