internal import LibuvLoop
internal import LoadReporting

extension SocketFleet {
    /// Plays a run on a thread of its own, until its end or SIGINT.
    ///
    /// - Parameters:
    ///   - settings: what is played.
    ///   - address: the router's, `HOST:PORT`.
    ///   - progress: is told about ten times a second, on that thread.
    /// - Returns: what it was like.
    /// - Throws: `FleetError`, `ScenarioError` or `ClientError`: what kept it from beginning, or ended it.
    static func play(
        _ settings: FleetSettings,
        _ address: String,
        _ progress: @escaping (FleetProgress) -> Void
    ) async throws -> FleetReport {
        guard let router = Endpoint(address) else {
            throw FleetError("\(address) is no address")
        }
        let interrupts = InterruptSignal(settings.stop)
        defer { interrupts.cancel() }
        // Handed over as a whole.
        nonisolated(unsafe) let (settings, progress) = (settings, progress)
        return try await onOwnThread {
            try unsafe SocketFleet(settings, router: router, progress).run()
        }
    }
}
