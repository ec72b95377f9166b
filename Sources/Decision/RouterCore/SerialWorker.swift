/// Does work one piece after the other, beside its caller or not.
///
/// Whoever has threads gives one to what takes long; this floor knows none, and what it does comes
/// out the same either way.
package protocol SerialWorker: Sendable {
    /// Does the work when all that was given before is done; waits while too much is given.
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
