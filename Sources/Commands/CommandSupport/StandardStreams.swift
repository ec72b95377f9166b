import Basics
import Glibc
import Platform

/// Writes text to standard error without buffering, in a single system call as a rule, so that
/// lines of several threads do not mix. Errors are ignored.
package func writeStandardError(_ text: String) {
    Progress.hideLine()
    _ = writeAll(Array(text.utf8), to: STDERR_FILENO)
}

/// Writes a line to standard output without buffering, even if that is a file or a pipe. Errors are
/// ignored.
package func printLine(_ line: String) { _ = writeStandardOutput(Array((line + "\n").utf8)) }

/// Writes bytes to standard output without buffering; false if it cannot be written to.
package func writeStandardOutput(_ bytes: [UInt8]) -> Bool {
    Progress.hideLine()
    return writeAll(bytes, to: STDOUT_FILENO)
}

/// The number of columns and rows of a terminal; nil if the descriptor is none.
package func terminalSize(_ descriptor: CInt) -> (width: Int, height: Int)? {
    var size = winsize()
    let status = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    return status == 0 && size.ws_col > 0 ? (Int(size.ws_col), Int(size.ws_row)) : nil
}

/// Writes all bytes to a descriptor; false, with `errno` set, if that fails.
package func writeAll(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
    bytes.withByteView { writeAll($0, to: descriptor) }
}
