import Glibc

/// Writes text to standard error in one system call, so that lines of several threads do not mix.
package func writeStandardError(_ text: String) {
    _ = writeAll(Array(text.utf8), to: STDERR_FILENO)
}

/// Writes a line to standard output at once, whether or not it is a terminal.
package func printLine(_ line: String) {
    _ = writeStandardOutput(Array((line + "\n").utf8))
}

/// Writes bytes to standard output at once; false if it takes no more.
package func writeStandardOutput(_ bytes: [UInt8]) -> Bool {
    writeAll(bytes, to: STDOUT_FILENO)
}

/// Writes bytes at once; false, and `errno`, if it takes no more.
package func writeAll(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
    var offset = 0
    while offset < bytes.count {
        let count = unsafe bytes.withUnsafeBytes { buffer in
            unsafe Glibc.write(descriptor, buffer.baseAddress! + offset, buffer.count - offset)
        }
        if count < 0 && errno != EINTR { return false }
        offset += max(0, count)
    }
    return true
}
