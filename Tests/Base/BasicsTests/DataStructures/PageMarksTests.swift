import Basics
import TestSupport
import Testing

@Suite("Page marks")
struct PageMarksTests {
    @Test("want nothing copied and take no memory before tracking starts")
    func idle() {
        var marks = PageMarks()
        marks.grow(to: 1_000)
        let isWanted = marks.copyBeforeWrite(3)
        let (bytes, pages, isTracking) = (marks.byteCount, marks.pageCount, marks.isTracking)
        #expect(!isWanted && bytes == 0 && pages == 0 && !isTracking)
    }

    @Test("owe the first checkpoint every page, and the next one what has changed since")
    func unwritten() {
        var marks = PageMarks()
        marks.startTracking(pageCount: 130)
        marks.beginCheckpoint()
        #expect(drain(&marks) == Array(0..<130))
        for page in [129, 64, 64, 0] as [UInt32] {
            let isWanted = marks.copyBeforeWrite(page)
            #expect(!isWanted)
        }
        marks.beginCheckpoint()
        #expect(drain(&marks) == [0, 64, 129])
        marks.beginCheckpoint()
        #expect(drain(&marks) == [])
    }

    @Test("ask for one copy of an unwritten page, before its first change")
    func copyOnce() {
        var marks = PageMarks()
        marks.startTracking(pageCount: 10)
        marks.beginCheckpoint()
        let (first, again) = (marks.copyBeforeWrite(4), marks.copyBeforeWrite(4))
        #expect(first && !again)
        marks.markWritten(5)
        let isWantedAfterSaving = marks.copyBeforeWrite(5)
        #expect(!isWantedAfterSaving)
        let unwritten = marks.unwrittenCount
        #expect(unwritten == 8)
        #expect(drain(&marks) == [0, 1, 2, 3, 6, 7, 8, 9])
        marks.beginCheckpoint()
        #expect(drain(&marks) == [4, 5])
    }

    @Test("owe new pages to the next checkpoint and not to the one under way")
    func growth() {
        var marks = PageMarks()
        marks.startTracking(pageCount: 1)
        marks.beginCheckpoint()
        marks.grow(to: 3)
        let isWanted = marks.copyBeforeWrite(2)
        #expect(!isWanted)
        #expect(drain(&marks) == [0])
        marks.beginCheckpoint()
        #expect(drain(&marks) == [1, 2])
    }

    @Test("begin a checkpoint of ten million pages, and find the last one")
    func tenMillion() {
        var marks = PageMarks()
        marks.startTracking(pageCount: 10_000_000)
        marks.beginCheckpoint()
        let unwritten = marks.unwrittenCount
        #expect(unwritten == 10_000_000)
        marks.abandonCheckpoint()
        let changed = marks.changedCount
        #expect(changed == 10_000_000)
        marks.beginCheckpoint()
        var page: UInt32 = 0
        while let next = marks.nextUnwrittenPage(from: page) {
            marks.markWritten(next)
            page = next + 1
        }
        let left = (page, marks.unwrittenCount)
        #expect(left == (10_000_000, 0))
        _ = marks.copyBeforeWrite(9_999_999)
        marks.beginCheckpoint()
        let last = marks.nextUnwrittenPage(from: 0)
        #expect(last == 9_999_999)
        // Three bits a page, and room for as many again as there were when they last grew.
        let bytes = marks.byteCount
        #expect(bytes <= 3 * 2 * 10_000_000 / 8)
    }

    @Test("are what sets of pages say", arguments: 1...4 as ClosedRange<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var marks = PageMarks()
        var model = PageSets(pageCount: 1)
        marks.startTracking(pageCount: 1)
        for step in 0..<20_000 {
            let page = UInt32(random.below(Int(model.pageCount)))
            switch random.below(100) {
            case 0 where model.pageCount < 700:
                let pages = model.pageCount + UInt32(random.below(40))
                marks.grow(to: pages)
                model.grow(to: pages)
            case 1 where model.unwritten.isEmpty:
                marks.beginCheckpoint()
                model.begin()
            case 2 where random.below(5) == 0:
                marks.abandonCheckpoint()
                model.abandon()
            case 3...50:
                let found = marks.nextUnwrittenPage(from: page)
                let expected = model.unwritten.filter { $0 >= page }.min()
                #expect(found == expected, "seed \(seed), step \(step)")
                if let found {
                    marks.markWritten(found)
                    model.unwritten.remove(found)
                }
            default:
                let (isWanted, expected) = (
                    marks.copyBeforeWrite(page), model.copyBeforeWrite(page)
                )
                #expect(isWanted == expected, "seed \(seed), step \(step)")
            }
            let counts = (marks.changedCount, marks.unwrittenCount)
            #expect(
                counts == (model.changed.count, model.unwritten.count),
                "seed \(seed), step \(step)"
            )
        }
    }

    private func drain(_ marks: inout PageMarks) -> [UInt32] {
        var pages: [UInt32] = []
        while let page = marks.nextUnwrittenPage(from: 0) {
            pages.append(page)
            marks.markWritten(page)
        }
        return pages
    }
}

/// What `PageMarks` keeps, as sets.
private struct PageSets {
    var pageCount: UInt32
    var changed: Set<UInt32>
    var begun: Set<UInt32> = []
    var unwritten: Set<UInt32> = []

    init(pageCount: UInt32) {
        self.pageCount = pageCount
        changed = Set(0..<pageCount)
    }

    mutating func grow(to pages: UInt32) {
        changed.formUnion(pageCount..<pages)
        pageCount = pages
    }

    mutating func copyBeforeWrite(_ page: UInt32) -> Bool {
        changed.insert(page)
        return unwritten.remove(page) != nil
    }

    mutating func begin() {
        (begun, unwritten, changed) = (changed, changed, [])
    }

    mutating func abandon() {
        changed.formUnion(begun)
        begun = []
        unwritten = []
    }
}
