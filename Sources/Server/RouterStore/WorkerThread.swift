internal import Platform
internal import RouterCore

/// A thread that runs closures one after the other, in the order of `perform`.
///
/// Only one thread may use it: `perform`, `finish` and `close` must not run concurrently. `close`
/// must be called before the worker is released.
package final class WorkerThread: SerialWorker, @unchecked Sendable {
    // Unchecked: the other vars are used under the monitor, and `thread` only by the caller.

    /// Closures that may wait; `perform` blocks while there are this many.
    private static var waitingLimit: Int { 4 }

    private let monitor = Monitor()
    private var waiting: [@Sendable () -> Void] = []
    private var isWorking = false
    private var isClosed = false
    private var thread: JoinableThread?

    private let niceness: Int

    /// Makes a worker; its thread, which leaves much to others (`JoinableThread`), starts with the
    /// first closure.
    package init(niceness: Int = 0) { self.niceness = niceness }

    deinit { precondition(thread == nil, "close it before it is released") }

    /// Appends a closure; blocks while the queue is full. The first call starts the thread.
    package func perform(_ work: @escaping @Sendable () -> Void) {
        if thread == nil {
            thread = JoinableThread(niceness: niceness) { [self] in
                while let work = take() { work() }
            }
        }
        monitor.locked {
            precondition(!isClosed, "it is closed")
            while waiting.count >= Self.waitingLimit { monitor.wait() }
            waiting.append(work)
            monitor.wake()
        }
    }

    /// Waits until every closure has run.
    package func finish() {
        monitor.locked {
            while isWorking || !waiting.isEmpty { monitor.wait() }
        }
    }

    /// Waits until every closure has run, and ends the thread. A second call does nothing.
    package func close() {
        monitor.locked {
            isClosed = true
            monitor.wake()
        }
        thread?.join()
        thread = nil
    }

    /// Waits for the next closure; nil once the thread is closed and none is left.
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
