internal import Platform

/// Something that a thread of its own does, or the caller where the system begins no more threads: then
/// it has ended when it was made.
final class BackgroundTask: @unchecked Sendable {
    // Unchecked: `isDone` is used under the monitor.
    private let monitor = Monitor()
    private var isDone = false

    init(_ body: @escaping @Sendable () -> Void) {
        let run = { @Sendable [self] in
            body()
            monitor.locked {
                isDone = true
                monitor.wake()
            }
        }
        if startThread(run) != 0 { run() }
    }

    var isRunning: Bool { monitor.locked { !isDone } }

    /// Returns when it has ended.
    func wait() {
        monitor.locked { while !isDone { monitor.wait() } }
    }
}
