internal import Platform
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
    private var thread: JoinableThread?

    package init() {}

    deinit {
        precondition(thread == nil, "it is closed before it goes")
    }

    package func perform(_ work: @escaping @Sendable () -> Void) {
        if thread == nil {
            thread = JoinableThread { [self] in while let work = take() { work() } }
        }
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
        thread?.join()
        thread = nil
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
