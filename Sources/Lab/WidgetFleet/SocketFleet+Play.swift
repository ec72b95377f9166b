internal import LibuvLoop
internal import LoadReporting

extension SocketFleet {
    /// Plays a run on a thread of its own, until its end, SIGINT or SIGTERM.
    ///
    /// - Parameters:
    ///   - settings: the settings of the run.
    ///   - address: the router's address, `HOST:PORT`.
    ///   - progress: called about ten times a second, on that thread.
    /// - Returns: the report.
    /// - Throws: `FleetError`, `ScenarioError` or `ClientError`, which kept it from starting or
    ///   ended it.
    static func play(
        _ settings: FleetSettings,
        router address: String,
        progress: @escaping (FleetProgress) -> Void
    ) async throws -> FleetReport {
        guard let router = Endpoint(address) else {
            throw FleetError("\(address) is not an address")
        }
        let interrupts = InterruptSignal(settings.stop)
        defer { interrupts.cancel() }
        // Safe: both are passed to the new thread, and this one does not use them any more.
        nonisolated(unsafe) let (settings, progress) = (settings, progress)
        return try await onOwnThread {
            try unsafe SocketFleet(settings, router: router, progress: progress).run()
        }
    }
}
