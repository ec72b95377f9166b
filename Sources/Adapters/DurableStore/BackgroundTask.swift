internal import Platform
internal import Synchronization

/// Something that a thread of its own does, or the caller where the system begins no more threads: then
/// it has ended when it was made.
///
/// It is joined, and not only heard of: what it holds on to, an open database perhaps, is let go when
/// `wait` returns.
final class BackgroundTask: @unchecked Sendable {
    // Unchecked: `thread` is its owner's.
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

    var isRunning: Bool { !isDone.load(ordering: .acquiring) }

    /// Returns when it has ended; to be called once at least.
    func wait() {
        thread.take()?.join()
    }
}
