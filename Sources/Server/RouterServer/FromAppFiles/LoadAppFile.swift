internal import AdminAPI
package import Basics
internal import Credentials
internal import Cryptography
internal import Glibc
internal import Platform
package import RouterCore

/// Reads and parses the app file.
///
/// - Throws: `AppFileProblem`; it names line and column if the text is invalid.
package func loadAppFile(_ path: String) throws(AppFileProblem) -> AppFile {
    try loadAppFile(path, unless: nil)!.file
}

/// Reads the app file, and parses it if it is another one than that with the digest `known`.
///
/// - Returns: the file, and the SHA-256 of its bytes; nil if it is the known one.
/// - Throws: `AppFileProblem`; it names line and column if the text is invalid.
package func loadAppFile(
    _ path: String,
    unless known: SHA256Digest?
) throws(AppFileProblem) -> (file: AppFile, digest: SHA256Digest)? {
    var (bytes, isPublic) = try readFile(path)
    // It may have keys of HS256.
    defer { bytes.erase() }
    let digest = bytes.withByteView { SHA256.digest($0) }
    if digest == known && !isPublic { return nil }
    let file: AppFile
    do throws(AppFileError) {
        file = try bytes.withByteView { (view) throws(AppFileError) in try AppFile.parse(view) }
    } catch {
        throw .invalid(path: path, error)
    }
    if isPublic && file.access.contains(where: \.hasSecrets) {
        throw .refused(
            path: path,
            reason: "it has a key of HS256, a secret, and every user of this machine can read it; "
                + "fix that with: chmod 600 \(path)"
        )
    }
    if let reason = file.unusableKey { throw .refused(path: path, reason: reason) }
    return (file, digest)
}

/// Reads a file, and says whether every user of this machine can read it.
private func readFile(_ path: String) throws(AppFileProblem) -> (bytes: [UInt8], isPublic: Bool) {
    let descriptor: CInt
    do throws(TrustedFileError) {
        if let pipe = try TrustedFile.openPipe(path) {
            descriptor = pipe
        } else {
            descriptor = try TrustedFile.open(path)
        }
    } catch {
        throw .unreadable(path: path, reason: error.reason)
    }
    defer { close(descriptor) }
    var status = stat()
    let isKnown = unsafe fstat(descriptor, &status) == 0
    var bytes: [UInt8] = []
    // All at once: an array that grows leaves its bytes in the memory that it had before.
    bytes.reserveCapacity(max(0, Int(status.st_size)) + 1)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    defer { buffer.erase() }
    while true {
        let count = unsafe readAll(descriptor, into: &buffer, byteCount: buffer.count)
        if count < 0 {
            throw .unreadable(path: path, reason: "it is not a file that can be read")
        }
        bytes.append(contentsOf: buffer[..<count])
        if count < buffer.count { return (bytes, isKnown && status.st_mode & S_IROTH != 0) }
    }
}

/// Why an app file was refused.
package enum AppFileProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file cannot be read.
    case unreadable(path: String, reason: String)
    /// The file is not a valid app file.
    case invalid(path: String, AppFileError)
    /// The router's limits do not allow what the file declares.
    case refused(path: String, reason: String)

    /// The path and the reason, for people.
    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): \(reason)"
        case .invalid(let path, let error): "\(path): \(error)"
        case .refused(let path, let reason): "\(path): \(reason)"
        }
    }
}
