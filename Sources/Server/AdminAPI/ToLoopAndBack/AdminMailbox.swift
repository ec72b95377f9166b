package import Basics
internal import Platform
package import RouterCore
internal import Synchronization

/// The mailbox through which other threads send requests to the loop.
///
///     HTTP thread   submit ──► mailbox, wake the loop          answer ◄──┐
///     loop                        └──► tick ──► take ──► … ──► answer ───┤
///     watch                                            too late ──► answer
///
/// No caller waits in here. A request that cannot be queued is answered at once. One that the loop
/// does not take in time is answered with a problem by the watch thread, or by the next call of
/// `submit`. The loop answers every request that it has taken, however long that takes.
package final class AdminMailbox: AdminPort, @unchecked Sendable {
    // Unchecked: the other vars are used under the monitor.

    /// A request and its answer, which must be called exactly once.
    ///
    /// A class, because requests are large, and those who keep one are copied.
    package final class Entry: Sendable {
        /// What the loop is to do.
        package let request: AdminRequest
        /// Sends the answer; call it exactly once.
        package let answer: @Sendable (AdminAnswer) -> Void
        /// Identifies the request in log messages written while it is carried out.
        package let requestID: String?
        /// With which others it shares the loop's work: those of the same operator.
        package let group: WorkGroup
        /// Until when the loop must have taken the request.
        fileprivate let deadline: MonotonicTime

        fileprivate init(
            _ request: AdminRequest,
            answer: @escaping @Sendable (AdminAnswer) -> Void,
            group: WorkGroup,
            deadline: MonotonicTime
        ) {
            self.request = request
            self.answer = answer
            requestID = RequestID.current
            self.group = group
            self.deadline = deadline
        }
    }

    /// Whether the loop takes requests.
    private enum State {
        /// The loop does not take requests yet: the router restores its state from the store.
        case loading
        /// The loop takes requests.
        case open
        /// The loop does not take requests any more.
        case closed
    }

    /// The most requests that may wait for the loop; beyond it, they are refused with 503 `busy`.
    package static var capacity: Int { 64 }

    /// The most requests that may wait in this mailbox.
    private let capacity: Int

    private let monitor = Monitor()
    private var state = State.loading
    private var wakeLoop: (@Sendable () -> Void)?
    /// Waiting requests, oldest first.
    private var entries: [Entry] = []
    /// When the loop last looked for a request or opened the mailbox.
    private var lastLooked = MonotonicTime.zero
    private var watch: JoinableThread?
    /// True if `entries` is not empty: lets the loop look in every tick without locking.
    private let hasEntry = Atomic<Bool>(false)
    /// How long a request may wait.
    private let patience: Milliseconds

    /// Makes a mailbox in which as many requests as `capacity` may wait for the time of `patience`.
    package init(patience: Milliseconds = .seconds(1), capacity: Int = AdminMailbox.capacity) {
        self.patience = patience
        self.capacity = capacity
    }

    // MARK: - For other threads

    /// Queues a request and wakes the loop, or answers at once that it cannot be queued.
    package func submit(
        _ request: AdminRequest,
        from operator: String?,
        answer: @escaping @Sendable (AdminAnswer) -> Void
    ) {
        let group = WorkGroup(ofOperator: `operator`)
        var overdue: [OverdueEntry] = []
        let problem: AdminProblem? = monitor.locked {
            overdue = takeOverdue()
            switch state {
            case .loading:
                return AdminProblem(503, code: "loading", detail: "the router is reading its store")
            case .closed: return .draining
            case .open:
                if entries.count >= capacity {
                    return .busy("\(capacity) requests wait for the loop; no more are accepted")
                }
                let deadline = MonotonicTime.now + patience
                assert(
                    entries.last?.deadline ?? .min <= deadline,
                    "requests wait out of the order of their deadlines"
                )
                entries.append(
                    Entry(request, answer: answer, group: group, deadline: deadline)
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

    /// Answers the requests that the loop has not taken in time.
    package func answerOverdue() { answerAll(monitor.locked { takeOverdue() }) }

    private typealias OverdueEntry = (entry: Entry, problem: AdminProblem)

    /// Removes and returns the overdue requests; call it under the monitor.
    private func takeOverdue() -> [OverdueEntry] {
        assert(state == .open || entries.isEmpty, "requests wait that are never taken")
        assert(hasRequests == !entries.isEmpty, "the loop would not see what waits")
        let now = MonotonicTime.now
        let count = entries.prefix { $0.deadline <= now }.count
        if count == 0 { return [] }
        let overdue = entries.prefix(count).map { entry in
            let hasLooked = lastLooked > entry.deadline - patience
            let waited = now - (entry.deadline - patience)
            let problem: AdminProblem =
                hasLooked
                ? .busy("the loop was busy with earlier requests for \(waited) ms")
                : AdminProblem(
                    503,
                    code: "silent",
                    detail: "the loop has not answered for \(waited) ms"
                )
            return (entry, problem)
        }
        entries.removeFirst(count)
        hasEntry.store(!entries.isEmpty, ordering: .releasing)
        return overdue
    }

    private func answerAll(_ overdue: [OverdueEntry]) {
        for (entry, problem) in overdue { entry.answer(.problem(problem)) }
    }

    // MARK: - For the loop

    /// Lets requests be queued from now on, and starts the watch thread. `wakeLoop` is called on
    /// any thread, under the monitor.
    package func open(_ wakeLoop: @escaping @Sendable () -> Void) {
        monitor.locked {
            if state != .loading { return }
            self.wakeLoop = wakeLoop
            state = .open
            lastLooked = MonotonicTime.now
            watch = JoinableThread { [self] in watchOver() }
        }
    }

    /// True if a request waits.
    package var hasRequests: Bool { hasEntry.load(ordering: .acquiring) }

    /// Removes and returns the oldest request of a group that need not wait, which is asked under
    /// the monitor; nil if there is none.
    package func take(unless mustWait: (WorkGroup) -> Bool = { _ in false }) -> Entry? {
        if !hasRequests { return nil }
        return monitor.locked {
            lastLooked = MonotonicTime.now
            guard let index = entries.firstIndex(where: { !mustWait($0.group) }) else { return nil }
            let entry = entries.remove(at: index)
            hasEntry.store(!entries.isEmpty, ordering: .releasing)
            return entry
        }
    }

    /// Refuses all waiting and all future requests with `draining`, and ends the watch thread. A
    /// second call does nothing.
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

    // MARK: - The watch thread

    /// Answers overdue requests until the mailbox is closed.
    private func watchOver() {
        while true {
            var overdue: [OverdueEntry] = []
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

extension WorkGroup {
    /// The group of what an operator asks for; of what the admin server asks for by itself if nil.
    fileprivate init(ofOperator name: String?) {
        var hasher = Hasher()
        hasher.combine("operator")
        hasher.combine(name)
        self.init(hash: hasher.finalize())
    }
}

extension AdminProblem {
    /// The router is ending, or has begun to.
    package static var draining: AdminProblem {
        AdminProblem(503, code: "draining", detail: "the router drains: nothing more is accepted")
    }

    /// A refusal for now; the same request may be sent again.
    package static func busy(_ detail: String) -> AdminProblem {
        AdminProblem(503, code: "busy", detail: detail)
    }
}
