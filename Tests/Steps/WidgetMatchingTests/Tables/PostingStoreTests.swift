import Basics
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("Posting lists")
struct PostingStoreTests {
    private static func all(_ store: borrowing PostingStore, _ list: PostingList) -> [Posting] {
        var postings: [Posting] = []
        while postings.count < list.count {
            let run = store.run(list, from: postings.count)
            for index in 0..<run.count { postings.append(run[index]) }
        }
        return postings
    }

    @Test("A list holds what was put in, and says which posting moves", arguments: [3, 40, 9_000])
    func model(most: Int) {
        var random = SeededGenerator(seed: UInt64(most))
        var store = PostingStore()
        var expected = (0..<2).map { Posting(WidgetID(index: $0), needsCheck: true) }
        var list = store.makeList(of: expected[0], and: expected[1])
        for step in 0..<most * 6 {
            // Grows and shrinks in turns, so that every size class is passed both ways.
            let grows = step / most % 2 == 0
            if expected.count == 2 || random.below(10) < (grows ? 8 : 2) {
                let posting = Posting(WidgetID(index: step), needsCheck: random.below(2) == 0)
                #expect(store.append(posting, to: &list) == PostingPosition(expected.count))
                expected.append(posting)
            } else {
                let position = random.below(expected.count)
                let last = expected.removeLast()
                let isLast = position == expected.count
                if !isLast { expected[position] = last }
                #expect(
                    store.remove(PostingPosition(position), from: &list) == (isLast ? nil : last)
                )
            }
            #expect(list.count == expected.count)
            if step % max(1, most / 10) == 0 { #expect(Self.all(store, list) == expected) }
        }
        while list.count > 1 {
            let moved = store.remove(PostingPosition(0), from: &list)
            #expect(moved == expected.removeLast())
            expected[0] = moved!
        }
        #expect(store.free(list) == expected[0])
        #expect(store.usedByteCount == 0)
    }

    @Test("A list of half a million lies in blocks, and gives them back")
    func directory() {
        var store = PostingStore()
        let count = 500_000
        var expected = (0..<2).map { Posting(WidgetID(index: $0), needsCheck: $0 == 0) }
        var list = store.makeList(of: expected[0], and: expected[1])
        for number in 2..<count {
            let posting = Posting(WidgetID(index: number), needsCheck: number % 3 == 0)
            _ = store.append(posting, to: &list)
            expected.append(posting)
        }
        #expect(Self.all(store, list) == expected)
        let used = store.usedByteCount
        #expect(used < count * 4 + 4 << 18)
        // To and fro over the end of a block must not free and fetch it each time.
        for _ in 0..<3 {
            let block = 1 << PostingStore.blockShift
            while list.count > block - 2 {
                _ = store.remove(PostingPosition(list.count - 1), from: &list)
                expected.removeLast()
            }
            #expect(Self.all(store, list) == expected)
            while list.count < block * 2 + 2 {
                let posting = Posting(WidgetID(index: Int(list.count)), needsCheck: false)
                _ = store.append(posting, to: &list)
                expected.append(posting)
            }
            #expect(Self.all(store, list) == expected)
        }
        while list.count > 1 {
            let position = list.count / 2
            let last = list.count - 1
            let moved = store.remove(PostingPosition(position), from: &list)
            #expect((moved == nil) == (position == last))
        }
        _ = store.free(list)
        #expect(store.usedByteCount == 0)
    }
}
