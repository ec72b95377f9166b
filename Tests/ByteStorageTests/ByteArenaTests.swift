import ByteStorage
import Testing

@Suite("A byte arena")
struct ByteArenaTests {
    @Test("hands a freed block out again to the next of the same size class, and to no other")
    func reuse() {
        var arena = ByteArena()
        let first = arena.allocate(20)
        let other = arena.allocate(24)
        arena.free(first, 20)
        let larger = arena.allocate(25)
        let smaller = arena.allocate(16)
        let same = arena.allocate(17)
        #expect(same == first)
        #expect(Set([first, other, larger, smaller]).count == 4)
    }

    @Test(
        "counts bytes by size class: steps of 8 up to 512, then powers of two",
        arguments: [
            (0, 8), (1, 8), (8, 8), (9, 16), (504, 504), (505, 512), (512, 512), (513, 1_024),
            (1_024, 1_024), (1_025, 2_048), (524_289, 1 << 20), (1 << 20, 1 << 20),
        ]
    )
    func sizeClasses(asked: Int, got: Int) {
        var arena = ByteArena()
        let block = arena.allocate(asked)
        let used = arena.usedByteCount
        arena.free(block, asked)
        let rest = arena.usedByteCount
        #expect(used == got)
        #expect(rest == 0)
    }

    @Test("uses the rest of a chunk that a large block did not fit in")
    func rests() {
        var arena = ByteArena()
        _ = arena.allocate(8)
        _ = arena.allocate(1 << 20)
        let before = arena.byteCount
        var count = 0
        // The first chunk has 1 MiB - 8 bytes left, which are 2,047 blocks of 512 and one of 504.
        while arena.byteCount == before && count < 5_000 {
            _ = arena.allocate(512)
            count += 1
        }
        #expect(before == 2 << 20)
        #expect(count == 2_048)
    }

    @Test(
        "keeps every block's bytes, whatever else is stored and freed",
        arguments: [11, 12, 13] as [UInt64]
    )
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var arena = ByteArena()
        var blocks: [(block: UInt32, bytes: [UInt8])] = []
        for step in 0..<20_000 {
            if blocks.isEmpty || random.below(5) < 3 {
                let limit = [8, 40, 600, 5_000][random.below(4)]
                let bytes = random.bytes(random.below(limit))
                let block = bytes.withByteView { arena.store($0) }
                blocks.append((block, bytes))
            } else {
                let (block, bytes) = blocks.remove(at: random.below(blocks.count))
                let stored = arena.view(block, bytes.count).array
                #expect(stored == bytes, "seed \(seed), step \(step)")
                arena.free(block, bytes.count)
            }
        }
        for (block, bytes) in blocks {
            let stored = arena.view(block, bytes.count).array
            #expect(stored == bytes, "seed \(seed), at the end")
            arena.free(block, bytes.count)
        }
        let used = arena.usedByteCount
        #expect(used == 0, "seed \(seed)")
    }

    @Test("asks for no more memory when the same sizes come and go")
    func memoryIsBounded() {
        var arena = ByteArena()
        var held = 0
        for round in 0..<10 {
            var blocks: [UInt32] = []
            for size in 1...3_000 { blocks.append(arena.allocate(size)) }
            for (index, block) in blocks.enumerated() { arena.free(block, index + 1) }
            if round == 0 { held = arena.byteCount }
        }
        let after = arena.byteCount
        #expect(after == held)
    }
}
