package import Basics
internal import Platform
internal import Synchronization

/// Where the loop publishes its status for other threads, when one of them has asked for it.
///
///     HTTP thread   ask ──► wake the loop            wait ──► the status
///     loop                    └──► tick ──► publish ───┘
///
/// The loop never waits here, and is asked at most once in `freshness`. It has `patience` to
/// answer. After that every caller gets `silent` at once, until the loop publishes again: so a
/// stuck loop delays a thread that serves many clients only once, and not once for each client.
package final class StatusSnapshot: @unchecked Sendable {
    // Unchecked: the vars are used under the monitor.
    private let monitor = Monitor()
    /// The latest status; nil if none was published.
    private var last: RouterStatus?
    /// Wakes the loop; nil before the loop runs, and after `close`.
    private var wakeLoop: (@Sendable () -> Void)?
    /// True once the latest status is the final one.
    private var isClosed = false
    /// When the first unanswered question was asked; nil if none is open.
    private var askedAt: MonotonicTime?
    /// True if `askedAt` is not nil: lets the loop look in every tick without locking.
    private let hasQuestion = Atomic<Bool>(false)
    /// How long the loop may take to answer.
    private let patience: Milliseconds
    /// Age up to which a status is not asked for again.
    private let freshness: Milliseconds

    /// A snapshot that no thread has asked for.
    package init(patience: Milliseconds = .seconds(1), freshness: Milliseconds = .milliseconds(100))
    {
        self.patience = patience
        self.freshness = freshness
    }

    // MARK: - For the loop

    /// Lets questions reach the loop from now on. `wakeLoop` is called on any thread, under the
    /// monitor.
    package func open(_ wakeLoop: @escaping @Sendable () -> Void) {
        monitor.locked { self.wakeLoop = wakeLoop }
    }

    /// True if a thread waits for `publish`.
    package var isAsked: Bool { hasQuestion.load(ordering: .acquiring) }

    /// Publishes the present status, which answers all open questions.
    package func publish(_ status: RouterStatus) {
        monitor.locked { post(status) }
        monitor.wake()
    }

    /// Publishes the final status, which answers all questions from now on.
    package func close(_ status: RouterStatus) {
        monitor.locked {
            post(status)
            isClosed = true
            wakeLoop = nil
        }
        monitor.wake()
    }

    /// Stores the status; call it under the monitor.
    private func post(_ status: RouterStatus) {
        last = status
        askedAt = nil
        hasQuestion.store(false, ordering: .releasing)
    }

    // MARK: - For other threads

    /// Returns a fresh status, asking the loop and waiting for it if necessary; or says why there
    /// is none.
    package func ask() -> StatusAnswer {
        monitor.locked {
            assert(isAsked == (askedAt != nil), "the loop would not see that it was asked")
            guard let wakeLoop else { return last.map(StatusAnswer.status) ?? .loading }
            let now = MonotonicTime.now
            if let last, askedAt == nil, now - last.time <= freshness { return .status(last) }
            if askedAt == nil {
                askedAt = now
                hasQuestion.store(true, ordering: .releasing)
                wakeLoop()
            }
            while let askedAt, !isClosed {
                if MonotonicTime.now >= askedAt + patience {
                    return .silent(for: MonotonicTime.now - askedAt)
                }
                monitor.wait(until: askedAt + patience)
            }
            // `wake` wakes one waiting thread: this one wakes the next.
            monitor.wake()
            return .status(last!)
        }
    }
}

/// The answer to a question for the router's status.
package enum StatusAnswer: Equatable, Sendable {
    /// The router restores its state from the store and serves no connection yet.
    case loading
    case status(RouterStatus)
    /// The loop has not answered for this long.
    case silent(for: Milliseconds)
}
