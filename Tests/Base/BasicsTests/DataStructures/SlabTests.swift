import Basics
import TestSupport
import Testing

@Suite("A slab")
struct SlabTests {
    @Test("assigns slots in order, and the lowest removed one first")
    func order() {
        var slab = Slab<EntryNumber, Int>()
        for number in 0..<5 {
            let slot = slab.insert(number * 10)
            #expect(slot == EntryNumber(number))
        }
        slab.remove(1)
        slab.remove(3)
        slab.remove(0)
        let next = slab.nextSlot
        #expect(next == 0)
        let slots = [slab.insert(1), slab.insert(11), slab.insert(31), slab.insert(50)]
        #expect(slots == [0, 1, 3, 5])
        let values = (0..<6).map { slab[EntryNumber($0)] }
        #expect(values == [1, 11, 20, 31, 40, 50])
        let size = (slab.count, slab.end, slab.nextSlot)
        #expect(size == (6, 6, 6))
    }

    @Test("stores at a slot that is asked for, and later uses those that were skipped")
    func insertAtSlot() {
        var slab = Slab<EntryNumber, Int>()
        slab.insert(50, at: 5_000)
        let size = (slab.count, slab.end)
        #expect(size == (1, 5_001))
        let uses = [slab.isInUse(4_999), slab.isInUse(5_000), slab.isInUse(5_001)]
        #expect(uses == [false, true, false])
        slab.insert(20, at: 2)
        slab.insert(51, at: 5_001)
        let slots = [slab.insert(0), slab.insert(10), slab.insert(30)]
        #expect(slots == [0, 1, 3])
        let values = [0, 1, 2, 3, 4, 4_999, 5_000, 5_001].map { slab[EntryNumber($0)] }
        #expect(values == [0, 10, 20, 30, 50, 50, 50, 51])
    }

    #if os(Linux)
    @Test("refuses to store at a slot that is in use")
    func insertAtUsedSlot() async {
        await #expect(processExitsWith: .failure) {
            var slab = Slab<EntryNumber, Int>()
            slab.insert(1, at: slab.insert(0))
        }
    }
    #endif

    @Test(
        "gives those that have the same slots in use the same next ones, however they came to be",
        arguments: [1, 2, 3] as [UInt64]
    )
    func history(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var slab = Slab<EntryNumber, UInt64>()
        var used: [EntryNumber] = []
        for _ in 0..<20_000 {
            if used.isEmpty || random.below(5) < 3 {
                used.append(slab.insert(0))
            } else {
                used.swapAt(random.below(used.count), used.count - 1)
                slab.remove(used.removeLast())
            }
        }
        var other = Slab<EntryNumber, UInt64>()
        for slot in used.shuffled(using: &random) { other.insert(0, at: slot) }
        var isSame = true
        for _ in 0..<30_000 { isSame = isSame && slab.insert(1) == other.insert(1) }
        #expect(isSame, "seed \(seed)")
        let counts = (slab.count, other.count)
        #expect(counts.0 == counts.1, "seed \(seed)")
    }

    @Test("never moves an element while it grows over many chunks")
    func elementsStay() {
        var slab = Slab<EntryNumber, UInt64>()
        _ = slab.insert(7)
        let before = address(&slab)
        for number in 1..<100_000 { _ = slab.insert(UInt64(number)) }
        let after = address(&slab)
        #expect(before == after)
        var isKept = slab[0] == 7
        for number in 1..<100_000 { isKept = isKept && slab[EntryNumber(number)] == UInt64(number) }
        #expect(isKept)
    }

    @Test("fills the slots that it is asked to reserve")
    func reserve() {
        var slab = Slab<EntryNumber, Int32>()
        slab.reserve(through: 9_999, filling: -1)
        var areFilled = true
        for slot in slab.ids { areFilled = areFilled && slab[slot] == -1 }
        #expect(areFilled)
        slab[5] = 5
        slab.reserve(through: 100, filling: 0)
        let (kept, end) = (slab[5], slab.end)
        #expect(kept == 5 && end == 10_000)
    }

    @Test(
        "holds what a dictionary holds, whatever is inserted, changed and removed",
        arguments: [1, 2, 3] as [UInt64]
    )
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var slab = Slab<EntryNumber, UInt64>()
        var model: [EntryNumber: UInt64] = [:]
        var slots: [EntryNumber] = []
        for step in 0..<50_000 {
            let value = random.next()
            switch random.below(slots.isEmpty ? 1 : 5) {
            case 0, 1:
                let slot: EntryNumber
                if random.below(10) == 0 {
                    slot = EntryNumber(random.below(30_000))
                    if slab.isInUse(slot) { continue }
                    slab.insert(value, at: slot)
                } else {
                    slot = slab.insert(value)
                }
                #expect(model[slot] == nil, "seed \(seed), step \(step): the slot is in use")
                model[slot] = value
                slots.append(slot)
            case 2:
                let slot = slots[random.below(slots.count)]
                slab[slot] = value
                model[slot] = value
            case 3:
                let slot = slots[random.below(slots.count)]
                let found = slab[slot]
                #expect(found == model[slot], "seed \(seed), step \(step)")
            default:
                let slot = slots.remove(at: random.below(slots.count))
                slab.remove(slot)
                model[slot] = nil
            }
        }
        let count = slab.count
        #expect(count == model.count, "seed \(seed)")
        for (slot, value) in model where slab[slot] != value {
            Issue.record("seed \(seed): slot \(slot) lost its value")
        }
    }

    @Test("asks for no more memory when removed slots are used again")
    func memoryIsBounded() {
        var slab = Slab<EntryNumber, UInt64>()
        for _ in 0..<10_000 { _ = slab.insert(1) }
        for slot in slab.ids { slab.remove(slot) }
        let before = slab.byteCount
        for _ in 0..<20 {
            var slots: [EntryNumber] = []
            for _ in 0..<10_000 { slots.append(slab.insert(2)) }
            for slot in slots { slab.remove(slot) }
        }
        let after = slab.byteCount
        #expect(after == before)
    }

    private func address(_ slab: inout Slab<EntryNumber, UInt64>) -> UInt {
        unsafe withUnsafePointer(to: &slab[0]) { UInt(bitPattern: $0) }
    }
}
