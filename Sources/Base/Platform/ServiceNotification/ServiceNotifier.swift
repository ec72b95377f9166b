/// Tells a service manager, such as systemd, what becomes of this process: the protocol of
/// `sd_notify(3)`, datagrams of lines to the socket that `$NOTIFY_SOCKET` names.
///
///     READY=1        it serves               STOPPING=1   it ends
///     RELOADING=1    it reads its app file   WATCHDOG=1   it lives: from the loop itself, so that a
///     STATUS=…       for `systemctl status`               loop that is stuck says nothing
///
/// Nothing here waits. What the manager does not take at once is sent with the next sign of life, in
/// its order; of more than `waitingLimit` the oldest is dropped, because the newest says how it is.
package final class ServiceNotifier {
    /// Messages that wait at most.
    package static var waitingLimit: Int { 8 }

    private let socket: NotificationSocket
    private var watchdog: ServiceWatchdog?
    private var waiting: [String] = []
    private var statusText = ""
    /// Why the last message was not taken; nil if it was.
    package private(set) var failure: NotificationError?

    /// Milliseconds between two signs of life; nil if the manager does not look for them.
    package var watchdogInterval: Int64? { watchdog?.interval }

    /// - Parameters:
    ///   - address: where the manager listens.
    ///   - watchdogMicroseconds: after which it ends a service that says nothing; nil if it does not.
    /// - Throws: `NotificationError.system` if there are no descriptors left.
    package init(
        _ address: NotificationAddress,
        watchdogMicroseconds: Int64?
    ) throws(NotificationError) {
        socket = try NotificationSocket(address)
        watchdog = watchdogMicroseconds.map { ServiceWatchdog(microseconds: $0) }
    }

    /// The notifier that an environment asks for.
    ///
    /// - Returns: nil if there is no service manager.
    /// - Throws: `NotificationError.system` if there are no descriptors left.
    package static func of(
        _ environment: ServiceEnvironment
    ) throws(NotificationError) -> ServiceNotifier? {
        guard let address = environment.address else { return nil }
        return try ServiceNotifier(
            address,
            watchdogMicroseconds: environment.watchdogMicroseconds
        )
    }

    /// The service serves: after its start, and after each reload.
    package func ready(_ status: String) {
        statusText = status
        tell("READY=1\n\(statusLine)")
    }

    /// The service reads its configuration again; `ready` ends that.
    ///
    /// - Parameter microseconds: what the system's monotonic clock shows.
    package func reloading(at microseconds: Int64) {
        tell("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
    }

    /// The service ends.
    package func stopping(_ status: String) {
        statusText = status
        tell("STOPPING=1\n\(statusLine)")
    }

    /// Shows a sentence beside the service; the same one again is not sent.
    package func show(_ status: String) {
        if status == statusText { return }
        statusText = status
        tell(statusLine)
    }

    /// Gives a sign of life if one is due, and sends what has waited.
    ///
    /// - Parameter now: milliseconds of a clock that never goes back.
    package func tick(at now: Int64) {
        sendWaiting()
        guard waiting.isEmpty, let watchdog, watchdog.isDue(at: now), deliver("WATCHDOG=1") else {
            return
        }
        self.watchdog?.fed(at: now)
    }

    /// The protocol is lines: a sentence has none.
    private var statusLine: String {
        "STATUS=" + String(statusText.map { $0.isNewline ? " " : $0 })
    }

    private func tell(_ message: String) {
        waiting.append(message)
        if waiting.count > Self.waitingLimit { waiting.removeFirst() }
        sendWaiting()
    }

    private func sendWaiting() {
        while let message = waiting.first, deliver(message) { waiting.removeFirst() }
    }

    private func deliver(_ message: String) -> Bool {
        do throws(NotificationError) {
            try socket.send(message)
            failure = nil
            return true
        } catch {
            failure = error
            return false
        }
    }
}

@available(*, unavailable)
extension ServiceNotifier: Sendable {}
