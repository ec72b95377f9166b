import TestSupport
import Testing

@testable import Basics

@Suite("A tracked slab")
struct TrackedSlabTests {
    @Test("is a slab while nothing is tracked")
    func untracked() {
        var slab = TrackedSlab<EntryNumber, UInt64>()
        for number in 0..<200 as Range<UInt64> {
            let slot = slab.insert(number)
            #expect(slot == EntryNumber(number))
        }
        slab.remove(7)
        slab.remove(3)
        let again = slab.insert(30)
        #expect(again == 3)
        slab[5] = 50
        slab.reserve(through: 299, filling: 9)
        slab.insert(11, at: 301)
        let values = [3, 5, 6, 299, 300, 301].map { slab[EntryNumber($0)] }
        #expect(values == [30, 50, 6, 9, 11, 11])
        let size = (slab.count, slab.end, slab.isInUse(7), slab.isInUse(300))
        #expect(size == (300, 302, false, false))
        let tracked = (slab.marks.isTracking, slab.unwrittenPageCount, slab.marks.changedCount)
        #expect(tracked == (false, 0, 0))
    }

    @Test("returns what it was when the checkpoint began, copies first, then the rest in order")
    func checkpoint() {
        var slab = TrackedSlab<EntryNumber, UInt64>()
        for number in 0..<200 as Range<UInt64> { _ = slab.insert(number) }
        slab.startTracking()
        slab.beginCheckpoint()
        slab[130] = 0
        slab.remove(131)
        slab.remove(198)
        _ = slab.insert(0)
        for _ in 0..<100 { _ = slab.insert(0) }
        var numbers: [UInt32] = []
        while let page = slab.nextUnwritten() {
            numbers.append(page.number)
            #expect(page.count == (page.number == 3 ? 8 : 64))
            for index in 0..<page.count {
                #expect(page[index] == UInt64(SlabPages.first(of: page.number)) + UInt64(index))
            }
        }
        #expect(numbers == [3, 2, 0, 1])
        slab.beginCheckpoint()
        numbers = []
        while let page = slab.nextUnwritten() { numbers.append(page.number) }
        #expect(numbers == [2, 3, 4])
    }

    @Test("gives back the memory that a checkpoint's copies took")
    func copiesAreBounded() {
        var slab = TrackedSlab<EntryNumber, UInt64>()
        slab.reserve(through: 999_999, filling: 1)
        slab.startTracking()
        let before = slab.byteCount
        slab.beginCheckpoint()
        for slot in stride(from: 0, to: 1_000_000, by: 64) { slab[EntryNumber(slot)] = 2 }
        let between = (slab.byteCount, slab.unwrittenPageCount)
        #expect(between.0 >= before + 8_000_000 && between.1 == 15_625)
        while slab.nextUnwritten() != nil {}
        let after = slab.byteCount
        #expect(after < before + 1_000_000)
    }

    @Test(
        "gives checkpoints that together are what it was, whatever changes while they are taken",
        arguments: 1...12 as ClosedRange<UInt64>
    )
    func model(seed: UInt64) {
        var run = TrackedSlabRun(seed: seed)
        for _ in 0..<30_000 { run.step() }
        #expect(run.finished > 10, "seed \(seed): checkpoints were finished")
        #expect(run.abandoned > 3, "seed \(seed): checkpoints were abandoned")
        #expect(run.copied > 100, "seed \(seed): pages changed while they were owed")
    }
}

/// A tracked slab under random changes, and the pages that its checkpoints have handed out.
private struct TrackedSlabRun: ~Copyable {
    let seed: UInt64
    private var random: SeededGenerator
    private var slab = TrackedSlab<EntryNumber, UInt64>()
    private var used: [EntryNumber] = []
    /// What finished checkpoints have of each page, and what the one under way has.
    private var saved: [UInt32: ContiguousArray<UInt64>] = [:]
    private var taken: [UInt32: ContiguousArray<UInt64>]?
    /// What the slab was when the checkpoint under way began.
    private var expected: [UInt32: ContiguousArray<UInt64>] = [:]
    private(set) var finished = 0
    private(set) var abandoned = 0
    private(set) var copied = 0

    init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        for _ in 0..<random.below(500) { used.append(slab.insert(random.next())) }
        slab.startTracking()
    }

    mutating func step() {
        switch random.below(100) {
        case 0: checkpoint()
        case 1 where taken != nil && random.below(10) == 0: abandon()
        case 2...9: if taken != nil { take(1 + random.below(3)) }
        case 10...29: insert()
        case 30...46 where !used.isEmpty: remove()
        default: change()
        }
    }

    // MARK: - Changes

    private mutating func change() {
        if used.isEmpty { return }
        // Most changes come to the same few pages.
        let range = random.below(4) == 0 ? used.count : 1 + used.count / 8
        let position = random.below(range)
        let unwritten = slab.unwrittenPageCount
        let changed = slab.marks.changedCount
        slab[used[position]] = random.next()
        #expect(
            slab.unwrittenPageCount == unwritten,
            "seed \(seed): a copy is owed as its page was"
        )
        if slab.marks.changedCount > changed && unwritten > 0 { copied += 1 }
    }

    private mutating func insert() {
        switch random.below(60) {
        case 0:
            let slot = EntryNumber(Int(slab.end) + random.below(150))
            slab.insert(random.next(), at: slot)
            used.append(slot)
        case 1:
            let slot = EntryNumber(Int(slab.end) + random.below(150))
            used += (Int(slab.end)...slot.index).map { EntryNumber($0) }
            slab.reserve(through: slot, filling: random.next())
        case 2...10:
            let slot = EntryNumber(random.below(Int(slab.end) + 1))
            if slab.isInUse(slot) { return }
            slab.insert(random.next(), at: slot)
            used.append(slot)
        default:
            used.append(slab.insert(random.next()))
        }
    }

    private mutating func remove() {
        used.swapAt(random.below(used.count), used.count - 1)
        slab.remove(used.removeLast())
    }

    // MARK: - Checkpoints

    private mutating func checkpoint() {
        if taken != nil { return }
        expected = image()
        taken = [:]
        slab.beginCheckpoint()
    }

    private mutating func take(_ pages: Int) {
        for _ in 0..<pages {
            guard let page = slab.nextUnwritten() else { return finish() }
            #expect(taken?[page.number] == nil, "seed \(seed): a page is returned once")
            taken?[page.number] = ContiguousArray((0..<page.count).map { page[$0] })
        }
    }

    private mutating func finish() {
        saved.merge(taken ?? [:]) { $1 }
        taken = nil
        finished += 1
        #expect(slab.unwrittenPageCount == 0, "seed \(seed)")
        #expect(saved == expected, "seed \(seed), checkpoint \(finished)")
    }

    private mutating func abandon() {
        slab.abandonCheckpoint()
        #expect(slab.unwrittenPageCount == 0, "seed \(seed)")
        taken = nil
        abandoned += 1
    }

    /// The slab as it is.
    private func image() -> [UInt32: ContiguousArray<UInt64>] {
        var pages: [UInt32: ContiguousArray<UInt64>] = [:]
        for slot in slab.ids { pages[slot.rawValue >> 6, default: []].append(slab[slot]) }
        return pages
    }
}
