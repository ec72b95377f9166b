package import Basics

/// Notifies a service manager, such as systemd, of this process's state, by the protocol of
/// `sd_notify(3)`: datagrams of lines to the socket in `$NOTIFY_SOCKET`.
///
///     READY=1        it serves               STOPPING=1   it ends
///     RELOADING=1    it reads its app file   WATCHDOG=1   it lives: sent by the loop itself, so
///     STATUS=…       for `systemctl status`               that a loop that is stuck sends nothing
///
/// No call blocks. Messages that the manager does not accept at once are sent again, in order, by a
/// later message or `tick`. Of more than `waitingLimit` the oldest status text is dropped, because
/// the manager needs every change of state: without `READY=1` it would end the service. If all of
/// them are changes of state, the oldest is dropped, because the newest describe the present state.
package final class ServiceNotifier {
    /// The most messages that wait to be sent.
    package static var waitingLimit: Int { 8 }

    private let socket: NotificationSocket
    /// The time between two signs of life; nil if the manager does not watch. It is half of the
    /// time after which a service counts as stuck, so that a late sign does no harm.
    package let watchdogInterval: Milliseconds?
    /// The time of the last sign of life; nil before the first.
    private var lastSign: MonotonicTime?
    /// The messages that are not sent yet, the oldest first.
    private var waiting: [String] = []
    /// The status text that was reported last.
    private var statusText = ""
    /// Why the last attempt to send failed; nil if it succeeded.
    package private(set) var failure: NotificationError?

    /// Opens the socket; no message is sent yet. `watchdogSilence` is the silence after which the
    /// manager kills the service; nil if it does not watch. Throws `NotificationError.system` if
    /// the socket cannot be made.
    package init(
        _ address: NotificationAddress,
        watchdogSilence: Microseconds?
    ) throws(NotificationError) {
        socket = try NotificationSocket(address)
        watchdogInterval = watchdogSilence.map { max(.milliseconds(1), Milliseconds($0) / 2) }
    }

    /// The notifier for an environment. Returns nil if the environment names no service manager.
    /// Throws `NotificationError.system` if the socket cannot be made.
    package static func of(
        _ environment: ServiceEnvironment
    ) throws(NotificationError) -> ServiceNotifier? {
        guard let address = environment.address else { return nil }
        return try ServiceNotifier(address, watchdogSilence: environment.watchdogSilence)
    }

    /// Reports that the service is ready: after its start, and after each reload of its
    /// configuration.
    package func ready(_ status: String) {
        statusText = status
        report("READY=1\n\(statusLine)")
    }

    /// Reports that the service reloads its configuration; `ready` ends that.
    package func reloading(at now: ExactTime) {
        report("RELOADING=1\nMONOTONIC_USEC=\(now.rawValue / 1_000)")
    }

    /// Reports that the service is stopping.
    package func stopping(_ status: String) {
        statusText = status
        report("STOPPING=1\n\(statusLine)")
    }

    /// Sends a status text for `systemctl status`, unless it equals the last one.
    package func show(_ status: String) {
        if status == statusText { return }
        statusText = status
        report(statusLine)
    }

    /// Sends what waits, and then a sign of life if one is due; to be called in each tick of the
    /// loop.
    package func tick(at now: MonotonicTime) {
        sendWaiting()
        guard waiting.isEmpty, let watchdogInterval else { return }
        if let lastSign, now - lastSign < watchdogInterval { return }
        if deliver("WATCHDOG=1") { lastSign = now }
    }

    /// How the line that sets the status begins.
    private static var statusName: String { "STATUS=" }

    /// The line that sets the status; line breaks in it become spaces, as they end a line of the
    /// protocol.
    private var statusLine: String {
        Self.statusName + String(statusText.map { $0.isNewline ? " " : $0 })
    }

    /// Queues a message and tries to send all that wait.
    private func report(_ message: String) {
        waiting.append(message)
        if waiting.count > Self.waitingLimit {
            let oldestText = waiting.firstIndex { $0.hasPrefix(Self.statusName) }
            waiting.remove(at: oldestText ?? 0)
        }
        assert(waiting.count <= Self.waitingLimit, "more messages wait than may")
        sendWaiting()
    }

    /// Sends the waiting messages in order, until one cannot be sent.
    private func sendWaiting() {
        while let message = waiting.first, deliver(message) { waiting.removeFirst() }
    }

    /// Sends one message; returns false and sets `failure` if that fails.
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
