import CommandSupport
import Glibc
import Platform

/// The terminal of a full-screen view: its alternate screen, without echo, with keys as they are
/// pressed.
///
/// `leave` restores all that `enter` changes; the caller must see to it that it runs.
final class TopTerminal {
    /// A descriptor of the terminal from which keys are read without blocking. It is opened
    /// separately, because the shell shares the standard descriptors and must not find them
    /// non-blocking. -1 if the terminal cannot be opened; then there are no keys.
    let keys: CInt
    private var savedAttributes = termios()
    private var isActive = false

    /// True if `TERM` names a terminal that can do more than print lines.
    static var isCapable: Bool {
        guard let name = environmentVariable("TERM") else { return false }
        return !name.isEmpty && name != "dumb"
    }

    init() { keys = unsafe open("/dev/tty", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }

    deinit {
        leave()
        if keys >= 0 { close(keys) }
    }

    /// Switches to the alternate screen; does nothing if it is shown.
    func enter() {
        if isActive { return }
        isActive = true
        if keys >= 0, unsafe tcgetattr(keys, &savedAttributes) == 0 {
            var raw = savedAttributes
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
            _ = unsafe tcsetattr(keys, TCSANOW, &raw)
        }
        // The alternate screen, no cursor, and no new line where a line is full.
        write("\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l")
    }

    /// Restores the screen and the keyboard; does nothing if that is done.
    func leave() {
        if !isActive { return }
        isActive = false
        write("\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l")
        if keys >= 0 { _ = unsafe tcsetattr(keys, TCSAFLUSH, &savedAttributes) }
    }

    /// The current number of columns and rows.
    var size: (width: Int, height: Int) { terminalSize(STDOUT_FILENO) ?? (80, 24) }

    /// The keys pressed since the last call; nil once the terminal is gone.
    func readKeys() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe read(keys, buffer.baseAddress, buffer.count)
        }
        if count > 0 { return Array(bytes.prefix(count)) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
    }

    /// Replaces what is on the screen; false if the terminal is gone.
    @discardableResult
    func draw(_ lines: [TopLine]) -> Bool {
        var text = "\u{1b}[H"
        for (index, line) in lines.enumerated() {
            if index > 0 { text += "\r\n" }
            text += "\(line.style.rawValue)\(line.text)\u{1b}[0m\u{1b}[K"
        }
        return write(text + "\u{1b}[J")
    }

    @discardableResult
    private func write(_ text: String) -> Bool { writeStandardOutput(Array(text.utf8)) }
}
