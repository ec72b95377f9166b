internal import Glibc

/// A thread that whoever began it waits for.
package struct JoinableThread {
    private let thread: pthread_t

    /// Begins a thread that runs `body` and ends; until then it holds on to what `body` captures.
    ///
    /// - Parameters:
    ///   - niceness: how much it gives way to other threads when there are too few processors, 0 to 19
    ///     (setpriority(2), which on Linux is per thread); without effect if the system refuses.
    ///   - body: what it does.
    package init(niceness: Int = 0, _ body: @escaping @Sendable () -> Void) {
        let (thread, status) = begin(ThreadBody(niceness: niceness, run: body))
        precondition(status == 0, "cannot begin a thread (error \(status))")
        self.thread = thread
    }

    private init(_ thread: pthread_t) {
        self.thread = thread
    }

    /// Begins a thread that runs `body`; nil if the system begins no more threads.
    package static func ifPossible(_ body: @escaping @Sendable () -> Void) -> JoinableThread? {
        let (thread, status) = begin(ThreadBody(niceness: 0, run: body))
        return status == 0 ? JoinableThread(thread) : nil
    }

    /// Waits until it has ended; to be called once.
    package func join() {
        let status = pthread_join(thread, nil)
        precondition(status == 0, "cannot wait for the thread (error \(status))")
    }
}

/// Begins a thread that runs `body`, and that nobody waits for.
///
/// - Returns: the system's error if it begins no more threads; else 0.
package func startThread(_ body: @escaping @Sendable () -> Void) -> CInt {
    let (thread, status) = begin(ThreadBody(niceness: 0, run: body))
    if status == 0 { pthread_detach(thread) }
    return status
}

private func begin(_ body: ThreadBody) -> (thread: pthread_t, status: CInt) {
    var thread = pthread_t()
    let reference = unsafe Unmanaged.passRetained(body)
    let status = unsafe pthread_create(&thread, nil, runThread, reference.toOpaque())
    if status != 0 { unsafe reference.release() }
    return (thread, status)
}

private final class ThreadBody: Sendable {
    let niceness: Int
    let run: @Sendable () -> Void

    init(niceness: Int, run: @escaping @Sendable () -> Void) {
        self.niceness = niceness
        self.run = run
    }
}

/// Where a thread begins.
private func runThread(_ reference: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    let body = unsafe Unmanaged<ThreadBody>.fromOpaque(reference!).takeRetainedValue()
    if body.niceness != 0 {
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, CInt(body.niceness))
    }
    body.run()
    return nil
}
