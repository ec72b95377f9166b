import ByteStorage
import Testing

@Suite("A sparse table")
struct SparseTableTests {
    @Test("takes memory for what is near a number that was stored, and for nothing below it")
    func memory() {
        var table = SparseTable<UInt32>(filling: 7)
        #expect(table.byteCount == 0)
        #expect(!table.has(0))
        table[10_000_000] = 1
        #expect(table.byteCount == 4_096 * 4)
        #expect(table.has(10_000_000))
        #expect(!table.has(0))
        #expect(!table.has(.max))
        table[10_000_001] = 2
        #expect(table.byteCount == 4_096 * 4)
        table[0] = 3
        #expect(table.byteCount == 2 * 4_096 * 4)
    }

    @Test("has what was stored, and near it what elements are at first")
    func elements() {
        var table = SparseTable<UInt32>(filling: 7)
        let numbers = (0..<1_000).map { UInt32($0) &* 2_654_435_761 >> 8 }
        for number in numbers { table[number] = number }
        for number in numbers {
            #expect(table[number] == number)
            let neighbour = number ^ 1
            if !numbers.contains(neighbour) { #expect(table[neighbour] == 7) }
        }
    }
}
