import Basics
import Foundation
import TestSupport
import Testing

@testable import WidgetFleet

@Suite("The pushes that wait")
struct PushQueueTests {
    private func queue(_ count: Int) throws -> PushQueue {
        let scenario = try FleetScenario(
            json: Data(
                """
                {"name":"q","app":"a","bundle":"b","devices":1,"seconds":10,
                 "values":{"hp":{"from":1,"to":1000000}},"widgets":[{"kind":"k"}],
                 "pushes":[{"from":1,"count":\(count),"payload":{"hp":"${hp}"},
                            "concerns":[{"kind":"k"}]}]}
                """.utf8
            )
        )
        return PushQueue(scenario, seed: 7)
    }

    @Test("go out in their order when they are due, as long as there is room")
    func order() throws {
        var queue = try queue(5)
        queue.make(until: 999_999_999, start: 0, wall: 0)
        #expect(queue.isEmpty && queue.next == 1_000_000_000)
        queue.make(until: 1_500_000_000, start: 500_000_000, wall: 0)
        #expect(!queue.isEmpty && queue.next == nil)
        var seen: [[UInt8]] = []
        var times: Set<ExactTime> = []
        for room in [0, 2, 9] {
            var left = room
            let isSent = queue.send { entry in
                if left == 0 { return false }
                left -= 1
                seen.append(entry.message.payload)
                times.insert(entry.time)
                return true
            }
            #expect(isSent == (room > 0))
        }
        #expect(queue.isEmpty && seen.count == 5 && times == [1_500_000_000])
        // The same in one go.
        var again = try self.queue(5)
        again.make(until: 1_000_000_000, start: 0, wall: 0)
        var all: [[UInt8]] = []
        _ = again.send { entry in
            all.append(entry.message.payload)
            return true
        }
        #expect(all == seen && Set(all).count == 5)
    }

    @Test("are no more than their limit; the rest is made later, and was due at its time")
    func limit() throws {
        var queue = try queue(PushQueue.limit + 10)
        queue.make(until: 1_000_000_000, start: 0, wall: 0)
        #expect(queue.next == 1_000_000_000)
        var count = 0
        _ = queue.send { _ in
            count += 1
            return true
        }
        #expect(count == PushQueue.limit && queue.isEmpty)
        queue.make(until: 5_000_000_000, start: 0, wall: 0)
        var late: [ExactTime] = []
        _ = queue.send { entry in
            late.append(entry.time)
            return true
        }
        #expect(late == Array(repeating: 1_000_000_000, count: 10) && queue.next == nil)
    }
}
