import CommandSupport
import Glibc

/// The terminal of a full-screen view: a screen of its own, no echo, and keys as they are pressed.
///
/// What it changes, `leave` changes back; whoever enters makes sure that it is called.
final class TopTerminal {
    /// A terminal of its own, because the other descriptors are shared with the shell, and would stay
    /// non-blocking; -1 if there are no keys.
    let keys: CInt
    private var before = termios()
    private var isEntered = false

    /// Whether the terminal says that it knows more than lines.
    static var isCapable: Bool {
        guard let name = unsafe getenv("TERM") else { return false }
        let text = unsafe String(cString: name)
        return !text.isEmpty && text != "dumb"
    }

    init() {
        keys = unsafe open("/dev/tty", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    }

    deinit {
        leave()
        if keys >= 0 { close(keys) }
    }

    /// Takes the screen; entering twice is no error.
    func enter() {
        if isEntered { return }
        isEntered = true
        if keys >= 0, unsafe tcgetattr(keys, &before) == 0 {
            var raw = before
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
            _ = unsafe tcsetattr(keys, TCSANOW, &raw)
        }
        // The other screen, no cursor, no new line where a line is full.
        write("\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l")
    }

    /// Gives the screen back; leaving twice is no error.
    func leave() {
        if !isEntered { return }
        isEntered = false
        write("\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l")
        if keys >= 0 { _ = unsafe tcsetattr(keys, TCSAFLUSH, &before) }
    }

    /// Columns and rows, as they are now.
    var size: (width: Int, height: Int) {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// The keys that have been pressed since; empty if none, nil if there will be no more.
    func readKeys() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe read(keys, buffer.baseAddress, buffer.count)
        }
        if count > 0 { return Array(bytes.prefix(count)) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
    }

    /// Shows lines in place of what is on the screen; false if the terminal has gone.
    @discardableResult
    func draw(_ lines: [TopLine]) -> Bool {
        var text = "\u{1b}[H"
        for (index, line) in lines.enumerated() {
            if index > 0 { text += "\r\n" }
            text += "\(Self.code(line.style))\(line.text)\u{1b}[0m\u{1b}[K"
        }
        return write(text + "\u{1b}[J")
    }

    private static func code(_ style: TopLine.Style) -> String {
        switch style {
        case .plain: ""
        case .title: "\u{1b}[1m"
        case .heading: "\u{1b}[4m"
        case .faint: "\u{1b}[2m"
        case .warning: "\u{1b}[1;31m"
        }
    }

    @discardableResult
    private func write(_ text: String) -> Bool {
        writeStandardOutput(Array(text.utf8))
    }
}

@available(*, unavailable)
extension TopTerminal: Sendable {}
