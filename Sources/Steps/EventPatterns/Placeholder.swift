/// What a string of a pattern is: itself, or `${configuration.NAME}`.
///
/// Bytes decide, not characters: a combining mark behind `${` would hide it from `String`.
enum Placeholder: Equatable {
    case none
    case parameter(String)
    /// It has `${` in it, and is not of the form.
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

    private static func hasOpening(_ bytes: [UInt8]) -> Bool {
        bytes.indices.dropLast().contains { bytes[$0] == 0x24 && bytes[$0 + 1] == 0x7b }
    }
}
