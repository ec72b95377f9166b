internal import Platform
internal import Synchronization

/// Where the loop leaves its status for other threads, when one of them has asked for it.
///
///     HTTP thread   ask ──► wake the loop            wait ──► the status
///     loop                    └──► turn ──► publish ───┘
///
/// The loop never waits for anybody here, and is asked at most once in `freshness`. It gets
/// `patience` to answer; when that is over, all who ask are told at once that it is silent, until it
/// publishes again: a thread that serves many is held up by a stuck loop once, and not each time.
package final class StatusBoard: @unchecked Sendable {
    // Unchecked: the vars are used under the monitor.
    private let monitor = Monitor()
    private var last: RouterStatus?
    /// Nil before the loop runs.
    private var wakeLoop: (@Sendable () -> Void)?
    /// The last status is the last one that there will be.
    private var isClosed = false
    /// Of the first question that is not answered; nil if all are.
    private var askedAt: Int64?
    /// The same for the loop, which looks every turn.
    private let hasQuestion = Atomic<Bool>(false)
    private let patience: Int64
    private let freshness: Int64

    /// - Parameters:
    ///   - patience: how long an answer of the loop may take, in milliseconds.
    ///   - freshness: the age up to which a status is not asked for again, in milliseconds.
    package init(patience: Int64 = 1_000, freshness: Int64 = 100) {
        self.patience = patience
        self.freshness = freshness
    }

    // MARK: - The loop's side

    /// From now on the loop answers; this wakes it, from any thread.
    package func open(_ wakeLoop: @escaping @Sendable () -> Void) {
        monitor.locked { self.wakeLoop = wakeLoop }
    }

    /// Whether somebody waits for `publish`.
    package var isAsked: Bool { hasQuestion.load(ordering: .acquiring) }

    package func publish(_ status: RouterStatus) {
        monitor.locked { post(status) }
        monitor.wake()
    }

    /// Publishes a last status, which stays.
    package func close(_ status: RouterStatus) {
        monitor.locked {
            post(status)
            isClosed = true
            wakeLoop = nil
        }
        monitor.wake()
    }

    /// Under the monitor.
    private func post(_ status: RouterStatus) {
        last = status
        askedAt = nil
        hasQuestion.store(false, ordering: .releasing)
    }

    // MARK: - The other threads' side

    /// Asks the loop, and waits for its answer.
    package func ask() -> StatusAnswer {
        monitor.locked {
            guard let wakeLoop else { return last.map(StatusAnswer.status) ?? .loading }
            let now = monotonicMilliseconds()
            if let last, askedAt == nil, now - last.time <= freshness { return .status(last) }
            if askedAt == nil {
                askedAt = now
                hasQuestion.store(true, ordering: .releasing)
                wakeLoop()
            }
            while let askedAt, !isClosed {
                if monotonicMilliseconds() >= askedAt + patience {
                    return .silent(milliseconds: monotonicMilliseconds() - askedAt)
                }
                monitor.wait(until: askedAt + patience)
            }
            // Another one that waits would not be woken by the same `publish`.
            monitor.wake()
            return .status(last!)
        }
    }
}

/// What is known of the router.
package enum StatusAnswer: Equatable, Sendable {
    /// It reads its store, and serves nobody yet.
    case loading
    case status(RouterStatus)
    /// Its loop has not answered for so long.
    case silent(milliseconds: Int64)
}
