package import Basics
internal import Glibc

/// What a service manager passes to a service in environment variables: `sd_notify(3)`,
/// `sd_watchdog_enabled(3)`.
package struct ServiceEnvironment: Equatable, Sendable {
    /// The manager's address; nil if the process was not started by one.
    package let address: NotificationAddress?
    /// The time without a sign of life after which the manager kills the service; nil if it does
    /// not watch.
    package let watchdogSilence: Microseconds?

    /// Reads the environment of this process. Throws `NotificationError` for a variable that is
    /// malformed.
    package static func ofThisProcess() throws(NotificationError) -> ServiceEnvironment {
        try ServiceEnvironment(process: Int64(getpid()), value: environmentVariable)
    }

    /// Reads the variables of a service manager; a watchdog that is meant for another process than
    /// this one is ignored. Throws `NotificationError` for a variable that is malformed.
    package init(process: Int64, value: (String) -> String?) throws(NotificationError) {
        guard let socket = value("NOTIFY_SOCKET"), !socket.isEmpty else {
            address = nil
            watchdogSilence = nil
            return
        }
        address = try NotificationAddress(socket)
        let guarded = try Self.number("WATCHDOG_PID", value: value) ?? process
        let silence = try Self.number("WATCHDOG_USEC", value: value)
        watchdogSilence = guarded == process ? silence.map(Microseconds.init(rawValue:)) : nil
    }

    /// The value of a variable that must be a positive whole number; nil if it is unset or empty.
    private static func number(
        _ name: String,
        value: (String) -> String?
    ) throws(NotificationError) -> Int64? {
        guard let text = value(name), !text.isEmpty else { return nil }
        guard let number = Int64(text), number > 0 else { throw .number(name: name, value: text) }
        return number
    }
}
