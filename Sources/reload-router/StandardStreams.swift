import Glibc

/// Writes text to standard error in one system call, so that lines of several threads do not mix.
func writeStandardError(_ text: String) {
    write(text, to: STDERR_FILENO)
}

/// Writes a line to standard output at once, whether or not it is a terminal.
func printLine(_ line: String) {
    write(line + "\n", to: STDOUT_FILENO)
}

private func write(_ text: String, to descriptor: CInt) {
    let bytes = Array(text.utf8)
    var offset = 0
    while offset < bytes.count {
        let count = unsafe bytes.withUnsafeBytes { buffer in
            unsafe Glibc.write(descriptor, buffer.baseAddress! + offset, buffer.count - offset)
        }
        if count < 0 && errno != EINTR { return }
        offset += max(0, count)
    }
}
