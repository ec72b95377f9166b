import Basics
import TestSupport
import Testing

@Suite("A byte arena")
struct ByteArenaTests {
    @Test("reuses a freed block for the next one of the same size class, and for no other")
    func reuse() {
        var arena = ByteArena()
        let first = arena.allocate(20)
        let other = arena.allocate(24)
        arena.free(first, byteCount: 20)
        let larger = arena.allocate(21)
        let smaller = arena.allocate(16)
        let same = arena.allocate(17)
        #expect(same == first)
        #expect(Set([first, other, larger, smaller]).count == 4)
    }

    @Test(
        "counts bytes by size class: steps of 4 up to 512, then powers of two",
        arguments: [
            (0, 4), (1, 4), (4, 4), (5, 8), (508, 508), (509, 512), (512, 512), (513, 1_024),
            (1_024, 1_024), (1_025, 2_048), (524_289, 1 << 20), (1 << 20, 1 << 20),
        ]
    )
    func sizeClasses(asked: Int, got: Int) {
        var arena = ByteArena()
        let block = arena.allocate(asked)
        let used = arena.usedByteCount
        arena.free(block, byteCount: asked)
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
        // The first chunk has 256 KiB - 8 bytes left: 511 blocks of 512 and one of 504.
        while arena.byteCount == before && count < 5_000 {
            _ = arena.allocate(512)
            count += 1
        }
        #expect(before == 5 << 18)
        #expect(count == 512)
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
                let stored = arena.view(block, count: bytes.count).array
                #expect(stored == bytes, "seed \(seed), step \(step)")
                arena.free(block, byteCount: bytes.count)
            }
        }
        for (block, bytes) in blocks {
            let stored = arena.view(block, count: bytes.count).array
            #expect(stored == bytes, "seed \(seed), at the end")
            arena.free(block, byteCount: bytes.count)
        }
        let used = arena.usedByteCount
        #expect(used == 0, "seed \(seed)")
    }

    @Test(
        "keeps blocks of more than a chunk beside small ones, and reuses them",
        arguments: [14, 15, 16] as [UInt64]
    )
    func largeBlocks(seed: UInt64) {
        let sizes = [
            4, 100, 512, 513, 5_000, 200_000, 1 << 18, 1 << 18 + 1, 300_000, 1 << 19, 700_000,
            1 << 20,
        ]
        var arena = ByteArena()
        var blocks: [(block: UInt32, count: Int, mark: UInt8)] = []
        // The first and last bytes say enough: no block may reach into another.
        func mark(_ block: UInt32, _ count: Int, _ mark: UInt8) {
            let base = arena.pointer(block)
            base.initializeMemory(as: UInt8.self, repeating: mark, count: min(count, 600))
            (base + max(0, count - 600))
                .initializeMemory(as: UInt8.self, repeating: mark, count: min(count, 600))
        }
        var held = 0
        for round in 0..<6 {
            var random = SeededGenerator(seed: seed)
            for step in 0..<120 {
                let count = random.pick(sizes)
                let block = arena.allocate(count)
                blocks.append((block, count, UInt8(truncatingIfNeeded: step)))
                mark(block, count, UInt8(truncatingIfNeeded: step))
            }
            for (block, count, mark) in blocks {
                let view = arena.view(block, count: count)
                let isKept = [0, min(599, count - 1), max(0, count - 600), count - 1]
                    .allSatisfy { view[$0] == mark }
                #expect(isKept, "seed \(seed), round \(round): \(count) bytes")
                arena.free(block, byteCount: count)
            }
            blocks = []
            let used = arena.usedByteCount
            #expect(used == 0, "seed \(seed), round \(round)")
            if round == 0 { held = arena.byteCount }
            let holds = arena.byteCount
            #expect(holds == held, "seed \(seed), round \(round): the same sizes came again")
        }
    }

    @Test("asks for no more memory when the same sizes come and go")
    func memoryIsBounded() {
        var arena = ByteArena()
        var held = 0
        for round in 0..<10 {
            var blocks: [UInt32] = []
            for size in 1...3_000 { blocks.append(arena.allocate(size)) }
            for (index, block) in blocks.enumerated() { arena.free(block, byteCount: index + 1) }
            if round == 0 { held = arena.byteCount }
        }
        let after = arena.byteCount
        #expect(after == held)
    }
}
