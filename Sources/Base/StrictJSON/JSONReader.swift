package import DataStructures

/// The kinds of JSON values.
package enum JSONKind: Equatable, Sendable {
    case object
    case array
    case string
    case number
    case `true`
    case `false`
    case null
}

/// Goes through a document that a `JSONScanner` has accepted, value by value.
///
/// For the rarer bodies: it trusts the bytes, copies nothing and keeps no stack; the caller knows
/// what it is in. After `nextKey` and `nextElement` the reader stands at a value, which one of the
/// reading methods must consume.
package struct JSONReader {
    private let bytes: ByteView
    /// The byte that is looked at next.
    package private(set) var offset = 0

    package init(_ bytes: ByteView) {
        self.bytes = bytes
        skipSpace()
    }

    /// The kind of the value that the reader stands at.
    package func peek() -> JSONKind {
        switch bytes[offset] {
        case 0x7b: .object
        case 0x5b: .array
        case 0x22: .string
        case 0x74: .true
        case 0x66: .false
        case 0x6e: .null
        default: .number
        }
    }

    /// Steps into an object, in front of its first key.
    package mutating func enterObject() {
        assert(peek() == .object)
        step()
    }

    /// Reads the next key and stands at its value, or leaves the object and returns nil.
    package mutating func nextKey() -> JSONText? {
        if bytes[offset] == 0x2c { step() }
        if bytes[offset] == 0x7d {
            step()
            return nil
        }
        let key = readString()
        assert(bytes[offset] == 0x3a)
        step()
        return key
    }

    /// Steps into an array, in front of its first element.
    package mutating func enterArray() {
        assert(peek() == .array)
        step()
    }

    /// Stands at the next element, or leaves the array and returns false.
    package mutating func nextElement() -> Bool {
        if bytes[offset] == 0x2c { step() }
        if bytes[offset] == 0x5d {
            step()
            return false
        }
        return true
    }

    /// Reads a string; the value must be one.
    package mutating func readString() -> JSONText {
        assert(bytes[offset] == 0x22)
        let start = offset + 1
        let (end, hasEscapes) = StringScan.checkedEnd(bytes, start)
        offset = end + 1
        skipSpace()
        return JSONText(raw: bytes.slice(start, end), hasEscapes: hasEscapes)
    }

    /// Reads a number as it is written; the value must be one.
    package mutating func readNumber() -> ByteView {
        assert(peek() == .number)
        return rawValue()
    }

    /// Reads a whole number, by value (3e1 is 30); nil if the value is none that fits.
    package mutating func readInteger() -> Int64? {
        let isNumber = peek() == .number
        let text = rawValue()
        return isNumber ? WholeNumber(text).signed : nil
    }

    /// Reads a whole number from 0, by value; nil if the value is none that fits.
    package mutating func readUnsigned() -> UInt64? {
        let isNumber = peek() == .number
        let text = rawValue()
        return isNumber ? WholeNumber(text).unsigned : nil
    }

    /// Reads true or false; the value must be one of them.
    package mutating func readBoolean() -> Bool {
        let kind = peek()
        assert(kind == .true || kind == .false)
        skipValue()
        return kind == .true
    }

    /// Passes over the value.
    package mutating func skipValue() {
        _ = rawValue()
    }

    /// Passes over the value and returns its bytes.
    package mutating func rawValue() -> ByteView {
        let start = offset
        var end = offset
        switch peek() {
        case .string:
            let text = readString()
            return bytes.slice(start, start + text.raw.count + 2)
        case .object, .array:
            end = endOfContainer(start)
        case .number, .true, .false, .null:
            while end < bytes.count, !Self.endsScalar(bytes[end]) { end += 1 }
        }
        offset = end
        skipSpace()
        return bytes.slice(start, end)
    }

    private func endOfContainer(_ start: Int) -> Int {
        var depth = 0
        var end = start
        while true {
            end = StringScan.structure(bytes, end)
            switch bytes[end] {
            case 0x7b, 0x5b: depth &+= 1
            case 0x7d, 0x5d: depth &-= 1
            default: end = StringScan.checkedEnd(bytes, end &+ 1).end
            }
            end &+= 1
            if depth == 0 { return end }
        }
    }

    private static func endsScalar(_ byte: UInt8) -> Bool {
        byte == 0x2c || byte == 0x7d || byte == 0x5d || byte <= 0x20
    }

    private mutating func step() {
        offset += 1
        skipSpace()
    }

    private mutating func skipSpace() {
        offset = skipWhitespace(bytes, offset)
    }
}

/// A number's text as a whole number, if it is one.
private struct WholeNumber {
    private let isNegative: Bool
    private let magnitude: UInt64?

    init(_ text: ByteView) {
        let decimal = DecimalText(text)
        isNegative = decimal.isNegative
        magnitude = decimal.isZero ? 0 : Self.magnitude(decimal)
    }

    var unsigned: UInt64? { isNegative && magnitude != 0 ? nil : magnitude }

    var signed: Int64? {
        guard let magnitude else { return nil }
        if !isNegative { return Int64(exactly: magnitude) }
        return magnitude == 1 << 63 ? .min : Int64(exactly: magnitude).map { -$0 }
    }

    private static func magnitude(_ decimal: DecimalText) -> UInt64? {
        if decimal.magnitude > 19 || decimal.magnitude < 0 { return nil }
        var value: UInt64 = 0
        var count = 0
        var overflow = false
        func append(_ digit: UInt8) {
            let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
            overflow = overflow || tooLarge || carry
            value = sum
            count += 1
        }
        for offset in 0..<decimal.digits.count where decimal.digits[offset] != 0x2e {
            if count > 20 { return nil }
            append(decimal.digits[offset] - 0x30)
        }
        if count > decimal.magnitude + 1 { return nil }
        while count <= decimal.magnitude { append(0) }
        return overflow ? nil : value
    }
}

/// A string of a document: its bytes as they stand between the quotation marks.
package struct JSONText {
    package let raw: ByteView
    package let hasEscapes: Bool

    /// Compares with a name that is written without escapes.
    package static func == (text: JSONText, name: StaticString) -> Bool {
        let wanted = unsafe ByteView(base: name.utf8Start, count: name.utf8CodeUnitCount)
        if !text.hasEscapes { return text.raw == wanted }
        return text.withDecoded { $0 == wanted }
    }

    /// Compares by decoded value.
    package static func == (left: JSONText, right: JSONText) -> Bool {
        if !left.hasEscapes && !right.hasEscapes { return left.raw == right.raw }
        return left.withDecoded { left in right.withDecoded { right in left == right } }
    }

    /// The decoded text.
    package var string: String { withDecoded { $0.string } }

    /// Appends the decoded bytes.
    package func decoded(into bytes: inout [UInt8]) {
        withDecoded { bytes += $0.array }
    }

    /// Lends the decoded bytes; they must not escape `body`.
    package func withDecoded<Result, Failure: Error>(
        _ body: (ByteView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if !hasEscapes { return try body(raw) }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: raw.count, alignment: 8)
        defer { unsafe memory.deallocate() }
        let count = unsafe StringScan.decode(raw, to: memory)
        return try body(unsafe ByteView(base: memory, count: count))
    }
}

/// A place in a text, for people.
package struct SourcePosition: Equatable, Sendable {
    /// From 1.
    package let line: Int
    /// From 1, in Unicode scalars.
    package let column: Int
}

/// The line and column of a byte.
package func sourcePosition(of offset: Int, in bytes: ByteView) -> SourcePosition {
    var line = 1
    var column = 1
    for index in 0..<min(offset, bytes.count) {
        if bytes[index] == 0x0a {
            line += 1
            column = 1
        } else if bytes[index] & 0xc0 != 0x80 {
            column += 1
        }
    }
    return SourcePosition(line: line, column: column)
}
