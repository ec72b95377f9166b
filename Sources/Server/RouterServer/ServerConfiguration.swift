package import Basics
package import Cryptography
package import LibuvLoop
package import RouterStore

/// Where a server listens, what it reads, and its limits.
package struct ServerConfiguration: Sendable {
    /// The addresses to listen on.
    package var endpoints: [Endpoint]
    /// How the server proves itself to clients with TLS; nil to speak without.
    package var security: ServerSecurity?
    /// Whether an app file may open a role to all clients: only if no other machine reaches the
    /// router, or its operator trusts them all.
    package var allowsOpenRoles: Bool
    /// Path of the app file, read again on SIGHUP; nil if the apps came from elsewhere.
    package var appFile: String?
    /// The router's limits; some of them also bound the server's connections and memory.
    package var limits: RouterLimits
    /// A sentence to warn the operator with at the start; nil for none.
    package var warning: String?
    /// What the parts of the server may take of the memory, beside what `limits` says.
    package var memory = MemoryShares()
    /// Limits of checkpoints; unused without a store.
    package var checkpoints: CheckpointLimits
    /// Where operators' backups are made; nil if they can make none.
    package var backupFolder: String?
    /// The program's version, as operators see it.
    package var version = ""
    /// The longest time of a drain; then the remaining connections are closed.
    package var drainTimeout: Milliseconds

    /// Makes a configuration without a version.
    package init(
        endpoints: [Endpoint],
        security: ServerSecurity? = nil,
        allowsOpenRoles: Bool = true,
        appFile: String?,
        limits: RouterLimits = RouterLimits(),
        warning: String? = nil,
        checkpoints: CheckpointLimits = CheckpointLimits(),
        drainTimeout: Milliseconds = .seconds(10)
    ) {
        self.endpoints = endpoints
        self.security = security
        self.allowsOpenRoles = allowsOpenRoles
        self.appFile = appFile
        self.limits = limits
        self.warning = warning
        self.checkpoints = checkpoints
        self.drainTimeout = drainTimeout
    }
}
