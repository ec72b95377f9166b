import Basics
import TestSupport
import Testing

@testable import RouterServer

@Suite("Connections that are not read from for a moment")
struct PausedConnectionsTests {
    private func order(_ waiting: inout PausedConnections) -> [ConnectionSlot] {
        var order: [ConnectionSlot] = []
        while waiting.count > 0 { order.append(waiting.removeFirst()) }
        return order
    }

    @Test("come in the order of ticks, and within one those first that were not served")
    func order() {
        var waiting = PausedConnections()
        waiting.append(7, isRefused: false)
        waiting.append(9, isRefused: true)
        waiting.append(8, isRefused: true)
        waiting.endRound()
        waiting.append(1, isRefused: true)
        waiting.append(2, isRefused: false)
        #expect(waiting.count == 3 && !waiting.isEmpty && waiting.totalCount == 5)
        waiting.endRound()
        #expect(order(&waiting) == [9, 8, 7, 1, 2])
        #expect(waiting.isEmpty && waiting.totalCount == 0)
    }

    @Test("go to the end when they are paused again, after all others")
    func ticks() {
        var waiting = PausedConnections()
        for slot in NumberRange<ConnectionSlot>(count: 50) { waiting.append(slot, isRefused: true) }
        waiting.endRound()
        var times = [Int](repeating: 0, count: 50)
        for _ in 0..<200 {
            // Each turn three of them are read from, and spend all they have.
            for _ in 0..<3 {
                let slot = waiting.removeFirst()
                times[slot.index] += 1
                waiting.append(slot, isRefused: false)
            }
            waiting.endRound()
        }
        #expect(times.allSatisfy { $0 == 12 })
    }

    @Test("rest beside the others until their time, and say when the first one's is")
    func rests() {
        var waiting = PausedConnections()
        waiting.append(3, isRefused: true)
        waiting.endRound()
        #expect(waiting.restEnd == nil)
        waiting.rest(1, until: 500)
        waiting.rest(2, until: 400)
        #expect(waiting.restEnd == 400 && waiting.count == 1 && waiting.totalCount == 3)
        waiting.wake(at: 399)
        #expect(waiting.count == 1)
        waiting.wake(at: 400)
        #expect(order(&waiting) == [3, 2] && waiting.restEnd == 500)
        #expect(waiting.isEmpty && waiting.totalCount == 1)
        waiting.wake(at: 1_000)
        #expect(order(&waiting) == [1] && waiting.restEnd == nil && waiting.totalCount == 0)
    }
}
