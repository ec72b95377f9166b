/// Does pieces of work one after the other, on the caller's thread or on another one.
///
/// Targets of this layer start no threads. A caller that has threads passes a worker for long
/// tasks; the results are the same with an `ImmediateWorker`.
package protocol SerialWorker: Sendable {
    /// Does the work after all earlier work. Blocks the caller while too much of it is queued.
    func perform(_ work: @escaping @Sendable () -> Void)

    /// Waits until all work is done.
    func finish()
}

/// Does all work at once, on the caller's thread.
package struct ImmediateWorker: SerialWorker {
    /// Makes a worker without a thread.
    package init() {}

    /// Does the work before it returns.
    package func perform(_ work: @escaping @Sendable () -> Void) { work() }

    /// Returns at once, because no work is left.
    package func finish() {}
}
