internal import Basics
internal import Platform

/// An answer that one thread waits for, and the loop gives. Its monitor is its own, so that the
/// loop never waits for what the other thread does.
final class AnswerBox: @unchecked Sendable {
    // Unchecked: the vars are used under the monitor.
    private let monitor = Monitor()
    private var answer: AdminAnswer?
    private var isAbandoned = false

    /// Leaves the answer; may be called on any thread.
    func put(_ answer: AdminAnswer) {
        monitor.locked { self.answer = answer }
        monitor.wake()
    }

    /// Makes `wait` return without an answer.
    func abandon() {
        monitor.locked { isAbandoned = true }
        monitor.wake()
    }

    /// Waits for the answer until a time; nil if it was abandoned, or has not come.
    func wait(until end: MonotonicTime) -> AdminAnswer? {
        monitor.locked {
            while answer == nil && !isAbandoned && MonotonicTime.now < end {
                monitor.wait(until: end)
            }
            return isAbandoned ? nil : answer
        }
    }
}
