import Basics
import TestSupport
import Testing

@Suite("A hash index")
struct HashIndexTests {
    @Test("finds what was inserted and nothing else")
    func findsInserted() {
        var index = HashIndex()
        for number in 0..<UInt32(50_000) { index.insert(hash(number), number: number) }
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
        for number in 0..<UInt32(40) { index.insert(0xabcd, number: number) }
        index.remove(0xabcd, number: 7)
        for number in 0..<UInt32(40) {
            let found = index.find(0xabcd) { $0 == number }
            #expect(found == (number == 7 ? nil : number))
        }
    }

    @Test("holds the number 0 and the largest number")
    func extremes() {
        var index = HashIndex()
        index.insert(0, number: 0)
        index.insert(.max, number: .max - 1)
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
                index.insert(hash, number: number)
                model[number] = hash
                numbers.append(number)
            } else {
                let gone = numbers.remove(at: random.below(numbers.count))
                index.remove(model[gone]!, number: gone)
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
        for number in 0..<UInt32(10_000) { index.insert(hash(number), number: number) }
        let before = index.byteCount
        for _ in 0..<20 {
            for number in 0..<UInt32(10_000) { index.remove(hash(number), number: number) }
            for number in 0..<UInt32(10_000) { index.insert(hash(number), number: number) }
        }
        let after = index.byteCount
        #expect(after == before)
    }

    /// The numbers under a hash, in the order in which they are met.
    private func candidates(_ index: borrowing HashIndex, _ hash: UInt64) -> [UInt32] {
        var numbers: [UInt32] = []
        var candidate = index.candidate(hash)
        while !candidate.isNone {
            numbers.append(candidate.number)
            candidate = index.candidate(hash, after: candidate)
        }
        return numbers
    }

    @Test("says that there is no candidate when it is empty, or has others only")
    func none() {
        var index = HashIndex()
        for hash in [0, 1, .max] as [UInt64] { #expect(candidates(index, hash) == []) }
        #expect(HashIndex.Candidate.none.isNone)
        index.insert(5, number: 5)
        #expect(candidates(index, 6) == [])
        // Of another shard, and of the same with other bits in between.
        #expect(candidates(index, 1 << 56 | 5) == [])
        #expect(candidates(index, 1 << 32 | 5) == [5])
    }

    @Test("goes through the numbers whose 32 bits are equal, each once, past others and the end")
    func iteration() {
        var index = HashIndex()
        // Homes at the end of a shard of 16 slots, so that the run wraps around.
        for number in 0..<UInt32(5) { index.insert(0xffff_fffe, number: number) }
        for number in 5..<UInt32(8) { index.insert(0xffff_ffff, number: number) }
        for number in 8..<UInt32(10) { index.insert(0, number: number) }
        #expect(candidates(index, 0xffff_fffe) == [0, 1, 2, 3, 4])
        #expect(candidates(index, 0xffff_ffff) == [5, 6, 7])
        #expect(candidates(index, 0) == [8, 9])
        index.remove(0xffff_fffe, number: 2)
        index.remove(0xffff_ffff, number: 5)
        #expect(candidates(index, 0xffff_fffe) == [0, 1, 3, 4])
        #expect(Set(candidates(index, 0xffff_ffff)) == [6, 7])
        #expect(candidates(index, 0) == [8, 9])
    }

    @Test("meets every number under a hash after it has grown and shrunk", arguments: [1, 3, 900])
    func equalHashes(perHash: Int) {
        var index = HashIndex()
        let hashes = (0..<20).map { UInt64($0 % 2) << 56 | UInt64($0) << 8 }
        for number in 0..<perHash * 20 { index.insert(hashes[number % 20], number: UInt32(number)) }
        for (position, hash) in hashes.enumerated() {
            let wanted = (0..<perHash).map { UInt32($0 * 20 + position) }
            #expect(candidates(index, hash).sorted() == wanted)
        }
        for number in 0..<perHash * 20 where number / 20 != perHash - 1 {
            index.remove(hashes[number % 20], number: UInt32(number))
        }
        for (position, hash) in hashes.enumerated() {
            #expect(candidates(index, hash) == [UInt32((perHash - 1) * 20 + position)])
        }
    }

    @Test("gives memory back when most numbers are gone, and keeps what is left")
    func shrinking() {
        var index = HashIndex()
        let empty = index.byteCount
        for number in 0..<UInt32(100_000) { index.insert(hash(number), number: number) }
        let full = index.byteCount
        for number in 100..<UInt32(100_000) { index.remove(hash(number), number: number) }
        let rest = index.byteCount
        #expect(full > empty * 10)
        #expect(rest <= empty * 2)
        for number in 0..<UInt32(100) {
            let found = index.find(hash(number)) { $0 == number }
            #expect(found == number)
            index.remove(hash(number), number: number)
        }
        let (end, used) = (index.byteCount, index.usedByteCount)
        #expect(end <= empty)
        #expect(used == 0)
    }

    private func hash(_ number: UInt32) -> UInt64 {
        Array("key-\(number)".utf8).withByteView { stableHash($0, seed: 5) }
    }
}
