package import LibuvLoop
internal import Logging
package import Platform
internal import RouterStore
internal import StoreFormat

/// What a service manager is told: that the router serves, reads its app file, fails, ends; and, from
/// the sweep of the loop, that the loop turns. A loop that is stuck says nothing, and is ended.
extension Server {
    /// Tells a service manager from now on; to be called before `run`.
    ///
    /// - Throws: `UVError` if the loop takes no timer.
    package func report(to notifier: ServiceNotifier) throws(UVError) {
        ties.manager.notifier = notifier
        // Signs of life leave with the sweep.
        try startSweeping()
    }

    func reportReady() {
        if phase == .serving { ties.manager.notifier?.ready(statusText) }
        reportFailure()
    }

    func reportReloading() {
        if phase == .serving {
            ties.manager.notifier?.reloading(at: monotonicNanoseconds() / 1_000)
        }
    }

    func reportStopping() {
        ties.manager.notifier?.stopping("draining")
    }

    /// To be called by the sweep.
    func reportAlive() {
        guard let notifier = ties.manager.notifier else { return }
        if phase == .serving { notifier.show(statusText) }
        notifier.tick(at: monotonicMilliseconds())
        reportFailure()
    }

    /// What the manager shows beside the router.
    private var statusText: String {
        if let (error, _) = driver?.failure {
            return "the store fails (\(error.code.rawValue)): nothing is acknowledged"
        }
        return "serving on \(listeningAddresses.joined(separator: ", "))"
    }

    /// Logged once for each reason: nobody else sees that the manager hears nothing.
    private func reportFailure() {
        guard let failure = ties.manager.notifier?.failure, failure != ties.manager.failure else {
            return
        }
        ties.manager.failure = failure
        logger.warning("the service manager is not told", metadata: ["error": "\(failure)"])
    }
}
