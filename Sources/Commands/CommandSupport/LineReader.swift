import Glibc

/// Reads a file or standard input line by line. It owns the file, which is closed when the reader
/// is destroyed.
package struct LineReader: ~Copyable {
    /// The limit of a line's length, in bytes, without its line feed. `next` throws at a longer
    /// line.
    package static let lineLimit = 16 << 20
    /// Bytes per system call.
    private static let chunkByteCount = 1 << 16

    /// A line without its end, which is a line feed, with or without a carriage return before it.
    package struct Line {
        /// The number of the line, from 1.
        package var number: Int
        /// The bytes of the line, without its end.
        package var bytes: [UInt8]
    }

    /// The name of the input in messages: its path, or "standard input".
    package let name: String
    private let descriptor: CInt
    private var buffer: [UInt8] = []
    private var start = 0
    private var number = 0
    private var hasEnded = false

    /// Opens a file; `-` is standard input.
    package init(_ path: String) throws {
        if path == "-" {
            name = "standard input"
            descriptor = STDIN_FILENO
            return
        }
        name = path
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 {
            throw SettingsProblem("\(path): \(unsafe String(cString: strerror(errno)))")
        }
    }

    deinit {
        if descriptor > STDIN_FILENO { close(descriptor) }
    }

    /// Returns the next line; nil after the last.
    package mutating func next() throws -> Line? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0a) {
                defer { start = end + 1 }
                return try line(until: end)
            }
            searched = buffer.count - start
            if hasEnded {
                guard start < buffer.count else { return nil }
                defer { start = buffer.count }
                return try line(until: buffer.count)
            }
            try fill()
        }
    }

    /// Returns the next line that is not blank; nil after the last.
    package mutating func nextNonBlank() throws -> Line? {
        while let line = try next() {
            if line.bytes.contains(where: { $0 > 0x20 }) { return line }
        }
        return nil
    }

    /// Returns a whole input, with a line feed after each line.
    package static func content(of path: String) throws -> [UInt8] {
        var lines = try LineReader(path)
        var bytes: [UInt8] = []
        while let line = try lines.next() { bytes += line.bytes + [0x0a] }
        return bytes
    }

    private mutating func line(until end: Int) throws -> Line {
        assert(start <= end && end <= buffer.count, "a line ends before it begins")
        number += 1
        try checkLength(end - start, line: number)
        let hasReturn = end > start && buffer[end - 1] == 0x0d
        return Line(number: number, bytes: Array(buffer[start..<(hasReturn ? end - 1 : end)]))
    }

    private func checkLength(_ count: Int, line: Int) throws {
        if count <= Self.lineLimit { return }
        throw SettingsProblem("\(name): line \(line) is longer than \(Self.lineLimit) bytes")
    }

    private mutating func fill() throws {
        assert(!hasEnded, "nothing follows the end of the input")
        buffer.removeFirst(start)
        start = 0
        try checkLength(buffer.count, line: number + 1)
        var chunk = [UInt8](repeating: 0, count: Self.chunkByteCount)
        let count = unsafe read(descriptor, &chunk, chunk.count)
        if count < 0 {
            if errno == EINTR { return }
            throw SettingsProblem("\(name): \(unsafe String(cString: strerror(errno)))")
        }
        hasEnded = count == 0
        buffer += chunk[..<count]
    }
}
