internal import Basics
package import Platform

/// Sends the lines of the audit log to syslog as well, which may pass them to another machine,
/// where those who can write the file cannot reach them.
package final class AuditSyslog: @unchecked Sendable {
    // Unchecked: only the thread of the log uses the socket.

    /// The facility `authpriv` and the severity `notice` (RFC 3164, section 4.1.1).
    private static var priority: Int { 10 * 8 + 5 }

    private let socket: NotificationSocket
    private let process: Int32

    /// Opens a socket to where syslog listens, such as `/dev/log`, for a process with a number.
    package init(_ path: String, process: Int32) throws(NotificationError) {
        socket = try NotificationSocket(try NotificationAddress(path))
        self.process = process
    }

    /// Sends a line, without waiting. Returns why it could not be sent; nil if it was.
    func send(_ line: [UInt8], now: WallTime) -> String? {
        let text = String(decoding: line.dropLast(), as: UTF8.self)
        let head = "<\(Self.priority)>\(Self.stamp(now)) reload-router[\(process)]: "
        do throws(NotificationError) {
            try socket.send(head + text)
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// The date as RFC 3164 wants it, in UTC: `Nov 29 10:04:12`.
    private static func stamp(_ now: WallTime) -> String {
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        let text = now.rfc3339
        let month = Int(text.dropFirst(5).prefix(2)) ?? 1
        let day = Int(text.dropFirst(8).prefix(2)) ?? 1
        return "\(months[month - 1]) \(day < 10 ? " " : "")\(day) \(text.dropFirst(11).prefix(8))"
    }
}
