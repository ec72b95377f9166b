internal import Credentials
internal import Cryptography
internal import Platform

/// Verifies signatures on a thread of its own, so that the loop does not wait for them: EdDSA and
/// ES256 take as long as hundreds of frames.
///
///     loop ──► ask ──► queue ──► thread: verify ──► answers ──► wake ──► loop: takeAnswers
///
/// Only the loop's thread may use it; `close` must be called before it is released.
final class SignatureVerifier: @unchecked Sendable {
    // Unchecked: the other vars are used under the monitor, and `thread` only by the caller.

    /// The most questions that wait; beyond it HELLOs with such tokens are refused, and their
    /// clients come again.
    static var queueLimit: Int { 4_096 }

    /// A question, and whether its signature is right.
    struct Answer: Sendable {
        let question: Gatekeeper.Question
        let isValid: Bool
    }

    private let monitor = Monitor()
    private var questions: [Gatekeeper.Question] = []
    private var answers: [Answer] = []
    private var isClosed = false
    private var thread: JoinableThread?
    private let wake: @Sendable () -> Void

    /// Makes a verifier, whose thread starts with the first question; `wake` is called on it after
    /// each answer.
    init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    deinit {
        precondition(thread == nil, "close it before it is released")
    }

    /// Queues a question; false if too many wait.
    func ask(_ question: Gatekeeper.Question) -> Bool {
        if thread == nil { thread = JoinableThread { [self] in verifyAll() } }
        return monitor.locked {
            if questions.count >= Self.queueLimit { return false }
            questions.append(question)
            monitor.wake()
            return true
        }
    }

    /// Removes and returns the answers that are there.
    func takeAnswers() -> [Answer] {
        if thread == nil { return [] }
        return monitor.locked {
            defer { answers.removeAll(keepingCapacity: true) }
            return answers
        }
    }

    /// Ends the thread; questions that wait are forgotten. A second call does nothing.
    func close() {
        monitor.locked {
            isClosed = true
            monitor.wake()
        }
        thread?.join()
        thread = nil
    }

    // MARK: - The thread

    private func verifyAll() {
        while let questions = takeQuestions() {
            for question in questions {
                let isValid = question.signed.key.verifies(question.signed.token)
                let mustEnd = monitor.locked {
                    answers.append(Answer(question: question, isValid: isValid))
                    return isClosed
                }
                if mustEnd { return }
                wake()
            }
        }
    }

    /// Waits for questions; nil when there will be none.
    private func takeQuestions() -> [Gatekeeper.Question]? {
        monitor.locked {
            while questions.isEmpty && !isClosed { monitor.wait() }
            defer { questions.removeAll(keepingCapacity: true) }
            return isClosed ? nil : questions
        }
    }
}
