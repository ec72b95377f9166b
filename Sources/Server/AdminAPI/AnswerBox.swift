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

    /// Waits for the answer; nil if it was abandoned.
    func wait() -> AdminAnswer? {
        monitor.locked {
            while answer == nil && !isAbandoned { monitor.wait() }
            return isAbandoned ? nil : answer
        }
    }
}
