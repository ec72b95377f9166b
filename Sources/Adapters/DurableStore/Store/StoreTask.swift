internal import Platform
internal import Synchronization

/// Work that runs on a thread of its own, and its result; if the system starts no more threads, it
/// runs in `init` on the caller's thread.
///
/// `wait` joins the thread, so everything that the work refers to, such as an open database, has
/// been released when it returns.
final class StoreTask<Result: Sendable>: @unchecked Sendable {
    // Unchecked: only the owner uses `thread`, and `result` after the thread has ended.
    private var thread: JoinableThread?
    private var result: Result?
    private let isDone = Atomic(false)

    init(_ body: @escaping @Sendable () -> Result) {
        let run = { @Sendable [self] in
            result = body()
            isDone.store(true, ordering: .releasing)
        }
        thread = JoinableThread.ifPossible(run)
        if thread == nil { run() }
    }

    /// True until the work has ended.
    var isRunning: Bool { !isDone.load(ordering: .acquiring) }

    /// Waits until the work has ended, and returns its result; to be called at least once.
    @discardableResult
    func wait() -> Result {
        thread.take()?.join()
        return result!
    }
}
