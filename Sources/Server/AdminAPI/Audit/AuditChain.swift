internal import Basics

/// How the lines of an audit log hang together: each ends with the code of the line before it and
/// with its own, so that none can be changed, removed or moved without the key.
///
///     {"at":"…",…,"previous":"CODE","line":NUMBER,"code":"CODE"}
struct AuditChain {
    private static let previousMark = Array(",\"previous\":\"".utf8)
    private static let numberMark = Array("\",\"line\":".utf8)
    private static let codeMark = Array(",\"code\":\"".utf8)
    private static let end = Array("\"}".utf8)

    let key: AuditKey
    /// The code of the last line.
    var last = Self.none
    /// The number of the last line; 0 before the first.
    var number: UInt64 = 0

    /// The code before the first line.
    static var none: String { String(repeating: "0", count: AuditKey.codeDigits) }

    /// Ends a line, a JSON object with at least one member: the result has the codes and a line
    /// feed.
    mutating func seal(_ object: [UInt8]) -> [UInt8] {
        assert(object.last == 0x7d && object.count > 2, "the line is no object with members")
        number += 1
        var line = object.dropLast() + Self.previousMark + Array(last.utf8)
        line += Self.numberMark + Array(String(number).utf8)
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
        /// The line's number.
        let number: UInt64
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
        guard take(codeMark) else { return nil }
        let signed = Array(rest)
        let text = rest.reversed().prefix { (0x30...0x39).contains($0) }.reversed()
        guard let number = UInt64(String(decoding: Array(text), as: UTF8.self)) else { return nil }
        rest = rest.dropLast(text.count)
        guard take(numberMark), rest.count > digits else { return nil }
        let previous = String(decoding: rest.suffix(digits), as: UTF8.self)
        rest = rest.dropLast(digits)
        guard take(previousMark) else { return nil }
        return Codes(signed: signed, previous: previous, own: own, number: number)
    }

    /// Whether a line was ended with the key.
    func isOwn(_ signed: [UInt8], code: String) -> Bool {
        signed.withByteView { key.code(of: $0) } == code
    }
}
