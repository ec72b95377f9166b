/// Why the service manager cannot be notified.
package enum NotificationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// `$NOTIFY_SOCKET` is not an address.
    case address(String)
    /// A variable of the watchdog is not a positive whole number.
    case number(name: String, value: String)
    /// A system call failed with this error number.
    case system(call: String, code: CInt)
    /// The socket's buffer is full, because the service manager has not read earlier messages.
    case full

    /// The reason as one sentence, for the log.
    package var description: String {
        switch self {
        case .address(let text):
            "NOTIFY_SOCKET is \(text); it must be a path from the root on, or @ and a name, with at "
                + "most \(NotificationAddress.byteLimit) bytes"
        case .number(let name, let value):
            "\(name) is \(value); it must be a whole number above 0"
        case .system(let call, let code): "\(call) fails (error \(code))"
        case .full: "the service manager does not read its messages"
        }
    }
}
