// These break tables from within, which only builds for testing let them.
#if DEBUG
import TestSupport
import Testing

@testable import Basics

@Suite("The invariants of a table")
struct InvariantTests {
    /// The sentence of the violation that a check throws; nil if it throws none.
    private func sentence(_ check: () throws(InvariantViolation) -> Void) -> String? {
        do throws(InvariantViolation) {
            try check()
            return nil
        } catch {
            return error.description
        }
    }

    @Test("hold whatever comes and goes", arguments: 1...4 as ClosedRange<UInt64>)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var index = HashIndex()
        var slab = TrackedSlab<EntryNumber, UInt64>()
        var arena = ByteArena()
        var blocks: [(block: UInt32, byteCount: Int)] = []
        var stored: [(slot: EntryNumber, hash: UInt64)] = []
        slab.startTracking()
        for step in 0..<3_000 {
            if stored.isEmpty || random.below(10) < (step / 1_000 % 2 == 0 ? 7 : 3) {
                let hash = random.next() & 0x0300_0000_0000_ffff
                let slot = slab.insert(hash)
                index.insert(hash, number: slot)
                stored.append((slot, hash))
                let byteCount = random.below(step % 100 == 0 ? 300_000 : 700)
                blocks.append((arena.allocate(byteCount), byteCount))
            } else {
                let removed = stored.remove(at: random.below(stored.count))
                index.remove(removed.hash, number: removed.slot)
                slab.remove(removed.slot)
                let freed = blocks.remove(at: random.below(blocks.count))
                arena.free(freed.block, byteCount: freed.byteCount)
            }
            if step % 200 == 100 { slab.beginCheckpoint() }
            if step % 400 == 290 { slab.abandonCheckpoint() }
            if step % 7 == 0 || step % 200 == 99 {
                repeat { if slab.nextUnwritten() == nil { break } } while step % 200 == 99
            }
            if step % 10 > 0 { continue }
            try index.checkInvariants()
            try slab.checkInvariants()
            try arena.checkInvariants()
        }
    }

    @Test("name a number of a hash index that is not reached")
    func hashIndex() {
        var index = HashIndex()
        for number in 0..<3 as Range<UInt32> { index.insert(5, number: number) }
        index.shards[0].slots[6] = 0
        #expect(
            sentence { () throws(InvariantViolation) in try index.checkInvariants() }
                == "HashIndex: number 2 is not reached: slot 6 of shard 0 is empty"
        )
    }

    @Test("name a set of free numbers whose levels disagree")
    func freeNumbers() {
        var numbers = FreeNumbers()
        numbers.insert(70)
        numbers.words[1] = 0
        let text = sentence { () throws(InvariantViolation) in try numbers.checkInvariants() }
        #expect(text == "FreeNumbers: 1 numbers are counted, and 0 are in the set")
    }

    @Test("name a free slot of a slab that is beyond its end")
    func slab() {
        var slab = Slab<EntryNumber, UInt64>()
        _ = slab.insert(1)
        slab.free.insert(9)
        let text = sentence { () throws(InvariantViolation) in try slab.checkInvariants() }
        #expect(text == "Slab: 1 free slots are not below the end, 1")
    }

    @Test("name a page whose mark is not counted")
    func pageMarks() {
        var marks = PageMarks()
        marks.startTracking(pageCount: 3, isSaved: true)
        marks.changed.insert(2)
        let text = sentence { () throws(InvariantViolation) in try marks.checkInvariants() }
        #expect(text == "PageMarks: 0 changed pages are counted of 1")
    }

    @Test("name a page that is copied and would be written once more")
    func trackedSlab() {
        var slab = TrackedSlab<EntryNumber, UInt64>()
        slab.startTracking()
        _ = slab.insert(1)
        slab.beginCheckpoint()
        slab.copy(0)
        let text = sentence { () throws(InvariantViolation) in try slab.checkInvariants() }
        #expect(text == "TrackedSlab: page 0 is copied, and would be written once more")
    }

    @Test("name a block of an arena that was freed twice")
    func arena() {
        var arena = ByteArena()
        _ = arena.allocate(8)
        let block = arena.allocate(8)
        arena.free(block, byteCount: 8)
        arena.free(block, byteCount: 8)
        let text = sentence { () throws(InvariantViolation) in try arena.checkInvariants() }
        #expect(text == "ByteArena: the free blocks of 8 bytes form a circle")
    }
}
#endif
