internal import LibuvLoop

/// What the server has of the loop beside its connections.
struct ServerHandles {
    var listeners: [TCPListener] = []
    var hook: LoopHook?
    var sweepTimer: LoopTimer?
    var deadlineTimer: LoopTimer?
    /// Wakes the loop for another turn when nobody else does.
    var wakeup: LoopWakeup?
    var drainTimer: LoopTimer?
    var recordTimer: LoopTimer?
    var signals: [LoopSignal] = []

    func close() {
        for listener in listeners { listener.close() }
        for signal in signals { signal.close() }
        for timer in [sweepTimer, deadlineTimer, drainTimer, recordTimer] { timer?.close() }
        hook?.close()
        wakeup?.close()
    }
}
