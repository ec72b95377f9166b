import Basics
import TestSupport
import Testing

@testable import RouterSimulation

@Suite("The queue of simulated time")
struct EventQueueTests {
    private func event(_ time: Milliseconds, _ target: UInt32) -> SimulationEvent {
        SimulationEvent(time: time, target: target, extra: 0, kind: .view)
    }

    @Test("gives events in order of their times, equal ones in the order they came")
    func order() {
        var queue = EventQueue(horizon: 100_000)
        for (number, at) in [5_010, 20, 5_010, 20, 99_990, 1_000].enumerated() {
            queue.insert(event(.milliseconds(Int64(at)), UInt32(number)))
        }
        var order: [UInt32] = []
        while let tick = queue.nextTick(before: .max) {
            queue.advance(to: tick)
            while let event = queue.popFirst() { order.append(event.target) }
        }
        #expect(order == [1, 3, 5, 0, 2, 4])
    }

    @Test("goes to a moment without events, and takes what is put there")
    func empty() {
        var queue = EventQueue(horizon: 100_000)
        queue.insert(event(50_000, 1))
        #expect(queue.nextTick(before: 7_000) == nil)
        queue.advance(to: 7_000)
        #expect(queue.popFirst() == nil)
        queue.insert(event(7_010, 2))
        queue.insert(event(8_000, 3))
        #expect(queue.nextTick(before: 9_000) == 7_010)
        queue.advance(to: 7_010)
        #expect(queue.popFirst()?.target == 2)
        #expect(queue.nextTick(before: .max) == 8_000)
    }

    @Test("drops what lies after the horizon")
    func horizon() {
        var queue = EventQueue(horizon: 10_000)
        queue.insert(event(11_000, 1))
        #expect(queue.nextTick(before: .max) == nil)
    }

    @Test("agrees with sorting, whatever comes in between", arguments: [1, 2, 3] as [UInt64])
    func agreesWithSorting(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = EventQueue(horizon: 60_000)
        var model: [(at: Milliseconds, target: UInt32)] = []
        var now = Milliseconds.zero
        for number in 0..<5_000 as Range<UInt32> {
            let ticks: Int64 = (now + 10 + Milliseconds(random.below(5_000))) / EventQueue.tick
            let at = EventQueue.tick * ticks
            if at < 60_000 {
                queue.insert(event(at, number))
                model.append((at, number))
            }
            if random.below(3) > 0 { continue }
            let limit = now + 10 + Milliseconds(random.below(100)) * 10
            let next = queue.nextTick(before: limit) ?? limit
            let due = model.filter { $0.at <= next }
            #expect(due.allSatisfy { $0.at == next }, "seed \(seed)")
            now = next
            queue.advance(to: now)
            for expected in due { #expect(queue.popFirst()?.target == expected.target) }
            #expect(queue.popFirst() == nil, "seed \(seed)")
            model.removeAll { $0.at <= now }
        }
        var left = 0
        while let tick = queue.nextTick(before: .max) {
            queue.advance(to: tick)
            while queue.popFirst() != nil { left += 1 }
        }
        #expect(left == model.count, "seed \(seed)")
    }
}
