/// Why a service manager cannot be told.
package enum NotificationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What `$NOTIFY_SOCKET` names is no address.
    case address(String)
    /// What a variable of the watchdog says is no number.
    case number(name: String, value: String)
    /// The system's error of a call.
    case system(call: String, code: CInt)
    /// The service manager has not read what it was told before.
    case full

    package var description: String {
        switch self {
        case .address(let text):
            "NOTIFY_SOCKET is \(text); it must be a path from the root on, or @ and a name, with at "
                + "most \(NotificationAddress.byteLimit) bytes"
        case .number(let name, let value):
            "\(name) is \(value); it must be a whole number above 0"
        case .system(let call, let code): "\(call) fails (error \(code))"
        case .full: "the service manager does not read what it is told"
        }
    }
}
