import Basics
import TestSupport
import Testing
import WidgetMatching

@testable import RouterCore

@Suite("A fan-out")
struct FanOutTests {
    @Test("gives its matches back in their order, in whichever portions they are taken")
    func order() {
        let fanOut = FanOut(source: .producer(0), arrival: 0, seed: DecisionSeed(1))
        var random = SeededGenerator(seed: 1)
        var added: UInt32 = 0
        var taken: UInt32 = 0
        while taken < 200_000 {
            var left = min(random.below(20_000), Int(200_000 - added))
            while left > 0 {
                let count = min(left, 1 + random.below(3_000))
                let found = (added..<added + UInt32(count)).map {
                    WidgetMatch(widget: WidgetID(rawValue: $0), tag: $0 % 32)
                }
                fanOut.append(contentsOf: found.span)
                added += UInt32(count)
                left -= count
            }
            var most = min(random.below(20_000), fanOut.count)
            while most > 0 {
                let matches = fanOut.removeFirst(atMost: most)
                #expect(!matches.isEmpty && matches.count <= most)
                most -= matches.count
                let isNext = matches.enumerated().allSatisfy { offset, match in
                    let number = taken + UInt32(offset)
                    return match
                        == WidgetMatch(widget: WidgetID(rawValue: number), tag: number % 32)
                }
                #expect(isNext, "behind \(taken) matches")
                taken += UInt32(matches.count)
            }
            #expect(fanOut.count == Int(added - taken))
        }
        #expect(added == taken)
    }

    @Test("is not over while others are before it, and knows what changed after its pushes")
    func queue() {
        var queue = FanOutQueue()
        queue.removed(7, after: 5)
        #expect(queue.changeCount == 0, "nothing waits that could name the widget")
        for producer in [0, 1] as [ProducerID] {
            queue.append(
                FanOut(source: .producer(producer), arrival: 0, seed: DecisionSeed(1))
            )
            queue.append(contentsOf: [WidgetMatch(widget: 7, tag: 0)].span)
        }
        queue.removed(7, after: 5)
        queue.replaced(8, after: 6)
        #expect(queue.isRemoved(7, since: 5) && !queue.isRemoved(7, since: 6))
        #expect(queue.isReplaced(8, since: 6) && !queue.isReplaced(8, since: 7))
        #expect(!queue.isReplaced(7, since: 1) && !queue.isRemoved(8, since: 1))
        #expect(queue.removeFirst(atMost: 9).count == 1 && queue.first?.source == .producer(0))
        queue.endFirst()
        #expect(queue.first?.source == .producer(1) && queue.has(.producer(1)))
        #expect(queue.matchCount == 1 && queue.changeCount == 2 && !queue.has(.producer(0)))
        queue.dropLast()
        #expect(queue.isEmpty && queue.matchCount == 0 && queue.changeCount == 0)
    }
}
