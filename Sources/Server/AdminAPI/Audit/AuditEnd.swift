internal import Basics
internal import Glibc
internal import Platform

/// The last line of an audit log, as it is noted in a file beside it: lines that are cut off at the
/// end leave no trace in the log itself.
///
///     {"line":                  42,"code":"CODE","seal":"CODE"}
///
/// Its length is always the same, so it is written in place. After a crash it may be that of a line
/// before the last, and never of one that is not there.
struct AuditEnd: Equatable {
    /// The number of the line; 0 for none.
    let number: UInt64
    /// The line's code.
    let code: String

    /// What there is of it.
    enum Note: Equatable {
        /// No file, or an empty one.
        case none
        /// A file that no router with the key of the log has written.
        case foreign
        case whole(AuditEnd)
    }

    private static var numberDigits: Int { 20 }

    /// The file of the end of a log.
    static func path(ofLog path: String) -> String { "\(path).end" }

    /// Reads the end of a log.
    static func read(ofLog path: String, key: AuditKey) throws(AuditLogError) -> Note {
        let path = Self.path(ofLog: path)
        if try !AuditFile.exists(path) { return .none }
        let bytes = try AuditFile.bytes(of: path)
        if bytes.isEmpty { return .none }
        let text = String(decoding: bytes, as: UTF8.self)
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        // {│line│:NUMBER,│code│:│CODE│,│seal│:│CODE│}
        guard parts.count == 11, let number = UInt64(parts[2].filter(\.isNumber)) else {
            return .foreign
        }
        let end = AuditEnd(number: number, code: String(parts[5]))
        return end.bytes(key: key) == bytes ? .whole(end) : .foreign
    }

    /// Writes the end of a log, and returns once it is on the disk.
    func write(ofLog path: String, key: AuditKey) throws(AuditLogError) {
        let path = Self.path(ofLog: path)
        let file = try AuditFile.open(path, flags: O_RDWR | O_CREAT)
        defer { close(file) }
        let bytes = bytes(key: key)
        guard unsafe pwrite(file, bytes, bytes.count, 0) == bytes.count,
            ftruncate(file, off_t(bytes.count)) == 0, fdatasync(file) == 0
        else { throw .system(path) }
    }

    private func bytes(key: AuditKey) -> [UInt8] {
        let digits = String(number)
        let space = String(repeating: " ", count: Self.numberDigits - digits.count)
        let signed = Array("{\"line\":\(space)\(digits),\"code\":\"\(code)\"".utf8)
        let seal = signed.withByteView { key.code(of: $0) }
        return signed + Array(",\"seal\":\"\(seal)\"}\n".utf8)
    }
}
