import Glibc

/// Standard output or a new file, line by line, many at a time.
package struct LineWriter: ~Copyable {
    private static let bufferByteCount = 1 << 16

    private let name: String
    private let descriptor: CInt
    private var buffer: [UInt8] = []

    /// Opens a file that is not there; nil is standard output.
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

    package mutating func put(_ line: [UInt8]) throws {
        buffer += line
        buffer.append(0x0a)
        if buffer.count >= Self.bufferByteCount { try flush() }
    }

    /// Writes what is left.
    package mutating func finish() throws {
        try flush()
    }

    private mutating func flush() throws {
        if !writeAll(buffer, to: descriptor) { throw Self.problem(name) }
        buffer.removeAll(keepingCapacity: true)
    }

    private static func problem(_ name: String) -> SettingsProblem {
        SettingsProblem("\(name): \(unsafe String(cString: strerror(errno)))")
    }
}
