import Testing

@testable import RouterServer

@Suite("Connections that are not read from for a moment")
struct HeldConnectionsTests {
    private func order(_ held: inout HeldConnections) -> [UInt32] {
        var order: [UInt32] = []
        while held.count > 0 { order.append(held.removeFirst()) }
        return order
    }

    @Test("come in the order of their turns, and within one those first who have had nothing")
    func order() {
        var held = HeldConnections()
        held.append(7, isRefused: false)
        held.append(9, isRefused: true)
        held.append(8, isRefused: true)
        held.endRound()
        held.append(1, isRefused: true)
        held.append(2, isRefused: false)
        #expect(held.count == 3 && !held.isEmpty && held.totalCount == 5)
        held.endRound()
        #expect(order(&held) == [9, 8, 7, 1, 2])
        #expect(held.isEmpty && held.totalCount == 0)
    }

    @Test("go to the end when they are held again, so that everybody else comes before")
    func turns() {
        var held = HeldConnections()
        for slot in 0..<50 as Range<UInt32> { held.append(slot, isRefused: true) }
        held.endRound()
        var times = [Int](repeating: 0, count: 50)
        for _ in 0..<200 {
            // Each turn three of them are read from, and spend all they have.
            for _ in 0..<3 {
                let slot = held.removeFirst()
                times[Int(slot)] += 1
                held.append(slot, isRefused: false)
            }
            held.endRound()
        }
        #expect(times.allSatisfy { $0 == 12 })
    }

    @Test("rest beside the others until their time, and say when the first one's is")
    func rests() {
        var held = HeldConnections()
        held.append(3, isRefused: true)
        held.endRound()
        #expect(held.restEnd == nil)
        held.rest(1, until: 500)
        held.rest(2, until: 400)
        #expect(held.restEnd == 400 && held.count == 1 && held.totalCount == 3)
        held.wake(at: 399)
        #expect(held.count == 1)
        held.wake(at: 400)
        #expect(order(&held) == [3, 2] && held.restEnd == 500)
        #expect(held.isEmpty && held.totalCount == 1)
        held.wake(at: 1_000)
        #expect(order(&held) == [1] && held.restEnd == nil && held.totalCount == 0)
    }
}
