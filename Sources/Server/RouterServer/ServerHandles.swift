internal import LibuvLoop

/// The server's handles of the loop, apart from its connections.
struct ServerHandles {
    var listeners: [TCPListener] = []
    /// Fires once per iteration of the loop, after input was read.
    var hook: LoopHook?
    /// Drives `Server.sweep`.
    var sweepTimer: LoopTimer?
    /// Fires when the router's next scheduled work is due, or the first rest of a connection ends.
    var deadlineTimer: LoopTimer?
    /// Wakes the loop for another tick, from any thread.
    var wakeup: LoopWakeup?
    /// Ends a drain that takes too long.
    var drainTimer: LoopTimer?
    /// Submits records of a recording that were kept because they were few; runs only while
    /// recording.
    var recordTimer: LoopTimer?
    var signals: [LoopSignal] = []

    /// Closes all handles; connections that the listeners accepted stay open.
    func close() {
        for listener in listeners { listener.close() }
        for signal in signals { signal.close() }
        for timer in [sweepTimer, deadlineTimer, drainTimer, recordTimer] { timer?.close() }
        hook?.close()
        wakeup?.close()
    }
}
