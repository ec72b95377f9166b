import ByteStorage
import TestSupport
import Testing

@Suite("A slab")
struct SlabTests {
    @Test("hands out slots in order and the last removed one first")
    func order() {
        var slab = Slab<Int>()
        for number in 0..<5 {
            let slot = slab.insert(number * 10)
            #expect(slot == UInt32(number))
        }
        slab.remove(1)
        slab.remove(3)
        let slots = [slab.insert(31), slab.insert(11), slab.insert(50)]
        #expect(slots == [3, 1, 5])
        let values = (0..<6).map { slab[UInt32($0)] }
        #expect(values == [0, 11, 20, 31, 40, 50])
        let size = (slab.count, slab.end)
        #expect(size == (6, 6))
    }

    @Test("never moves an element while it grows over many chunks")
    func elementsStay() {
        var slab = Slab<UInt64>()
        _ = slab.insert(7)
        let before = address(&slab)
        for number in 1..<100_000 { _ = slab.insert(UInt64(number)) }
        let after = address(&slab)
        #expect(before == after)
        var isKept = slab[0] == 7
        for number in 1..<100_000 { isKept = isKept && slab[UInt32(number)] == UInt64(number) }
        #expect(isKept)
    }

    @Test("fills the slots that it is asked to reserve")
    func reserve() {
        var slab = Slab<Int32>()
        slab.reserve(through: 9_999, filling: -1)
        var areFilled = true
        for slot in 0..<UInt32(10_000) { areFilled = areFilled && slab[slot] == -1 }
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
        var slab = Slab<UInt64>()
        var model: [UInt32: UInt64] = [:]
        var slots: [UInt32] = []
        for step in 0..<50_000 {
            let value = random.next()
            switch random.below(slots.isEmpty ? 1 : 5) {
            case 0, 1:
                let slot = slab.insert(value)
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
        var slab = Slab<UInt64>()
        for _ in 0..<10_000 { _ = slab.insert(1) }
        for slot in 0..<UInt32(10_000) { slab.remove(slot) }
        let before = slab.byteCount
        for _ in 0..<20 {
            var slots: [UInt32] = []
            for _ in 0..<10_000 { slots.append(slab.insert(2)) }
            for slot in slots { slab.remove(slot) }
        }
        let after = slab.byteCount
        #expect(after == before)
    }

    private func address(_ slab: inout Slab<UInt64>) -> UInt {
        unsafe withUnsafePointer(to: &slab[0]) { UInt(bitPattern: $0) }
    }
}
