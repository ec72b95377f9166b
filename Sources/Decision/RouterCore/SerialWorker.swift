/// Does work one piece after the other, beside its caller or not.
///
/// Targets of this floor start no threads. A caller that has them passes a worker for long tasks; the
/// results are the same without one (`ImmediateWorker`).
package protocol SerialWorker: Sendable {
    /// Does the work after all earlier work. Blocks the caller while too much of it is queued.
    func perform(_ work: @escaping @Sendable () -> Void)

    /// Waits until everything is done.
    func finish()
}

/// Does everything at once.
package struct ImmediateWorker: SerialWorker {
    package init() {}

    package func perform(_ work: @escaping @Sendable () -> Void) { work() }

    package func finish() {}
}
