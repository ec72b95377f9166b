internal import DataStructures

/// How the lines of an audit log hang together: each ends with the code of the line before it and
/// with its own, so that none can be changed, removed or moved without the key.
///
///     {"at":"…",…,"previous":"CODE","code":"CODE"}
struct AuditChain {
    private static let previousMark = Array(",\"previous\":\"".utf8)
    private static let codeMark = Array("\",\"code\":\"".utf8)
    private static let end = Array("\"}".utf8)

    let key: AuditKey
    /// The code of the last line.
    var last = Self.none

    /// The code before the first line.
    static var none: String { String(repeating: "0", count: AuditKey.codeDigits) }

    /// Ends a line.
    ///
    /// - Parameter object: a JSON object with at least one member.
    /// - Returns: the line, with a line feed.
    mutating func seal(_ object: [UInt8]) -> [UInt8] {
        assert(object.last == 0x7d && object.count > 2, "the line is no object with members")
        var line = object.dropLast() + Self.previousMark + Array(last.utf8)
        last = Array(line).withByteView { key.code(of: $0) }
        line += Self.codeMark + Array(last.utf8) + Self.end + [0x0a]
        return Array(line)
    }

    /// What ends a line.
    struct Codes {
        /// What the line's own code is made of.
        let signed: [UInt8]
        /// The code of the line before.
        let previous: String
        /// The line's own code.
        let own: String
    }

    /// The codes of a line without its line feed; nil if it has none.
    static func codes(of line: ArraySlice<UInt8>) -> Codes? {
        let digits = AuditKey.codeDigits
        var rest = line
        func take(_ wanted: [UInt8]) -> Bool {
            if rest.suffix(wanted.count) != wanted[...] { return false }
            rest = rest.dropLast(wanted.count)
            return true
        }
        guard take(end), rest.count > digits else { return nil }
        let own = String(decoding: rest.suffix(digits), as: UTF8.self)
        rest = rest.dropLast(digits)
        guard take(codeMark), rest.count > digits else { return nil }
        let signed = Array(rest)
        let previous = String(decoding: rest.suffix(digits), as: UTF8.self)
        rest = rest.dropLast(digits)
        return take(previousMark) ? Codes(signed: signed, previous: previous, own: own) : nil
    }

    /// Whether a line was ended with the key.
    func isOwn(_ signed: [UInt8], code: String) -> Bool {
        signed.withByteView { key.code(of: $0) } == code
    }
}
