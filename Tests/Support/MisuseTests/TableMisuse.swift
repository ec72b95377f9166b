import TestSupport
import Testing

@testable import Basics

@Suite("Misuse of Slab")
struct SlabMisuse {
    @Test(
        "a slot that never was in use is not read",
        arguments: [1, 4_095, 4_096, 1 << 20, .max] as [UInt32]
    )
    func read(slot: UInt32) async {
        await #expect(processExitsWith: .trap) { [slot] in
            var slab = Slab<EntryNumber, UInt64>()
            _ = slab.insert(1)
            _ = slab[EntryNumber(slot)]
        }
    }

    @Test("a slot that never was in use is not written")
    func write() async {
        await #expect(processExitsWith: .trap) {
            var slab = Slab<EntryNumber, UInt64>()
            slab[0] = 1
        }
    }

    @Test("a slot is not released twice, nor one that never was in use")
    func release() async {
        await #expect(processExitsWith: .trap) {
            var slab = Slab<EntryNumber, UInt64>()
            let slot = slab.insert(1)
            slab.remove(slot)
            slab.remove(slot)
        }
        await #expect(processExitsWith: .trap) {
            var slab = Slab<EntryNumber, UInt64>()
            slab.remove(7)
        }
    }

    @Test("a slot that does not exist may be prefetched")
    func prefetch() {
        Slab<EntryNumber, UInt64>().prefetch(.none)
    }
}

@Suite("Misuse of TrackedSlab")
struct TrackedSlabMisuse {
    @Test("a slot that never was in use is neither read, written nor released")
    func slots() async {
        await #expect(processExitsWith: .trap) { _ = TrackedSlab<EntryNumber, UInt64>()[4_096] }
        await #expect(processExitsWith: .trap) {
            var slab = TrackedSlab<EntryNumber, UInt64>()
            slab[0] = 1
        }
        await #expect(processExitsWith: .trap) {
            var slab = TrackedSlab<EntryNumber, UInt64>()
            slab.remove(0)
        }
    }
}

@Suite("Misuse of SlabPage")
struct SlabPageMisuse {
    @Test(
        "an element after the last of the page, or before the first, is not read",
        arguments: [2, -1]
    )
    func element(index: Int) async {
        await #expect(processExitsWith: .trap) { [index] in
            var slab = TrackedSlab<EntryNumber, UInt64>()
            _ = slab.insert(1)
            _ = slab.insert(2)
            slab.startTracking()
            slab.beginCheckpoint()
            if let page = slab.nextUnwritten() { _ = page[index] }
        }
    }
}

@Suite("Misuse of SparseTable")
struct SparseTableMisuse {
    @Test("a number of no chunk is not read", arguments: [0, 4_096, .max] as [UInt32])
    func read(number: UInt32) async {
        await #expect(processExitsWith: .trap) { [number] in
            var table = SparseTable<EntryNumber, UInt32>(filling: 0)
            table[10_000] = 1
            _ = table[EntryNumber(number)]
        }
    }
}

@Suite("Misuse of FreeNumbers")
struct FreeNumbersMisuse {
    @Test("a number is not freed twice, which would break the count")
    func insert() async {
        await #expect(processExitsWith: .trap) {
            var free = FreeNumbers()
            free.insert(5)
            free.insert(5)
        }
    }

    @Test("a number that is not free is not removed")
    func remove() async {
        await #expect(processExitsWith: .trap) {
            var free = FreeNumbers()
            free.insert(5)
            free.remove(1_000_000)
        }
    }

    @Test("a word before the first is not written, and reads as empty")
    func word() async {
        #expect(FreeNumbers()[word: -1] == 0)
        #expect(FreeNumbers()[word: .max] == 0)
        await #expect(processExitsWith: .trap) {
            var free = FreeNumbers()
            free[word: -1] = 1
        }
    }
}

@Suite("Misuse of PageBits")
struct PageBitsMisuse {
    @Test("a page beyond the capacity is neither asked for, inserted nor removed")
    func pages() async {
        await #expect(processExitsWith: .trap) { _ = PageBits().contains(0) }
        await #expect(processExitsWith: .trap) {
            var bits = PageBits()
            bits.grow(to: 1)
            bits.insert(bits.capacity)
        }
        await #expect(processExitsWith: .trap) {
            var bits = PageBits()
            bits.insert(contentsOf: 0..<1)
        }
        await #expect(processExitsWith: .trap) {
            var bits = PageBits()
            bits.remove(.max)
        }
    }

    @Test("sets of different capacity are not combined")
    func capacities() async {
        await #expect(processExitsWith: .trap) {
            var small = PageBits()
            var large = PageBits()
            large.grow(to: 1)
            small.copy(large)
        }
        await #expect(processExitsWith: .trap) {
            var large = PageBits()
            large.grow(to: 1)
            large.formUnion(PageBits())
        }
    }
}

@Suite("Misuse of PageMarks")
struct PageMarksMisuse {
    @Test("a page that is not unwritten does not count as saved")
    func saved() async {
        await #expect(processExitsWith: .trap) {
            var marks = PageMarks()
            marks.startTracking(pageCount: 1)
            marks.markWritten(0)
        }
    }
}

@Suite("Misuse of PageCopies")
struct PageCopiesMisuse {
    @Test("more bytes than a buffer has are not copied")
    func length() async {
        await #expect(processExitsWith: .trap) {
            var copies = PageCopies(bufferLength: 8)
            let bytes = [UInt8](repeating: 0, count: 16)
            bytes.withUnsafeBytes { bytes in
                let page = PageCopies.Page(number: 0, count: 1)
                copies.append(page, bytes: bytes.baseAddress!, length: 16)
            }
        }
    }
}

@Suite("Misuse of HashIndex")
struct HashIndexMisuse {
    @Test("the number of no entry is not stored, and what is absent is not removed")
    func numbers() async {
        await #expect(processExitsWith: .trap) {
            var index = HashIndex()
            index.insert(1, number: HashIndex.none)
        }
        await #expect(processExitsWith: .trap) {
            var index = HashIndex()
            index.remove(1, number: 1)
        }
    }

    @Test("a candidate of another hash, or of a shard that has shrunk, leads nowhere else")
    func staleCandidate() {
        var index = HashIndex()
        for number in 0..<1_000 as Range<UInt32> { index.insert(UInt64(number), number: number) }
        let stale = index.candidate(999)
        for number in 1..<1_000 as Range<UInt32> { index.remove(UInt64(number), number: number) }
        #expect(index.candidate(999, after: stale).isNone)
        #expect(index.candidate(.max, after: stale).isNone)
    }
}

@Suite("Misuse of ByteArena")
struct ByteArenaMisuse {
    @Test(
        "a block of a negative size, or of more than the limit, is not allocated",
        arguments: [-1, .min, 1 << 20 + 1, .max]
    )
    func size(byteCount: Int) async {
        await #expect(processExitsWith: .trap) { [byteCount] in
            var arena = ByteArena()
            _ = arena.allocate(byteCount)
        }
    }

    @Test("a block that does not exist may be prefetched")
    func prefetch() {
        ByteArena().prefetch(ByteArena.none)
    }
}

@Suite("Misuse of Boxed")
struct BoxedMisuse {
    @Test("a value stays what it is while the box is moved")
    func move() {
        let box = Boxed(7)
        let other = box
        #expect(other.value == 7)
    }
}
