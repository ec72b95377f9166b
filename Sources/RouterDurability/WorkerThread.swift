internal import Threading
internal import Glibc
internal import RouterCore

/// A thread that does what it is given, in that order.
///
/// For one caller: `perform`, `finish` and `close` are not called at the same time.
@safe
package final class WorkerThread: SerialWorker, @unchecked Sendable {
    // Unchecked: the vars are used under the monitor, and `thread` by the caller only.

    /// So many pieces of work may wait; then the caller does.
    private static var waitingLimit: Int { 4 }

    private let monitor = Monitor()
    private var waiting: [@Sendable () -> Void] = []
    private var isWorking = false
    private var isClosed = false
    private var thread: pthread_t?

    package init() {}

    deinit {
        precondition(thread == nil, "it is closed before it goes")
    }

    package func perform(_ work: @escaping @Sendable () -> Void) {
        if thread == nil { start() }
        monitor.locked {
            precondition(!isClosed, "it is closed")
            while waiting.count >= Self.waitingLimit { monitor.wait() }
            waiting.append(work)
            monitor.wake()
        }
    }

    package func finish() {
        monitor.locked {
            while isWorking || !waiting.isEmpty { monitor.wait() }
        }
    }

    /// Ends the thread when it has done what it was given; does nothing a second time.
    package func close() {
        monitor.locked {
            isClosed = true
            monitor.wake()
        }
        guard let thread else { return }
        self.thread = nil
        let status = pthread_join(thread, nil)
        precondition(status == 0, "cannot wait for a thread (error \(status))")
    }

    private func start() {
        let reference = unsafe Unmanaged.passRetained(self).toOpaque()
        var thread = pthread_t()
        let status = unsafe pthread_create(&thread, nil, workerThread, reference)
        precondition(status == 0, "cannot begin a thread (error \(status))")
        self.thread = thread
    }

    fileprivate func run() {
        while let work = take() { work() }
    }

    /// Waits for the next piece; nil when there will be none.
    private func take() -> (@Sendable () -> Void)? {
        monitor.locked {
            isWorking = false
            monitor.wake()
            while waiting.isEmpty {
                if isClosed { return nil }
                monitor.wait()
            }
            isWorking = true
            monitor.wake()
            return waiting.removeFirst()
        }
    }
}

/// Where the thread begins.
private func workerThread(_ reference: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<WorkerThread>.fromOpaque(reference!).takeRetainedValue().run()
    return nil
}
