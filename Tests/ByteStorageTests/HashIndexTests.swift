import ByteStorage
import Testing

@Suite("A hash index")
struct HashIndexTests {
    @Test("finds what was inserted and nothing else")
    func findsInserted() {
        var index = HashIndex()
        for number in 0..<UInt32(50_000) { index.insert(hash(number), number) }
        let count = index.count
        #expect(count == 50_000)
        var isRight = true
        for number in 0..<UInt32(50_000) {
            isRight = isRight && index.find(hash(number)) { $0 == number } == number
            isRight = isRight && index.find(hash(number + 50_000)) { $0 == number + 50_000 } == nil
        }
        #expect(isRight)
    }

    @Test("asks the caller about every number whose hash is the same")
    func collisions() {
        var index = HashIndex()
        for number in 0..<UInt32(40) { index.insert(0xabcd, number) }
        index.remove(0xabcd, 7)
        for number in 0..<UInt32(40) {
            let found = index.find(0xabcd) { $0 == number }
            #expect(found == (number == 7 ? nil : number))
        }
    }

    @Test("holds the number 0 and the largest number")
    func extremes() {
        var index = HashIndex()
        index.insert(0, 0)
        index.insert(.max, .max - 1)
        let found = (index.find(0) { _ in true }, index.find(.max) { _ in true })
        #expect(found.0 == 0)
        #expect(found.1 == UInt32.max - 1)
    }

    @Test(
        "holds what a dictionary holds, whatever is inserted and removed",
        arguments: [21, 22, 23, 24] as [UInt64]
    )
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var index = HashIndex()
        var model: [UInt32: UInt64] = [:]
        var numbers: [UInt32] = []
        // Few shards and few hash bits, so that runs collide, touch and wrap around.
        let mask: UInt64 = seed % 2 == 0 ? 0x0100_0000_0000_001f : 0x0300_0000_0000_ffff
        for step in 0..<30_000 {
            let number = UInt32(step)
            if numbers.isEmpty || random.below(numbers.count > 600 ? 20 : 10) < 6 {
                let hash = random.next() & mask
                index.insert(hash, number)
                model[number] = hash
                numbers.append(number)
            } else {
                let gone = numbers.remove(at: random.below(numbers.count))
                index.remove(model[gone]!, gone)
                let found = index.find(model[gone]!) { $0 == gone }
                #expect(found == nil, "seed \(seed), step \(step): \(gone) was removed")
                model[gone] = nil
            }
            if step % 500 == 0 {
                let missing = model.filter { number, hash in
                    index.find(hash) { $0 == number } != number
                }
                #expect(missing.isEmpty, "seed \(seed), step \(step)")
            }
        }
        let count = index.count
        #expect(count == model.count, "seed \(seed)")
    }

    @Test("does not grow when as many come as go")
    func memoryIsBounded() {
        var index = HashIndex()
        for number in 0..<UInt32(10_000) { index.insert(hash(number), number) }
        let before = index.byteCount
        for _ in 0..<20 {
            for number in 0..<UInt32(10_000) { index.remove(hash(number), number) }
            for number in 0..<UInt32(10_000) { index.insert(hash(number), number) }
        }
        let after = index.byteCount
        #expect(after == before)
    }

    private func hash(_ number: UInt32) -> UInt64 {
        Array("key-\(number)".utf8).withByteView { hashBytes($0, seed: 5) }
    }
}
