internal import Glibc
internal import Platform

/// The files of the audit log: the present one and the former ones.
///
/// The present file is opened and locked for each write. In between, its disk can be mounted
/// read-only and the file moved away, and other processes can write it.
final class AuditFile {
    private let path: String
    private let limit: Int
    private let formerFiles: Int

    /// Opens or makes the file, readable for its owner alone, to see that this can be done.
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
        close(try open())
    }

    /// Appends lines, and returns once they are on the disk. If that fails, none of them is there.
    func append(_ lines: [[UInt8]]) throws(AuditLogError) {
        var file = try openLocked()
        defer { close(file) }
        var byteCount = try length(file)
        if byteCount >= limit {
            try makeRoom()
            close(file)
            file = try openLocked()
            byteCount = try length(file)
        }
        var bytes = Array(lines.joined())
        if try isCut(file, byteCount: byteCount) { bytes.insert(0x0a, at: 0) }
        do throws(AuditLogError) {
            try write(bytes, to: file)
        } catch {
            // What is left of a line is ended by the next one.
            ftruncate(file, off_t(byteCount))
            throw error
        }
    }

    private func write(_ bytes: [UInt8], to file: CInt) throws(AuditLogError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes[written...].withUnsafeBytes { rest in
                unsafe Glibc.write(file, rest.baseAddress, rest.count)
            }
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { throw problem() }
            written += count
        }
        if fdatasync(file) != 0 { throw problem() }
    }

    private func problem() -> AuditLogError {
        AuditLogError(path: path, reason: unsafe String(cString: strerror(errno)))
    }

    private func open() throws(AuditLogError) -> CInt {
        do throws(TrustedFileError) {
            return try TrustedFile.open(path, flags: O_RDWR | O_CREAT | O_APPEND)
        } catch {
            throw AuditLogError(path: path, reason: error.reason)
        }
    }

    /// Opens the present file and locks it. Another process may have renamed it in between.
    private func openLocked() throws(AuditLogError) -> CInt {
        while true {
            let file = try open()
            var (own, present) = (stat(), stat())
            if flock(file, LOCK_EX) != 0 {
                let problem = problem()
                close(file)
                throw problem
            }
            let isPresent = unsafe fstat(file, &own) == 0 && stat(path, &present) == 0
            if isPresent && own.st_ino == present.st_ino && own.st_dev == present.st_dev {
                return file
            }
            close(file)
        }
    }

    private func length(_ file: CInt) throws(AuditLogError) -> Int {
        let end = lseek(file, 0, SEEK_END)
        if end < 0 { throw AuditLogError(path: path, reason: "it is not a file") }
        return Int(end)
    }

    /// Whether a crash has cut the last line, so that the next one must begin on a new line.
    private func isCut(_ file: CInt, byteCount: Int) throws(AuditLogError) -> Bool {
        if byteCount == 0 { return false }
        var last: UInt8 = 0x0a
        if unsafe pread(file, &last, 1, off_t(byteCount - 1)) != 1 { throw problem() }
        return last != 0x0a
    }

    /// Renames the present file, and the former ones as far as is needed. After a failure it can be
    /// tried again, and no file is lost.
    private func makeRoom() throws(AuditLogError) {
        // Up to the first number that is missing: none of those after it needs to make room.
        let free = (0..<formerFiles).first { unsafe access(name($0), F_OK) != 0 } ?? formerFiles
        for number in stride(from: free, to: 0, by: -1) {
            if unsafe rename(name(number - 1), name(number)) != 0 { throw problem() }
        }
    }

    /// The present file for 0, and the former ones, youngest first.
    private func name(_ number: Int) -> String { number == 0 ? path : "\(path).\(number)" }
}
