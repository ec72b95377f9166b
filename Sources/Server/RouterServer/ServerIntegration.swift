package import AdminAPI
package import Basics
package import Logging
package import Platform
internal import RouterStore
internal import StoreFormat

/// What connects the server to the program that runs it, and to the service manager, which is
/// notified that the router serves, reads its app file, fails or ends. Signs of life come from the
/// loop's sweep, so a loop that hangs sends none, and the manager restarts it.
package final class ServerIntegration {
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
    private var notifierFailure: NotificationError?
    /// The signals that the program gets; nil before the server listens.
    var signals: ServerSignals?
    /// The files that SIGHUP reads again. Those that are refused are logged once for each attempt,
    /// and stay in the status until they are read.
    var files: [RereadFile] = []
    let core: Core
    private let reading: Reading

    init(_ reading: Reading) {
        core = reading.core
        self.reading = reading
    }

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

    // MARK: - The files that SIGHUP reads again

    /// Records and logs that files were read again and are in force; `details` say what they are.
    package func fileRead(_ name: RereadFile.Name, details: Logger.Metadata = [:]) {
        with(name) { $0.read(at: $1) }
        core.logger.notice(name.readMessage, metadata: details)
    }

    /// Records and logs that files were refused, and why; the old ones stay in force.
    package func fileRefused(_ name: RereadFile.Name, because error: any Error) {
        with(name) { $0.refused(because: "\(error)", at: $1) }
        core.logger.error(name.refusedMessage, metadata: ["error": "\(error)"])
    }

    /// Records files that were read at the start; to be called before `run`.
    package func fileIsReread(_ name: RereadFile.Name) {
        with(name) { $0.read(at: $1) }
    }

    private func with(_ name: RereadFile.Name, change: (inout RereadFile, WallTime) -> Void) {
        let now = WallTime.now
        let index = files.firstIndex { $0.name == name } ?? files.endIndex
        if index == files.endIndex { files.append(RereadFile(name, readAt: now)) }
        change(&files[index], now)
    }
}

extension RereadFile.Name {
    /// That the files were read again.
    fileprivate var readMessage: Logger.Message {
        switch self {
        case .apps: "app file read again"
        case .operators: "operators read again"
        case .certificates: "certificates read again"
        }
    }

    /// That they were refused.
    fileprivate var refusedMessage: Logger.Message {
        switch self {
        case .apps: "app file refused; the old one stays"
        case .operators: "operators refused; the old ones stay"
        case .certificates: "certificates refused; the old ones stay"
        }
    }
}
