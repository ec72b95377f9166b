import CommandSupport
import Glibc
import Platform

/// Ends the process in the ordinary way once its standard input ends.
///
/// A program that starts a router passes it a pipe, and keeps the other end. The system closes that
/// end with the program, however the program ends.
enum InputEnd {
    /// Starts a thread that reads standard input, and then sends SIGTERM to this process.
    ///
    /// - Throws: `SettingsProblem` if there can be no thread.
    static func drain() throws(SettingsProblem) {
        let status = startThread {
            var bytes = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
                if count == 0 || (count < 0 && errno != EINTR) { break }
            }
            _ = kill(getpid(), SIGTERM)
        }
        if status != 0 {
            throw SettingsProblem("end-with-input: the system starts no more threads")
        }
    }
}
