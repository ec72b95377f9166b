import Glibc

/// The compiler's plug-in for previews: it answers that each macro expands to nothing.
///
/// The compiler writes messages to standard input and reads the answers from standard output. Each
/// is JSON with its length, of eight bytes, before it. swift-syntax would read and write the same
/// messages, but it takes minutes to build, and nothing here looks at any syntax.
@main
struct PreviewMacros {
    /// The longest message that is accepted: the compiler sends the source of a macro's arguments.
    static let messageLimit = 1 << 28

    static func main() {
        while let message = read() { write(answer(to: message)) }
    }

    /// The answer to a message; its name is the only member of its object.
    private static func answer(to message: [UInt8]) -> String {
        let text = String(decoding: message.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        switch text.split(separator: "\"").dropFirst().first {
        case "getCapability":
            return #"{"getCapabilityResult":{"capability":{"protocolVersion":7}}}"#
        case "expandFreestandingMacro", "expandAttachedMacro":
            return #"{"expandMacroResult":{"expandedSource":"","diagnostics":[]}}"#
        default: return #"{"loadPluginLibraryResult":{"loaded":false,"diagnostics":[]}}"#
        }
    }

    /// The next message; nil at the end.
    private static func read() -> [UInt8]? {
        guard let head = read(8) else { return nil }
        let length = head.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        return length <= UInt64(messageLimit) ? read(Int(length)) : nil
    }

    private static func read(_ count: Int) -> [UInt8]? {
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let length = unsafe Glibc.read(
                    STDIN_FILENO,
                    buffer.baseAddress! + filled,
                    count - filled
                )
                if length <= 0 { break }
                filled += length
            }
        }
        return bytes.count == count ? bytes : nil
    }

    private static func write(_ answer: String) {
        let length = UInt64(answer.utf8.count)
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + answer.utf8
        var written = 0
        while written < bytes.count {
            let rest = bytes[written...]
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
            }
            if count <= 0 { return }
            written += count
        }
    }
}
