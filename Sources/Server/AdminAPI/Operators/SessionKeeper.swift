internal import Basics
internal import Platform

/// Keeps the sessions of browsers for the next start, on a thread of its own: none who asks the
/// admin server waits for the disk.
///
///     a change ─► the sessions as they are then ─► thread ─► file
///                   └─ in place of those that wait
///
/// What could not be written is tried again, as long as the process runs.
package final class SessionKeeper: @unchecked Sendable {
    // Unchecked: the vars are used under the monitor, and `thread` by the owner alone.

    /// How long to wait after a failure, before the next try.
    private static var retryPause: Milliseconds { .seconds(1) }

    private let monitor = Monitor()
    /// The newest sessions that are not written yet, as a file.
    private var waiting: [UInt8]?
    private var isEnding = false
    private var thread: JoinableThread?

    /// A keeper whose thread calls `write` with each file, which says why it could not be written;
    /// and `onChange` with the reason when that begins to fail, and with nil when it works again.
    package init(
        write: @escaping @Sendable ([UInt8]) -> String?,
        onChange: @escaping @Sendable (String?) -> Void
    ) {
        thread = JoinableThread(niceness: JoinableThread.besideTheLoop) { [self] in
            work(write, onChange: onChange)
        }
    }

    /// Has the sessions written, in place of others that wait; returns at once.
    package func keep(_ sessions: [UInt8]) {
        monitor.locked { waiting = sessions }
        monitor.wake()
    }

    /// Writes what waits, and ends the thread; to be called once, when no more sessions come.
    package func close() {
        monitor.locked { isEnding = true }
        monitor.wake()
        thread.take()?.join()
    }

    // MARK: - The thread

    private func work(
        _ write: @Sendable ([UInt8]) -> String?,
        onChange: @Sendable (String?) -> Void
    ) {
        var isFailing = false
        while let sessions = next(afterFailure: isFailing) {
            let reason = write(sessions)
            if (reason != nil) != isFailing {
                isFailing.toggle()
                onChange(reason)
            }
            if isFailing { keepForRetry(sessions) }
        }
    }

    /// Waits for sessions to write, after a failure no less than the pause; nil at the end.
    private func next(afterFailure: Bool) -> [UInt8]? {
        let earliest = MonotonicTime.now + (afterFailure ? Self.retryPause : .zero)
        return monitor.locked {
            while !isEnding && MonotonicTime.now < earliest { monitor.wait(until: earliest) }
            while !isEnding && waiting == nil { monitor.wait() }
            return waiting.take()
        }
    }

    /// At the end, what cannot be written is not tried again.
    private func keepForRetry(_ sessions: [UInt8]) {
        monitor.locked { if !isEnding { waiting = waiting ?? sessions } }
    }
}
