internal import Glibc
internal import Synchronization

/// A thread for whose end its creator waits. It is waited for once; a second `join` traps.
package final class JoinableThread: Sendable {
    private let thread: pthread_t
    private let isJoined = Atomic(false)

    /// The niceness of threads that work beside a loop, and leave the processors to it.
    package static var besideTheLoop: Int { 10 }

    /// Starts a thread that runs `body` and then ends; it retains what `body` captures until then.
    /// Traps if the system can start no more threads.
    ///
    /// Its niceness, 0 to 19, says how much it yields to others when processors are scarce
    /// (setpriority(2), which on Linux is per thread); it has no effect if the system refuses it.
    package init(niceness: Int = 0, body: @escaping @Sendable () -> Void) {
        let (thread, status) = begin(ThreadBody(niceness: niceness, run: body))
        precondition(status == 0, "cannot begin a thread (error \(status))")
        self.thread = thread
    }

    private init(_ thread: pthread_t) { self.thread = thread }

    deinit {
        if !isJoined.load(ordering: .acquiring) { pthread_detach(thread) }
    }

    /// Starts a thread that runs `body`; nil if the system can start no more threads.
    package static func ifPossible(_ body: @escaping @Sendable () -> Void) -> JoinableThread? {
        let (thread, status) = begin(ThreadBody(niceness: 0, run: body))
        return status == 0 ? JoinableThread(thread) : nil
    }

    /// Blocks until the thread has ended; traps if it was waited for before.
    package func join() {
        let wasJoined = isJoined.exchange(true, ordering: .acquiringAndReleasing)
        precondition(!wasJoined, "a thread is waited for twice")
        let status = pthread_join(thread, nil)
        precondition(status == 0, "cannot wait for the thread (error \(status))")
    }
}

/// Starts a detached thread that runs `body`; nothing waits for its end. Returns 0, or the system's
/// error number if it can start no more threads.
package func startThread(_ body: @escaping @Sendable () -> Void) -> CInt {
    let (thread, status) = begin(ThreadBody(niceness: 0, run: body))
    if status == 0 { pthread_detach(thread) }
    return status
}

/// Starts a thread that runs `body`; `thread` is only valid if `status` is 0.
private func begin(_ body: ThreadBody) -> (thread: pthread_t, status: CInt) {
    var thread = pthread_t()
    let reference = unsafe Unmanaged.passRetained(body)
    let status = unsafe pthread_create(&thread, nil, runThread, reference.toOpaque())
    if status != 0 { unsafe reference.release() }
    return (thread, status)
}

/// What is passed to a new thread through the C interface: its niceness, and what it runs.
private final class ThreadBody: Sendable {
    let niceness: Int
    let run: @Sendable () -> Void

    init(niceness: Int, run: @escaping @Sendable () -> Void) {
        self.niceness = niceness
        self.run = run
    }
}

/// The function that a new thread enters.
private func runThread(_ reference: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    let body = unsafe Unmanaged<ThreadBody>.fromOpaque(reference!).takeRetainedValue()
    if body.niceness != 0 {
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, CInt(body.niceness))
    }
    body.run()
    return nil
}
