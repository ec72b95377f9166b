internal import Platform
internal import Synchronization

/// Work that runs on a thread of its own; if the system starts no more threads, it runs in `init`
/// on the caller's thread.
///
/// `wait` joins the thread, so everything that the work refers to, such as an open database, has
/// been released when it returns.
final class StoreTask: @unchecked Sendable {
    // Unchecked: only the owner uses `thread`.
    private var thread: JoinableThread?
    private let isDone = Atomic(false)

    init(_ body: @escaping @Sendable () -> Void) {
        let run = { @Sendable [self] in
            body()
            isDone.store(true, ordering: .releasing)
        }
        thread = JoinableThread.ifPossible(run)
        if thread == nil { run() }
    }

    /// True until the work has ended.
    var isRunning: Bool { !isDone.load(ordering: .acquiring) }

    /// Waits until the work has ended; to be called at least once.
    func wait() {
        thread.take()?.join()
    }
}
