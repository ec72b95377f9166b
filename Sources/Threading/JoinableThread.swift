internal import Glibc

/// A thread that whoever began it waits for.
package struct JoinableThread {
    private let thread: pthread_t

    /// Begins a thread that runs `body` and ends; until then it holds on to what `body` captures.
    package init(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let reference = unsafe Unmanaged.passRetained(ThreadBody(run: body)).toOpaque()
        let status = unsafe pthread_create(&thread, nil, runThread, reference)
        precondition(status == 0, "cannot begin a thread (error \(status))")
        self.thread = thread
    }

    /// Waits until it has ended; to be called once.
    package func join() {
        let status = pthread_join(thread, nil)
        precondition(status == 0, "cannot wait for the thread (error \(status))")
    }
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}

/// Where a thread begins.
private func runThread(_ reference: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<ThreadBody>.fromOpaque(reference!).takeRetainedValue().run()
    return nil
}
