import Glibc

/// Writes lines to standard output or to a new file, buffering up to 64 KiB. What `finish` has not
/// written is lost.
package struct LineWriter: ~Copyable {
    private static let bufferByteCount = 1 << 16

    private let name: String
    private let descriptor: CInt
    private var buffer: [UInt8] = []

    /// Creates a file, which must not exist yet; nil is standard output.
    ///
    /// - Throws: `SettingsProblem` with the system's reason.
    package init(_ path: String?) throws {
        guard let path else {
            name = "standard output"
            descriptor = STDOUT_FILENO
            return
        }
        name = path
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw Self.problem(name) }
    }

    deinit {
        if descriptor != STDOUT_FILENO { close(descriptor) }
    }

    /// Appends a line and a line feed.
    ///
    /// - Throws: `SettingsProblem` if the buffer was full and cannot be written.
    package mutating func put(_ line: [UInt8]) throws {
        buffer += line
        buffer.append(0x0a)
        if buffer.count >= Self.bufferByteCount { try flush() }
    }

    /// Writes what is still buffered.
    package mutating func finish() throws {
        try flush()
    }

    private mutating func flush() throws {
        if descriptor == STDOUT_FILENO { Progress.hideLine() }
        if !writeAll(buffer, to: descriptor) { throw Self.problem(name) }
        buffer.removeAll(keepingCapacity: true)
    }

    private static func problem(_ name: String) -> SettingsProblem {
        SettingsProblem("\(name): \(unsafe String(cString: strerror(errno)))")
    }
}
