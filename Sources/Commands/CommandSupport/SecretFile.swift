package import Basics
package import Cryptography
import Glibc
import Platform

/// Reads files with certificates and keys, and others that decide who is let in.
package enum SecretFile {
    /// What may be read in place of a file.
    package enum Source {
        /// Nothing: a router that serves would wait for what writes into a pipe.
        case files
        /// What a command reads once: a pipe, such as `--key <(decrypt key.pem.gpg)`, or the
        /// terminal.
        case filesAndPipes
    }

    /// The longest file that is read, in bytes.
    private static var longest: Int { 1 << 20 }

    // Each of these reads the file at a path, which a setting or an option names in errors, and
    // throws `SettingsProblem`.

    /// Reads a file that is no secret and decides nothing, such as a certificate.
    package static func certificate(
        _ path: String,
        of setting: String,
        from source: Source = .filesAndPipes
    ) throws(SettingsProblem) -> [UInt8] {
        // Without O_NONBLOCK, to open a pipe takes until another process opens it, too.
        let waiting = source == .files ? O_NONBLOCK : 0
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | waiting)
        if file < 0 {
            throw problem(path, of: setting, reason: unsafe String(cString: strerror(errno)))
        }
        return try read(file, at: path, of: setting, from: source, isSecret: false)
    }

    /// Reads a file that decides who may do what, and is no secret, such as a list of operators.
    /// One that other users could change is refused (`TrustedFile`), with the line that mends it.
    package static func trusted(
        _ path: String,
        of setting: String,
        from source: Source = .filesAndPipes
    ) throws(SettingsProblem) -> [UInt8] {
        let file = try openTrusted(path, of: setting, from: source)
        return try read(file, at: path, of: setting, from: source, isSecret: false)
    }

    /// Reads a file with a secret, such as a private key. One that every user of this machine can
    /// read, or other users could change, is refused, with the line that mends it.
    package static func key(
        _ path: String,
        of setting: String,
        from source: Source = .filesAndPipes
    ) throws(SettingsProblem) -> [UInt8] {
        let file = try openTrusted(path, of: setting, from: source)
        return try read(file, at: path, of: setting, from: source, isSecret: true)
    }

    private static func openTrusted(
        _ path: String,
        of setting: String,
        from source: Source
    ) throws(SettingsProblem) -> CInt {
        do throws(TrustedFileError) {
            if source == .filesAndPipes, let pipe = try TrustedFile.openPipe(path) { return pipe }
            return try TrustedFile.open(path)
        } catch {
            throw problem(path, of: setting, reason: error.reason)
        }
    }

    private static func problem(
        _ path: String,
        of setting: String,
        reason: String
    ) -> SettingsProblem {
        SettingsProblem("\(setting) is \(path): \(reason)")
    }

    /// Writes a file as a whole: under a name of this process first, so that a reader gets the
    /// old one or the new one, also of two writers. Only its owner may read a secret.
    package static func write(
        _ bytes: [UInt8],
        to path: String,
        isSecret: Bool
    ) throws(SettingsProblem) {
        let temporary = "\(path).\(getpid()).new"
        // Of a process of this number that was killed.
        unsafe unlink(temporary)
        let mode: mode_t = isSecret ? 0o600 : 0o644
        let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        if file < 0 { throw SettingsProblem(unwritable: temporary) }
        let count = unsafe Glibc.write(file, bytes, bytes.count)
        let isWritten = count == bytes.count && fsync(file) == 0
        close(file)
        if unsafe isWritten && rename(temporary, path) == 0 { return }
        let problem = SettingsProblem(unwritable: path)
        unsafe unlink(temporary)
        throw problem
    }

    /// Reads an open file to its end, and closes it.
    private static func read(
        _ file: CInt,
        at path: String,
        of setting: String,
        from source: Source,
        isSecret: Bool
    ) throws(SettingsProblem) -> [UInt8] {
        defer { close(file) }
        var status = stat()
        if unsafe fstat(file, &status) != 0 || !isReadable(file, mode: status.st_mode, from: source)
        {
            throw problem(path, of: setting, reason: "it is not a file")
        }
        if isSecret && status.st_mode & S_IROTH != 0 {
            throw problem(
                path,
                of: setting,
                reason: "every user of this machine can read it, and it is a secret; mend it with: "
                    + "chmod 600 \(path)"
            )
        }
        // A file has about the size that the system says; what comes from a pipe may be of any.
        let isFile = status.st_mode & S_IFMT == S_IFREG
        let room = isFile ? min(longest, Int(status.st_size) + 4_096) : longest
        var bytes = [UInt8](repeating: 0, count: room + 1)
        defer { if isSecret { bytes.erase() } }
        // One byte more than fits shows that the file is longer.
        let count = unsafe readAll(file, into: &bytes, byteCount: bytes.count)
        if count < 0 || count > room {
            throw SettingsProblem(
                "\(setting) is \(path), which is not a file of at most \(longest) bytes"
            )
        }
        return Array(bytes[..<count])
    }

    /// Whether what was opened may be read.
    private static func isReadable(_ file: Int32, mode: mode_t, from source: Source) -> Bool {
        switch mode & S_IFMT {
        case S_IFREG: true
        case S_IFIFO: source == .filesAndPipes
        case S_IFCHR: source == .filesAndPipes && isatty(file) == 1
        default: false
        }
    }
}

extension Identity {
    /// Reads an identity from its two files: the certificate with its chain, and the private key.
    package init(
        certificate: String,
        key: String,
        from source: SecretFile.Source
    ) throws(SettingsProblem) {
        self.init(
            chain: try SecretFile.certificate(certificate, of: "cert", from: source),
            key: try SecretFile.key(key, of: "key", from: source)
        )
    }
}

/// What shows, without reading a file, whether it or its permissions have been changed.
package struct SecretFileVersion: Equatable {
    private let device: UInt64
    private let inode: UInt64
    private let byteCount: Int
    /// When the file, its owner or its permissions were changed last, in ns since 1970.
    private let changedAt: Int

    /// How long after a change a version says that there was no other since: the system's clock
    /// for files takes a few ms to advance.
    private static var leastAge: Milliseconds { .seconds(2) }

    /// The version of the file at a path; nil if it cannot be reached, or was changed so recently
    /// that a further change might not be seen.
    package init?(path: String, now: WallTime) {
        var status = stat()
        if unsafe stat(path, &status) != 0 { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        byteCount = Int(status.st_size)
        changedAt = status.st_ctim.tv_sec * 1_000_000_000 + status.st_ctim.tv_nsec
        let age = now - WallTime(rawValue: Int64(changedAt / 1_000_000))
        if age < Self.leastAge { return nil }
    }
}
