import DataStructures
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
            for origin in 0..<count {
                let key = HashKey(low: 2, high: 0)
                #expect(table.append(Origin(nil, seed: 1, hashKey: key)) == origin)
            }
            var waiting: Set<UInt32> = []
            for _ in 0..<500 {
                let origin = UInt32.random(in: 0..<UInt32(count), using: &random)
                if Bool.random(using: &random) {
                    table.append(7, to: origin, rank: .other, fanOut: 1)
                    waiting.insert(origin)
                } else {
                    table.stopWaiting(origin)
                    waiting.remove(origin)
                }
                var found: [UInt32] = []
                var next = table.nextWaiting(from: 0)
                while let origin = next {
                    found.append(origin)
                    next = table.nextWaiting(from: origin + 1)
                }
                #expect(found == waiting.sorted())
            }
        }
    }
}
