internal import Glibc
internal import Platform

/// The files of the audit log: the present one and the former ones.
///
/// The present file is opened and locked for each write. In between, its disk can be mounted
/// read-only and the file moved away, and other processes can write it.
final class AuditFile {
    /// The longest line, in bytes.
    static var lineLimit: Int { 32 << 10 }

    private let path: String
    private let limit: Int
    private let formerFiles: Int
    private var chain: AuditChain
    /// Whether lines were missing at the end when the last ones were appended: the file was cut
    /// off. The next line names the code of the last one that was written, so that it stays
    /// visible.
    private(set) var isCut = false

    /// Opens or makes the file, readable for its owner alone, to see that this can be done.
    init(_ path: String, key: AuditKey, limit: Int, formerFiles: Int) throws(AuditLogError) {
        self.path = path
        self.limit = limit
        self.formerFiles = formerFiles
        chain = AuditChain(key: key)
        let file = try openLocked()
        defer { close(file) }
        try noteFirstEnd(of: file)
    }

    /// Appends JSON objects as lines, and returns the lines once they are on the disk. If that
    /// fails, none of them is there.
    func append(_ objects: [[UInt8]]) throws(AuditLogError) -> [[UInt8]] {
        var file = try openLocked()
        defer { close(file) }
        isCut = false
        var byteCount = try findLast(in: file, byteCount: try length(file))
        if byteCount >= limit {
            try makeRoom()
            let next = try openLocked()
            close(file)
            file = next
            byteCount = try length(file)
            // Another process may have been here in between.
            if byteCount > 0 { byteCount = try findLast(in: file, byteCount: byteCount) }
        }
        let former = chain
        let lines = objects.map { chain.seal($0) }
        do throws(AuditLogError) {
            try write(Array(lines.joined()), to: file)
            try AuditEnd(number: chain.number, code: chain.last).write(ofLog: path, key: chain.key)
            return lines
        } catch {
            chain = former
            // What is left of a line is cut off by the next one.
            ftruncate(file, off_t(byteCount))
            try? AuditEnd(number: chain.number, code: chain.last).write(ofLog: path, key: chain.key)
            throw error
        }
    }

    /// Whether a line could be written now: the file and its folder are as they must be, and there
    /// is room.
    ///
    /// - Throws: `AuditLogError` if not.
    func probe() throws(AuditLogError) {
        let file = try openLocked()
        defer { close(file) }
        var status = statvfs()
        if unsafe fstatvfs(file, &status) != 0 { throw .system(path) }
        if status.f_flag & UInt(ST_RDONLY) != 0 { throw .failed(path, code: EROFS) }
        let blocks = geteuid() == 0 ? status.f_bfree : status.f_bavail
        // Some file systems say nothing about their size.
        let needed = UInt(Self.lineLimit) / max(1, status.f_frsize) + 1
        if status.f_blocks > 0 && blocks < needed { throw .failed(path, code: ENOSPC) }
    }

    private func write(_ bytes: [UInt8], to file: CInt) throws(AuditLogError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes[written...].withUnsafeBytes { rest in
                unsafe Glibc.write(file, rest.baseAddress, rest.count)
            }
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { throw .system(path) }
            written += count
        }
        if fdatasync(file) != 0 { throw .system(path) }
    }

    /// Opens a file that no other user can change; an error names it, or the file that it is for.
    static func open(
        _ path: String,
        flags: CInt = 0,
        for name: String? = nil
    ) throws(AuditLogError) -> CInt {
        do throws(TrustedFileError) {
            return try TrustedFile.open(path, flags: flags)
        } catch {
            throw AuditLogError(path: name ?? path, reason: error.reason)
        }
    }

    private static var appending: CInt { O_RDWR | O_CREAT | O_APPEND }

    /// Opens the present file and locks it. Another process may have renamed it in between.
    private func openLocked() throws(AuditLogError) -> CInt {
        while true {
            let file = try Self.open(path, flags: Self.appending)
            var (own, present) = (stat(), stat())
            if flock(file, LOCK_EX) != 0 {
                let problem = AuditLogError.system(path)
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

    // MARK: - The chain

    /// Notes the end of a new log, which has no line. Of one that has lines, the end was removed.
    private func noteFirstEnd(of file: CInt) throws(AuditLogError) {
        guard case .none = try AuditEnd.read(ofLog: path, key: chain.key),
            try length(file) == 0, try !Self.exists(name(1))
        else { return }
        try AuditEnd(number: 0, code: AuditChain.none).write(ofLog: path, key: chain.key)
    }

    /// Finds the code of the last line, which another process may have written, and returns the
    /// file's length. What a crash has left of a line is cut off: it was not on the disk yet, so
    /// nothing was done for it.
    private func findLast(in file: CInt, byteCount: Int) throws(AuditLogError) -> Int {
        if byteCount == 0 {
            // If the file was moved away, that it is missing must be seen.
            if case .whole(let end) = try AuditEnd.read(ofLog: path, key: chain.key),
                end.number >= chain.number
            {
                (chain.last, chain.number) = (end.code, end.number)
            }
            return 0
        }
        let tail = try tail(of: file)
        let cut = tail.suffix(while: { $0 != 0x0a })
        if !cut.isEmpty {
            let isOwn = cut.starts(with: Array("{\"at\"".utf8)) || cut.allSatisfy { $0 == 0 }
            let end = byteCount - cut.count
            if !isOwn { throw AuditLogError(path: path, reason: "it is not an audit log") }
            if ftruncate(file, off_t(end)) != 0 { throw .system(path) }
            return try findLast(in: file, byteCount: end)
        }
        let line = tail.split(separator: 0x0a).last
        guard let last = line.flatMap({ AuditChain.codes(of: $0) }) else {
            throw AuditLogError(path: path, reason: "it is not an audit log")
        }
        if chain.last != last.own { try follow(last) }
        return byteCount
    }

    /// Follows the last line of the file, if no line after it is missing; otherwise the last one
    /// that was written.
    private func follow(_ last: AuditChain.Codes) throws(AuditLogError) {
        switch try AuditEnd.read(ofLog: path, key: chain.key) {
        case .whole(let end):
            if end.code == last.own ? true : try isThere(end.code) {
                chain.last = last.own
                chain.number = number(of: last) ?? end.number
                return
            }
            isCut = true
            if end.number >= chain.number { (chain.last, chain.number) = (end.code, end.number) }
        case .none, .foreign:
            // Which line was the last one is not known, so the next one has no line before it.
            isCut = true
            if chain.last == AuditChain.none { chain.number = number(of: last) ?? 0 }
        }
    }

    /// A line's number; nil if it is not one of this log.
    private func number(of line: AuditChain.Codes) -> UInt64? {
        chain.isOwn(line.signed, code: line.own) ? line.number : nil
    }

    /// Whether the present file or the one before has a line with a code, or the log's first line
    /// if the code is that of none: after a crash, the end that is noted is that of an earlier
    /// line.
    private func isThere(_ code: String) throws(AuditLogError) -> Bool {
        for number in 0...1 where try Self.exists(name(number)) {
            let lines = try Self.bytes(of: name(number)).split(separator: 0x0a)
            let isThere = lines.contains { line in
                let codes = AuditChain.codes(of: line)
                return codes?.own == code || code == AuditChain.none && codes?.previous == code
            }
            if isThere { return true }
        }
        return false
    }

    /// The last bytes of a file: at least its last line.
    private func tail(of file: CInt) throws(AuditLogError) -> [UInt8] {
        let end = try length(file)
        var bytes = [UInt8](repeating: 0, count: min(end, 2 * Self.lineLimit))
        let count = unsafe pread(file, &bytes, bytes.count, off_t(end - bytes.count))
        if count != bytes.count { throw .system(path) }
        return bytes
    }

    // MARK: - Rotation

    /// Renames the present file, and the former ones as far as is needed. After a failure it can be
    /// tried again, and no file is lost.
    private func makeRoom() throws(AuditLogError) {
        // Up to the first number that is missing: none of those after it needs to make room.
        var free = 0
        while free < formerFiles, try Self.exists(name(free)) { free += 1 }
        if free == formerFiles { try keepExecuted(name(formerFiles)) }
        for number in stride(from: free, to: 0, by: -1) {
            if unsafe rename(name(number - 1), name(number)) != 0 { throw .system(path) }
        }
    }

    /// Copies the lines of commands that have changed something from a file that is about to be
    /// dropped. So what was refused, or read, never drops a line of what was done.
    private func keepExecuted(_ dropped: String) throws(AuditLogError) {
        if try !Self.exists(dropped) { return }
        let bytes = try Self.bytes(of: dropped)
        let kept = bytes.split(separator: 0x0a).filter(AuditRecord.isKept)
        if kept.isEmpty { return }
        let path = "\(self.path).kept"
        var file = try Self.open(path, flags: Self.appending)
        defer { close(file) }
        if try length(file) >= limit {
            if unsafe rename(path, "\(path).1") != 0 { throw .system(path) }
            let next = try Self.open(path, flags: Self.appending)
            close(file)
            file = next
        }
        try write(Array(kept.map { $0 + [0x0a] }.joined()), to: file)
    }

    /// Whether a name is taken. `access(2)` is no answer: it is that for the real user, without
    /// the capabilities of a service.
    static func exists(_ path: String) throws(AuditLogError) -> Bool {
        var status = stat()
        if unsafe lstat(path, &status) == 0 { return true }
        if errno != ENOENT { throw .system(path) }
        return false
    }

    /// The content of one of the files.
    static func bytes(of path: String) throws(AuditLogError) -> [UInt8] {
        let file = try open(path)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Int(lseek(file, 0, SEEK_END)))
        var count = 0
        while count < bytes.count {
            let got = unsafe bytes.withUnsafeMutableBytes { memory in
                unsafe pread(file, memory.baseAddress! + count, memory.count - count, off_t(count))
            }
            if got <= 0 { throw .system(path) }
            count += got
        }
        return bytes
    }

    /// The present file for 0, and the former ones, youngest first.
    private func name(_ number: Int) -> String { number == 0 ? path : "\(path).\(number)" }
}

/// Why the audit log cannot be opened, read or written.
package struct AuditLogError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file.
    package let path: String
    /// What was wrong, for people.
    package let reason: String

    /// What the system says of the last call.
    static func system(_ path: String) -> AuditLogError { failed(path, code: errno) }

    /// What the system says of such a failure.
    static func failed(_ path: String, code: CInt) -> AuditLogError {
        AuditLogError(path: path, reason: unsafe String(cString: strerror(code)))
    }

    /// A sentence that names the file.
    package var description: String { "the audit log \(path): \(reason)" }
}

extension [UInt8] {
    /// The longest end of which all bytes fulfil a condition.
    fileprivate func suffix(while isPart: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        var start = count
        while start > 0, isPart(self[start - 1]) { start -= 1 }
        return self[start...]
    }
}
