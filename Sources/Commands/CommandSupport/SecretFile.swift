package import Cryptography
import DataStructures
import Glibc

/// Reads files with certificates and keys.
package enum SecretFile {
    /// The longest file that is read, in bytes.
    private static var longest: Int { 1 << 20 }

    /// Reads a file that is no secret, such as a certificate.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - setting: the setting or option that names it, for errors.
    /// - Returns: its bytes.
    /// - Throws: `SettingsProblem`.
    package static func certificate(
        _ path: String,
        of setting: String
    ) throws(SettingsProblem) -> [UInt8] {
        try read(path, of: setting, isSecret: false)
    }

    /// Reads a file with a secret, such as a private key. One that every user of this machine can
    /// read is refused, with the line that mends it.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - setting: the setting or option that names it, for errors.
    /// - Returns: its bytes.
    /// - Throws: `SettingsProblem`.
    package static func key(
        _ path: String,
        of setting: String
    ) throws(SettingsProblem) -> [UInt8] {
        try read(path, of: setting, isSecret: true)
    }

    /// Writes a file as a whole: under another name first, so that a router that reads it gets the
    /// old one or the new one.
    ///
    /// - Parameters:
    ///   - bytes: what is written.
    ///   - path: the file.
    ///   - isSecret: whether only its owner may read it.
    /// - Throws: `SettingsProblem`.
    package static func write(
        _ bytes: [UInt8],
        to path: String,
        isSecret: Bool
    ) throws(SettingsProblem) {
        let temporary = path + ".new"
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

    private static func read(
        _ path: String,
        of setting: String,
        isSecret: Bool
    ) throws(SettingsProblem) -> [UInt8] {
        guard let file = unsafe fopen(path, "rb") else {
            throw SettingsProblem(
                "\(setting) is \(path): \(unsafe String(cString: strerror(errno)))"
            )
        }
        defer { unsafe fclose(file) }
        var status = stat()
        let hasStatus = unsafe fstat(fileno(file), &status) == 0
        if isSecret && hasStatus && status.st_mode & S_IROTH != 0 {
            throw SettingsProblem(
                "\(setting) is \(path), a secret that every user of this machine can read; mend "
                    + "it with: chmod 600 \(path)"
            )
        }
        // Without a buffer of the library, in which a secret would stay.
        unsafe setvbuf(file, nil, _IONBF, 0)
        // A file has about the size that the system says; what comes from a pipe may be of any.
        let isFile = hasStatus && status.st_mode & S_IFMT == S_IFREG
        let room = isFile ? min(longest, Int(status.st_size) + 4_096) : longest
        var bytes = [UInt8](repeating: 0, count: room + 1)
        defer { if isSecret { bytes.erase() } }
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        if unsafe ferror(file) != 0 || count > room {
            throw SettingsProblem(
                "\(setting) is \(path), which is not a file of at most \(longest) bytes"
            )
        }
        return Array(bytes[..<count])
    }
}

extension Identity {
    /// Reads an identity from its two files.
    ///
    /// - Parameters:
    ///   - certificate: the file of the certificate and its chain.
    ///   - key: the file of the private key, which no other user may be able to read.
    /// - Throws: `SettingsProblem`.
    package init(certificate: String, key: String) throws(SettingsProblem) {
        self.init(
            chain: try SecretFile.certificate(certificate, of: "cert"),
            key: try SecretFile.key(key, of: "key")
        )
    }
}
