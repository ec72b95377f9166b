import Platform
import Testing

@testable import RouterServer

@Suite("Work for the loop on another thread")
struct WorkQueueTests {
    /// Lets the thread begin its work when the test says so, and the test wait for the results.
    private final class Gate: @unchecked Sendable {
        // Unchecked: the vars are used under the monitor.
        private let monitor = Monitor()
        private var isOpen: Bool
        private var begun = 0
        private var wakes = 0

        init(isOpen: Bool) { self.isOpen = isOpen }

        func open() {
            monitor.locked {
                isOpen = true
                monitor.wake()
            }
        }

        func pass() {
            monitor.locked {
                begun += 1
                monitor.wake()
                while !isOpen { monitor.wait() }
            }
        }

        func wake() {
            monitor.locked {
                wakes += 1
                monitor.wake()
            }
        }

        func waitForBegin() { monitor.locked { while begun == 0 { monitor.wait() } } }

        func waitForWakes(_ count: Int) {
            monitor.locked { while wakes < count { monitor.wait() } }
        }
    }

    private func queue(limit: Int = 100, _ gate: Gate) -> WorkQueue<Int, Int> {
        WorkQueue(
            limit: limit,
            wake: { gate.wake() },
            work: { input in
                gate.pass()
                return input * 10
            }
        )
    }

    @Test func `Results come in the order of the inputs, and once`() {
        let gate = Gate(isOpen: true)
        let queue = queue(gate)
        #expect(queue.takeResults().isEmpty)
        for input in 1...50 { #expect(queue.add(input)) }
        gate.waitForWakes(50)
        #expect(queue.takeResults() == (1...50).map { $0 * 10 })
        #expect(queue.takeResults().isEmpty)
        queue.close()
        queue.close()
    }

    @Test func `Inputs beyond the limit are refused`() {
        let gate = Gate(isOpen: false)
        let queue = queue(limit: 2, gate)
        #expect(queue.add(1))
        gate.waitForBegin()
        #expect(queue.add(2))
        #expect(queue.add(3))
        #expect(!queue.add(4))
        gate.open()
        gate.waitForWakes(3)
        #expect(queue.add(5))
        gate.waitForWakes(4)
        #expect(queue.takeResults() == [10, 20, 30, 50])
        queue.close()
    }

    @Test func `What waits can be removed, and what has begun is finished`() {
        let gate = Gate(isOpen: false)
        let queue = queue(gate)
        #expect(queue.add(1))
        gate.waitForBegin()
        for input in 2...6 { #expect(queue.add(input)) }
        queue.remove { $0.isMultiple(of: 2) }
        queue.remove { $0 == 1 }
        gate.open()
        gate.waitForWakes(3)
        #expect(queue.takeResults() == [10, 30, 50])
        queue.close()
    }

    @Test func `Its end waits for the work that has begun, and leaves no results`() {
        let gate = Gate(isOpen: true)
        let queue = queue(gate)
        for input in 1...3 { #expect(queue.add(input)) }
        gate.waitForBegin()
        queue.close()
        #expect(queue.takeResults().isEmpty)
    }
}
