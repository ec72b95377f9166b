package import AdminAPI
package import Basics
package import Platform

/// What connects the server to the program that runs it.
package final class ServerIntegration {
    let core: Core
    let reading: Reading
    /// Called on SIGHUP, after the app file was read again.
    package var onHangUp: () -> Void = {}
    /// What the audit log says in place of a secret; may be called on any thread.
    package var secretDigest: @Sendable (_ secret: Secret) -> String = { _ in "" }
    /// Called when a signal has replaced the app file, with what has changed, or has not, with the
    /// reason.
    package var onAppFile: (Result<AuditedChange, AppFileProblem>) -> Void = { _ in }
    /// Limits how often a message is logged; its `report` is called about once a second. Nil if all
    /// messages are logged.
    package var logLimiter: LogLimiter?
    /// Sends notifications to the service manager that has started this process; nil if none has.
    var notifier: ServiceNotifier?
    /// Why notifying failed, as last logged.
    var notifierFailure: NotificationError?
    /// The signals that the program gets; nil before the server listens.
    var signals: ServerSignals?
    /// The files that SIGHUP reads again.
    var files: [RereadFile] = []

    init(_ reading: Reading) {
        core = reading.core
        self.reading = reading
    }
}
