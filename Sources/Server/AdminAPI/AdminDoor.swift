internal import Platform
internal import Synchronization

/// The mailbox through which requests of other threads come to the loop.
///
///     HTTP thread   submit ──► mailbox, wake the loop          answer ◄──┐
///     loop                        └──► turn ──► take ──► … ──► answer ───┤
///     watch                                            too late ──► answer
///
/// Nobody waits in here: a request that cannot be taken is answered at once, and one that the loop has
/// not taken in time is answered by a thread that looks after those, or by whoever comes next. What
/// the loop has taken it answers itself, however long that takes.
package final class AdminDoor: AdminPort, @unchecked Sendable {
    // Unchecked: the vars are used under the monitor.

    /// A request that the loop has taken; it is answered once.
    package struct Entry {
        package let request: AdminRequest
        package let answer: @Sendable (AdminAnswer) -> Void
        /// For what is logged while it is carried out.
        package let requestID: String?
        fileprivate let deadline: Int64
    }

    private enum State {
        /// The router reads its store.
        case loading
        case open
        case closed
    }

    /// Requests that may wait for the loop.
    ///
    /// Beyond: 503 `busy`.
    package static var capacity: Int { 64 }

    private let monitor = Monitor()
    private var state = State.loading
    private var wakeLoop: (@Sendable () -> Void)?
    /// Oldest first.
    private var entries: [Entry] = []
    /// When the loop last took a request, or opened the door; ms, monotonic.
    private var lastTaken: Int64 = 0
    private var watch: JoinableThread?
    /// The same as whether there are entries, for the loop, which looks every turn.
    private let hasEntry = Atomic<Bool>(false)
    private let patience: Int64

    /// - Parameter patience: how long a request waits until the loop takes it, in milliseconds.
    package init(patience: Int64 = 1_000) {
        self.patience = patience
    }

    // MARK: - The other threads' side

    package func submit(
        _ request: AdminRequest,
        answer: @escaping @Sendable (AdminAnswer) -> Void
    ) {
        var overdue: [Overdue] = []
        let problem: AdminProblem? = monitor.locked {
            overdue = takeOverdue()
            switch state {
            case .loading:
                return AdminProblem(503, "loading", "the router reads its store")
            case .closed:
                return .draining
            case .open:
                if entries.count >= Self.capacity {
                    return .busy("\(Self.capacity) requests wait for the loop; no more are taken")
                }
                let deadline = monotonicMilliseconds() + patience
                entries.append(
                    Entry(
                        request: request,
                        answer: answer,
                        requestID: RequestID.current,
                        deadline: deadline
                    )
                )
                hasEntry.store(true, ordering: .releasing)
                wakeLoop?()
                if entries.count == 1 { monitor.wake() }
                return nil
            }
        }
        answerAll(overdue)
        if let problem { answer(.problem(problem)) }
    }

    /// Answers those that the loop has not taken in time.
    package func answerOverdue() {
        answerAll(monitor.locked { takeOverdue() })
    }

    private typealias Overdue = (entry: Entry, problem: AdminProblem)

    /// Under the monitor.
    private func takeOverdue() -> [Overdue] {
        let now = monotonicMilliseconds()
        let count = entries.prefix { $0.deadline <= now }.count
        if count == 0 { return [] }
        let overdue = entries.prefix(count).map { entry in
            let hasTaken = lastTaken > entry.deadline - patience
            let waited = now - (entry.deadline - patience)
            let problem: AdminProblem =
                hasTaken
                ? .busy("the loop had too many requests before this one for \(waited) ms")
                : AdminProblem(503, "silent", "the loop has not answered for \(waited) ms")
            return (entry, problem)
        }
        entries.removeFirst(count)
        hasEntry.store(!entries.isEmpty, ordering: .releasing)
        return overdue
    }

    private func answerAll(_ overdue: [Overdue]) {
        for (entry, problem) in overdue { entry.answer(.problem(problem)) }
    }

    // MARK: - The loop's side

    /// From now on the loop takes requests; this wakes it, from any thread.
    package func open(_ wakeLoop: @escaping @Sendable () -> Void) {
        monitor.locked {
            if state != .loading { return }
            self.wakeLoop = wakeLoop
            state = .open
            lastTaken = monotonicMilliseconds()
            watch = JoinableThread { [self] in watchOver() }
        }
    }

    /// Whether there is something to take.
    package var hasRequests: Bool { hasEntry.load(ordering: .acquiring) }

    /// Takes the oldest request.
    package func take() -> Entry? {
        if !hasRequests { return nil }
        return monitor.locked {
            if entries.isEmpty { return nil }
            lastTaken = monotonicMilliseconds()
            let entry = entries.removeFirst()
            hasEntry.store(!entries.isEmpty, ordering: .releasing)
            return entry
        }
    }

    /// The loop takes no more: who waits and who comes is told that the router drains.
    ///
    /// Closing twice is no error.
    package func close() {
        var left: [Entry] = []
        let watch: JoinableThread? = monitor.locked {
            state = .closed
            wakeLoop = nil
            swap(&left, &entries)
            hasEntry.store(false, ordering: .releasing)
            monitor.wake()
            return self.watch.take()
        }
        for entry in left { entry.answer(.problem(.draining)) }
        watch?.join()
    }

    // MARK: - The watch

    /// Answers what is overdue until the door is closed.
    private func watchOver() {
        while true {
            var overdue: [Overdue] = []
            let isClosed = monitor.locked {
                if state == .closed { return true }
                if let first = entries.first {
                    monitor.wait(until: first.deadline)
                } else {
                    monitor.wait()
                }
                overdue = takeOverdue()
                return false
            }
            answerAll(overdue)
            if isClosed { return }
        }
    }
}

extension AdminProblem {
    /// The router ends, or has begun to.
    package static var draining: AdminProblem {
        AdminProblem(503, "draining", "the router drains: nothing is taken any more")
    }

    /// For now; the same request may be made again.
    package static func busy(_ detail: String) -> AdminProblem {
        AdminProblem(503, "busy", detail)
    }
}
