internal import Glibc

/// What a service manager says in the environment of a service.
package struct ServiceEnvironment: Equatable, Sendable {
    /// Where it listens; nil if there is none.
    package let address: NotificationAddress?
    /// After so many microseconds without a sign of life it ends the service; nil if it does not look.
    package let watchdogMicroseconds: Int64?

    /// Reads the environment of this process.
    ///
    /// - Throws: `NotificationError` for a value that says nothing.
    package static func ofThisProcess() throws(NotificationError) -> ServiceEnvironment {
        try ServiceEnvironment(process: Int64(getpid())) { name in
            guard let value = unsafe getenv(name) else { return nil }
            return unsafe String(cString: value)
        }
    }

    /// - Parameters:
    ///   - process: the number of this one; a watchdog that is for another one is passed over.
    ///   - value: of a variable, by its name; nil if there is none.
    /// - Throws: `NotificationError` for a value that says nothing.
    package init(process: Int64, value: (String) -> String?) throws(NotificationError) {
        guard let socket = value("NOTIFY_SOCKET"), !socket.isEmpty else {
            address = nil
            watchdogMicroseconds = nil
            return
        }
        address = try NotificationAddress(socket)
        let guarded = try Self.number("WATCHDOG_PID", value) ?? process
        let microseconds = try Self.number("WATCHDOG_USEC", value)
        watchdogMicroseconds = guarded == process ? microseconds : nil
    }

    private static func number(
        _ name: String,
        _ value: (String) -> String?
    ) throws(NotificationError) -> Int64? {
        guard let text = value(name), !text.isEmpty else { return nil }
        guard let number = Int64(text), number > 0 else {
            throw .number(name: name, value: text)
        }
        return number
    }
}
