internal import LibuvLoop
internal import Logging
internal import Platform
internal import RouterStore
internal import StoreFormat

/// Notifications to the service manager: that the router serves, reads its app file, fails or ends.
/// Signs of life come from the loop's sweep, so a loop that hangs sends none, and the manager
/// restarts it.
extension ServerIntegration {
    /// Notifies the manager that the router serves, in the phase `serving` only.
    func ready() {
        if core.phase == .serving { notifier?.ready(statusText) }
        reportFailure()
    }

    /// Notifies the manager that the router reads its app file again, in the phase `serving` only.
    func reloading() {
        if core.phase == .serving { notifier?.reloading(at: .now) }
    }

    /// Notifies the manager that the router is draining.
    func stopping() { notifier?.stopping("draining") }

    /// Sends a sign of life; to be called by the sweep.
    func alive() {
        guard let notifier else { return }
        if core.phase == .serving { notifier.show(statusText) }
        notifier.tick(at: .now)
        reportFailure()
    }

    /// The status line that the manager shows for the router.
    private var statusText: String {
        if let (error, _) = core.driver?.failure {
            return "the store fails (\(error.code.rawValue)): nothing is acknowledged"
        }
        return "serving on \(reading.addresses.joined(separator: ", "))"
    }

    /// Logs that the manager cannot be notified, once for each reason: nothing else would reveal
    /// it.
    private func reportFailure() {
        guard let failure = notifier?.failure, failure != notifierFailure else { return }
        notifierFailure = failure
        core.logger.warning(
            "the service manager cannot be notified",
            metadata: ["error": "\(failure)"]
        )
    }
}
