package import Basics
internal import Cryptography
internal import Glibc
internal import Platform

/// The secret with which an audit log proves that its lines are its own, and by which it refers to
/// other secrets. It is in a file beside the log, for its owner alone.
package struct AuditKey: Sendable {
    /// The number of hexadecimal digits of a code.
    static var codeDigits: Int { 32 }

    private let secret: Secret

    init(_ secret: Secret) { self.secret = secret }

    /// The file of the key of a log.
    package static func path(ofLog path: String) -> String { "\(path).key" }

    /// Reads the key of a log, or draws one if there is none and it may be new.
    package init(ofLog path: String, mayBeNew: Bool) throws(AuditLogError) {
        let path = Self.path(ofLog: path)
        if let found = try Self.read(path, mayBeNew: mayBeNew) {
            secret = found
            return
        }
        // It has another name until it is on the disk: after a loss of power it is there as a
        // whole, or not at all.
        let new = "\(path).new"
        let file = try AuditFile.open(new, flags: O_RDWR | O_CREAT, for: path)
        defer { close(file) }
        // Another router may make it at the same moment.
        if flock(file, LOCK_EX) != 0 { throw .system(path) }
        if let found = try Self.read(path, mayBeNew: true) {
            _ = unsafe unlink(new)
            secret = found
            return
        }
        secret = try Self.draw(into: file, at: path)
        if unsafe rename(new, path) != 0 || !Self.syncFolder(of: path) { throw .system(path) }
    }

    /// Reads a key; nil if there is none and it may be new.
    private static func read(_ path: String, mayBeNew: Bool) throws(AuditLogError) -> Secret? {
        if mayBeNew, try !AuditFile.exists(path) { return nil }
        let file = try AuditFile.open(path, flags: mayBeNew ? O_RDWR : O_RDONLY)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 65)
        defer { bytes.erase() }
        let count = unsafe pread(file, &bytes, bytes.count, 0)
        if count == 0 && mayBeNew { return nil }
        let text = String(decoding: bytes.prefix(64), as: UTF8.self)
        guard count == 65, bytes[64] == 0x0a, let found = SHA256Digest(hexadecimal: text) else {
            throw AuditLogError(path: path, reason: "it is not a key of 64 hexadecimal digits")
        }
        return Secret(found.hexadecimal)
    }

    private static func draw(into file: CInt, at path: String) throws(AuditLogError) -> Secret {
        guard let random = try? randomBytes(SHA256Digest.byteCount) else {
            throw AuditLogError(path: path, reason: "the system has no random bytes")
        }
        let text = random.withByteView { SHA256Digest($0) }.hexadecimal
        let line = Array("\(text)\n".utf8)
        guard ftruncate(file, 0) == 0, unsafe write(file, line, line.count) == line.count,
            fsync(file) == 0
        else { throw .system(path) }
        return Secret(text)
    }

    /// Brings the name of a file to the disk; false if that fails.
    private static func syncFolder(of path: String) -> Bool {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }

    /// The code of a line (HMAC-SHA-256, RFC 2104, its first half).
    func code(of line: ByteView) -> String {
        SHA256.code(of: line, secret: secret)
            .withByteView { SHA256Digest($0).hexadecimal }
            .prefix(Self.codeDigits)
            .description
    }

    /// What the log says in place of a secret: the same for the same secret alone.
    package func digest(of secret: Secret) -> String {
        // No line begins with this byte.
        secret.withByteView { Secret(0, then: $0) }.withByteView { code(of: $0) }
    }
}
