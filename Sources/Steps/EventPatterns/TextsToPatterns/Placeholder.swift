/// How a string of a pattern is to be read: literally, or as the placeholder
/// `${configuration.NAME}`.
///
/// Bytes are compared, not characters: `String` would not find a `${` followed by a combining mark.
enum Placeholder: Equatable {
    /// The string has no `${` and stands for itself.
    case none
    /// A placeholder for the widget's parameter of this name.
    case parameter(String)
    /// The string contains `${` but is not a placeholder.
    case malformed

    /// The longest name of a parameter, in bytes.
    static var nameLimit: Int { 128 }

    init(_ text: String) {
        let bytes = Array(text.utf8)
        let opening = Array("${configuration.".utf8)
        guard Self.hasOpening(bytes) else {
            self = .none
            return
        }
        let name = bytes.dropFirst(opening.count).dropLast()
        let isWellFormed =
            bytes.starts(with: opening) && bytes.last == 0x7d
            && (1...Self.nameLimit).contains(name.count)
            && !name.contains(0x7b) && !name.contains(0x7d)
        self = isWellFormed ? .parameter(String(decoding: name, as: UTF8.self)) : .malformed
    }

    /// Whether `${` occurs anywhere.
    private static func hasOpening(_ bytes: [UInt8]) -> Bool {
        bytes.indices.dropLast().contains { bytes[$0] == 0x24 && bytes[$0 + 1] == 0x7b }
    }
}
