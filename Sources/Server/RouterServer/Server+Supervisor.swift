package import LibuvLoop
internal import Logging
package import Platform
internal import RouterStore
internal import StoreFormat

/// Notifications to the service manager: that the router serves, reads its app file, fails or ends.
/// Signs of life come from the loop's sweep, so a loop that hangs sends none, and the manager
/// restarts it.
extension Server {
    /// Sets the service manager to notify from now on; to be called before `run`.
    ///
    /// - Throws: `UVError` if the sweep's timer cannot be restarted.
    package func report(to notifier: ServiceNotifier) throws(UVError) {
        integration.notifier = notifier
        // Signs of life are sent by the sweep, whose interval depends on the manager's.
        try startSweeping()
    }

    /// Notifies the manager that the router serves, in the phase `serving` only.
    func reportReady() {
        if core.phase == .serving { integration.notifier?.ready(statusText) }
        reportFailure()
    }

    /// Notifies the manager that the router reads its app file again, in the phase `serving` only.
    func reportReloading() {
        if core.phase == .serving { integration.notifier?.reloading(at: .now) }
    }

    /// Notifies the manager that the router is draining.
    func reportStopping() { integration.notifier?.stopping("draining") }

    /// Sends a sign of life; to be called by the sweep.
    func reportAlive() {
        guard let notifier = integration.notifier else { return }
        if core.phase == .serving { notifier.show(statusText) }
        notifier.tick(at: .now)
        reportFailure()
    }

    /// The status line that the manager shows for the router.
    private var statusText: String {
        if let (error, _) = core.driver?.failure {
            return "the store fails (\(error.code.rawValue)): nothing is acknowledged"
        }
        return "serving on \(listeningAddresses.joined(separator: ", "))"
    }

    /// Logs that the manager cannot be notified, once for each reason: nothing else would reveal
    /// it.
    private func reportFailure() {
        guard let failure = integration.notifier?.failure,
            failure != integration.notifierFailure
        else { return }
        integration.notifierFailure = failure
        core.logger.warning(
            "the service manager cannot be notified",
            metadata: ["error": "\(failure)"]
        )
    }
}
