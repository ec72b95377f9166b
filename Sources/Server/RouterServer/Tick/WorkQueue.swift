internal import Basics
internal import Platform

/// Work for the loop on a thread of its own, piece by piece, in the order in which it was
/// added: what takes as long as hundreds of frames must not delay all other clients.
///
///     loop ──► add ──► queue ──► thread: work ──► results ──► wake ──► loop: takeResults
///
/// Only the loop's thread may use it; `close` must be called before it is released.
final class WorkQueue<Input: Sendable, Output: Sendable>: @unchecked Sendable {
    // Unchecked: the other vars are used under the monitor, and `thread` only by the caller.

    /// The most inputs that wait; beyond it `add` refuses further ones.
    private let limit: Int
    private let niceness: Int
    private let work: @Sendable (Input) -> Output
    private let wake: @Sendable () -> Void
    private let monitor = Monitor()
    /// The inputs that wait.
    private var inputs = FIFO<Input>()
    private var results: [Output] = []
    private var isClosed = false
    private var thread: JoinableThread?

    /// Makes a queue in which `limit` inputs may wait. Its thread, which starts with the first,
    /// makes a result of each, and calls `wake` after it.
    init(
        limit: Int,
        niceness: Int = 0,
        wake: @escaping @Sendable () -> Void,
        work: @escaping @Sendable (Input) -> Output
    ) {
        self.limit = limit
        self.niceness = niceness
        self.wake = wake
        self.work = work
    }

    deinit { precondition(thread == nil, "close it before it is released") }

    /// Adds an input; false if too many wait.
    func add(_ input: Input) -> Bool {
        if thread == nil {
            thread = JoinableThread(niceness: niceness) { [self] in workThrough() }
        }
        return monitor.locked {
            if inputs.count >= limit { return false }
            inputs.append(input)
            monitor.wake()
            return true
        }
    }

    /// Removes the inputs that still wait and that a closure selects. Work that has begun is
    /// finished, and its result is among the others.
    func remove(where selects: (Input) -> Bool) {
        if thread == nil { return }
        monitor.locked {
            for input in inputs.removeAll() where !selects(input) { inputs.append(input) }
        }
    }

    /// Removes and returns the results that are there.
    func takeResults() -> [Output] {
        if thread == nil { return [] }
        return monitor.locked {
            defer { results.removeAll(keepingCapacity: true) }
            return results
        }
    }

    /// Ends the thread after the work that it has begun; what waits is forgotten. A second call
    /// does nothing.
    func close() {
        monitor.locked {
            isClosed = true
            monitor.wake()
        }
        thread?.join()
        thread = nil
    }

    // MARK: - The thread

    private func workThrough() {
        while let input = takeInput() {
            let result = work(input)
            monitor.locked { results.append(result) }
            wake()
        }
    }

    /// Waits for an input; nil when there will be none.
    private func takeInput() -> Input? {
        monitor.locked {
            while inputs.isEmpty && !isClosed { monitor.wait() }
            return isClosed ? nil : inputs.popFirst()
        }
    }
}
