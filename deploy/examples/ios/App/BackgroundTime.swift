/// The time that the system gives an app which has left the foreground to end what it does: about
/// 30 s, and less if it says so.
@MainActor
final class BackgroundTime<Assertion> {
    private var assertion: Assertion?
    private let giveBack: @MainActor (Assertion) -> Void

    /// Does something within that time.
    ///
    /// - Parameters:
    ///   - begin: `beginBackgroundTask(expirationHandler:)`: is passed what to call when the time
    ///     is over.
    ///   - end: `endBackgroundTask(_:)`. The system ends an app that does not call it in time.
    ///   - body: what to do; it is cancelled when the time is over.
    @discardableResult
    init(
        begin: (@escaping @MainActor @Sendable () -> Void) -> Assertion,
        end: @escaping @MainActor (Assertion) -> Void,
        body: @escaping @Sendable () async -> Void
    ) {
        giveBack = end
        let work = Task { await body() }
        assertion = begin {
            work.cancel()
            self.end()
        }
        Task {
            await work.value
            self.end()
        }
    }

    private func end() {
        guard let assertion else { return }
        self.assertion = nil
        giveBack(assertion)
    }
}
