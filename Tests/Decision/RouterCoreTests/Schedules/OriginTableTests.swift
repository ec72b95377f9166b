import Basics
import ReloadScheduling
import TestSupport
import Testing

@testable import RouterCore

@Suite("The table of origins")
struct OriginTableTests {
    @Test("finds those at which a reload waits, in their order")
    func waiting() {
        var random = SeededGenerator(seed: 5)
        for count in [1, 63, 64, 65, 200] {
            var table = OriginTable()
            for origin in 0..<UInt32(count) {
                let key = HashKey(low: 2, high: 0)
                #expect(
                    table.append(Origin(nil, seed: 1, for: .only, hashKey: key))
                        == OriginID(rawValue: origin)
                )
            }
            var waiting: Set<OriginID> = []
            for _ in 0..<500 {
                let origin = OriginID(index: random.below(count))
                if Bool.random(using: &random) {
                    table.append(7, to: origin, rank: .other, fanOut: 1)
                    waiting.insert(origin)
                } else {
                    table.stopWaiting(origin)
                    waiting.remove(origin)
                }
                var found: [OriginID] = []
                var next = table.firstWaiting
                while let origin = next {
                    found.append(origin)
                    next = table.nextWaiting(after: origin)
                }
                #expect(found == waiting.sorted())
            }
        }
    }
}
