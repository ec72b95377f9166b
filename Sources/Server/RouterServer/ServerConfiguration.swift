package import LibuvLoop
package import ReloadModel
package import RouterStore

/// Where a server listens, what it reads, and its limits.
package struct ServerConfiguration: Sendable {
    package var endpoints: [Endpoint]
    /// The app file, read again on SIGHUP; nil if the apps came from elsewhere.
    package var appFile: String?
    package var limits: RouterLimits
    /// What to warn the operator of at the start: a sentence.
    package var warning: String?
    /// Of a store, if there is one.
    package var checkpoints: CheckpointLimits
    /// Of the program, as operators are told it.
    package var version = ""
    /// How long a drain may take before what is left is closed, in ms.
    package var drainTimeout: Int64

    package init(
        endpoints: [Endpoint],
        appFile: String?,
        limits: RouterLimits = RouterLimits(),
        warning: String? = nil,
        checkpoints: CheckpointLimits = CheckpointLimits(),
        drainTimeout: Int64 = 10_000
    ) {
        self.endpoints = endpoints
        self.appFile = appFile
        self.limits = limits
        self.warning = warning
        self.checkpoints = checkpoints
        self.drainTimeout = drainTimeout
    }
}
