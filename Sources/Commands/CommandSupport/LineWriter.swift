import Glibc

/// Writes lines to standard output or to a file, buffering up to 256 KiB. What `finish` has not
/// written is lost.
package final class LineWriter {
    private static let bufferByteCount = 1 << 18

    private let name: String
    private let descriptor: CInt
    private var buffer: [UInt8] = []
    private var failure: SettingsProblem?

    /// Creates a file; nil or `-` is standard output. A file that is there is written over if
    /// `replaces`, and else refused.
    package init(_ path: String?, replaces: Bool = false) throws(SettingsProblem) {
        guard let path, path != "-" else {
            name = "standard output"
            descriptor = STDOUT_FILENO
            return
        }
        name = path
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (replaces ? O_TRUNC : O_EXCL)
        descriptor = unsafe open(path, flags, 0o600)
        if descriptor < 0 { throw SettingsProblem(unwritable: path) }
    }

    deinit {
        if descriptor != STDOUT_FILENO { close(descriptor) }
    }

    /// Appends a line and a line feed. Once a full buffer could not be written, everything fails.
    package func put(_ line: [UInt8]) throws(SettingsProblem) {
        if let failure { throw failure }
        buffer += line
        buffer.append(0x0a)
        if buffer.count >= Self.bufferByteCount { try finish() }
    }

    /// Writes what is still buffered.
    package func finish() throws(SettingsProblem) {
        if let failure { throw failure }
        if descriptor == STDOUT_FILENO { Progress.hideLine() }
        if !writeAll(buffer, to: descriptor) {
            let problem = SettingsProblem(unwritable: name)
            failure = problem
            throw problem
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
