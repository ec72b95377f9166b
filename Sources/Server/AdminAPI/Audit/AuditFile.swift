internal import Glibc

/// The files of the audit log: the present one and the former ones.
///
/// The first line locks the present one, so that no two processes write it. Before that, a second
/// process may have it open, such as one that is about to find the store locked.
final class AuditFile {
    private let path: String
    private let limit: Int
    private let formerFiles: Int
    private var descriptor: CInt = -1
    /// The length of the present file, in bytes.
    private var byteCount = 0
    private var isLocked = false

    /// Opens or makes the file, readable for its owner alone.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - limit: the length at which the next file is begun, in bytes.
    ///   - formerFiles: how many former files are kept.
    /// - Throws: `AuditLogError`.
    init(_ path: String, limit: Int, formerFiles: Int) throws(AuditLogError) {
        self.path = path
        self.limit = limit
        self.formerFiles = formerFiles
        descriptor = try open(path)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends lines, and returns once they are on the disk. If that fails, none of them is there.
    func append(_ lines: [[UInt8]]) throws(AuditLogError) {
        try lock()
        if byteCount >= limit { try beginNext() }
        let bytes = Array(lines.joined())
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes[written...].withUnsafeBytes { rest in
                unsafe write(descriptor, rest.baseAddress, rest.count)
            }
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { throw undo(problem()) }
            written += count
        }
        if fdatasync(descriptor) != 0 { throw undo(problem()) }
        byteCount += bytes.count
    }

    /// Cuts off what was written of lines that are to be written again. If that fails, the next
    /// line follows the cut one on a line of its own.
    private func undo(_ error: AuditLogError) -> AuditLogError {
        if ftruncate(descriptor, off_t(byteCount)) != 0 { isLocked = false }
        return error
    }

    private func problem() -> AuditLogError {
        AuditLogError(path: path, reason: unsafe String(cString: strerror(errno)))
    }

    private func open(_ path: String) throws(AuditLogError) -> CInt {
        let found = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        if found < 0 { throw problem() }
        return found
    }

    /// Locks the present file, and finds its end; does nothing once that is done.
    private func lock() throws(AuditLogError) {
        if isLocked { return }
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            throw AuditLogError(path: path, reason: "another process writes it")
        }
        let end = lseek(descriptor, 0, SEEK_END)
        if end < 0 { throw AuditLogError(path: path, reason: "it is not a file") }
        byteCount = Int(end)
        try endLine()
        isLocked = true
    }

    /// Ends a line that a crash has cut, so that the next one is whole.
    private func endLine() throws(AuditLogError) {
        var last: UInt8 = 0x0a
        if unsafe byteCount > 0 && pread(descriptor, &last, 1, off_t(byteCount - 1)) != 1 {
            throw problem()
        }
        if last == 0x0a { return }
        var feed: UInt8 = 0x0a
        if unsafe write(descriptor, &feed, 1) != 1 { throw problem() }
        byteCount += 1
    }

    /// Begins an empty file, and renames the present one and the former ones. After a failure it
    /// can be tried again: what has been renamed is not renamed twice.
    private func beginNext() throws(AuditLogError) {
        let next = "\(path).new"
        unsafe unlink(next)
        let found = try open(next)
        if flock(found, LOCK_EX | LOCK_NB) != 0 {
            let problem = problem()
            close(found)
            throw problem
        }
        // Up to the first number that is missing: none of those after it needs to make room.
        let free = (0..<formerFiles).first { unsafe access(name($0), F_OK) != 0 } ?? formerFiles
        for number in stride(from: free, to: 0, by: -1) {
            try rename(name(number - 1), to: name(number), closing: found)
        }
        try rename(next, to: path, closing: found)
        close(descriptor)
        descriptor = found
        byteCount = 0
    }

    /// The present file for 0, and the former ones, youngest first.
    private func name(_ number: Int) -> String { number == 0 ? path : "\(path).\(number)" }

    private func rename(
        _ former: String,
        to present: String,
        closing file: CInt
    ) throws(AuditLogError) {
        if unsafe Glibc.rename(former, present) == 0 || errno == ENOENT { return }
        let problem = problem()
        close(file)
        throw problem
    }
}
