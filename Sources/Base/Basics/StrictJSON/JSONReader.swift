/// The kind of a JSON value, as its first byte shows it.
package enum JSONKind: Equatable, Sendable {
    case object
    case array
    case string
    case number
    case `true`
    case `false`
    case null
}

/// Reads a document value by value, after a `JSONScanner` has accepted it.
///
/// It serves the rarer messages, where convenience counts more than speed. It trusts the bytes,
/// copies nothing and keeps no stack: the caller knows which object or array it is in. After
/// `nextKey` and `nextElement` the reader is at a value, which exactly one of the reading methods
/// must consume.
///
/// The document's memory must outlive the reader and every view that it returned.
package struct JSONReader {
    private let bytes: ByteView
    /// The offset of the next byte to read.
    package private(set) var offset = 0

    /// A reader before the outermost value of a document that a scanner has accepted.
    package init(_ bytes: ByteView) {
        self.bytes = bytes
        skipSpace()
    }

    /// The kind of the next value, without consuming it.
    @inline(__always)
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

    /// Enters the object that comes next; `nextKey` then returns its first key.
    package mutating func enterObject() {
        assert(peek() == .object)
        step()
    }

    /// Reads the next key, so that its value comes next. At the end of the object, leaves the
    /// object and returns nil.
    package mutating func nextKey() -> JSONText? {
        var byte = bytes[offset]
        if byte == 0x2c {
            step()
            byte = bytes[offset]
        }
        if byte == 0x7d {
            step()
            return nil
        }
        let key = readString()
        assert(bytes[offset] == 0x3a)
        step()
        return key
    }

    /// Enters the array that comes next; call `nextElement` before each of its elements.
    package mutating func enterArray() {
        assert(peek() == .array)
        step()
    }

    /// Moves to the next element. At the end of the array, leaves the array and returns false.
    package mutating func nextElement() -> Bool {
        if bytes[offset] == 0x2c { step() }
        if bytes[offset] == 0x5d {
            step()
            return false
        }
        return true
    }

    /// Reads the next value, which must be a string.
    package mutating func readString() -> JSONText {
        assert(bytes[offset] == 0x22)
        let start = offset + 1
        let (end, hasEscapes) = StringScan.checkedEnd(bytes, from: start)
        offset = end + 1
        skipSpace()
        return JSONText(raw: bytes.slice(start, to: end), hasEscapes: hasEscapes)
    }

    /// Reads the next value, which must be a number, and returns it as the document spells it.
    package mutating func readNumber() -> ByteView {
        assert(peek() == .number)
        return rawValue()
    }

    /// Reads the next value as a whole number, however it is spelt (3e1 is 30).
    ///
    /// Returns nil, with the value consumed all the same, if it is no number, not whole, or does
    /// not fit.
    package mutating func readInteger() -> Int64? {
        let isNumber = peek() == .number
        let text = rawValue()
        return isNumber ? DecimalText(text).signed : nil
    }

    /// Reads the next value as a whole number that is not negative; otherwise like `readInteger`.
    package mutating func readUnsigned() -> UInt64? {
        let isNumber = peek() == .number
        let text = rawValue()
        return isNumber ? DecimalText(text).unsigned : nil
    }

    /// Reads the next value, which must be true or false.
    package mutating func readBoolean() -> Bool {
        let kind = peek()
        assert(kind == .true || kind == .false)
        skipValue()
        return kind == .true
    }

    /// Consumes the next value, whatever it is.
    package mutating func skipValue() { _ = rawValue() }

    /// Consumes the next value, whatever it is, and returns its bytes as the document spells them.
    package mutating func rawValue() -> ByteView {
        let start = offset
        var end = offset
        switch peek() {
        case .string:
            let text = readString()
            return bytes.slice(start, to: start + text.raw.count + 2)
        case .object, .array: end = endOfContainer(start)
        case .number, .true, .false, .null: end = StringScan.scalarEnd(bytes, from: start)
        }
        offset = end
        skipSpace()
        return bytes.slice(start, to: end)
    }

    /// The offset after the closing bracket of the object or array that begins at `start`.
    private func endOfContainer(_ start: Int) -> Int {
        var depth = 0
        var end = start
        while true {
            end = StringScan.nextStructural(bytes, from: end)
            switch bytes[end] {
            case 0x7b, 0x5b: depth &+= 1
            case 0x7d, 0x5d: depth &-= 1
            default: end = StringScan.checkedEnd(bytes, from: end &+ 1).end
            }
            end &+= 1
            if depth == 0 { return end }
        }
    }

    /// Consumes one byte of punctuation and the white space after it.
    @inline(__always)
    private mutating func step() {
        offset += 1
        skipSpace()
    }

    /// Moves to the next byte that is not white space.
    @inline(__always)
    private mutating func skipSpace() { offset = skipWhitespace(bytes, from: offset) }
}

/// A string in a document, not decoded yet: the bytes between its quotation marks.
///
/// Valid as long as the document's memory.
package struct JSONText {
    /// The bytes between the quotation marks, escapes included.
    package let raw: ByteView
    /// Whether the bytes contain escapes, so that the text differs from them.
    package let hasEscapes: Bool

    /// Compares the decoded text with a name; the name itself must not contain escapes.
    package static func == (text: JSONText, name: StaticString) -> Bool {
        let wanted = ByteView(name)
        if !text.hasEscapes { return text.raw == wanted }
        return text.withDecoded { $0 == wanted }
    }

    /// Whether the decoded text is a name, for a `switch` over names.
    package static func ~= (name: StaticString, text: JSONText) -> Bool { text == name }

    /// Compares two decoded texts.
    package static func == (left: JSONText, right: JSONText) -> Bool {
        if !left.hasEscapes && !right.hasEscapes { return left.raw == right.raw }
        return left.withDecoded { left in right.withDecoded { right in left == right } }
    }

    /// The decoded text as a `String`.
    package var string: String { withDecoded { $0.string } }

    /// The decoded text as a secret, of which no other copy is made.
    package var secret: Secret {
        unsafe Secret(capacity: raw.count) { memory in
            if hasEscapes { return unsafe StringScan.decode(raw, to: memory) }
            unsafe raw.copy(to: memory)
            return raw.count
        }
    }

    /// Appends the decoded UTF-8 to an array, and allocates only what its capacity lacks.
    package func decoded(into bytes: inout [UInt8]) {
        let start = bytes.count
        unsafe bytes += UnsafeRawBufferPointer(start: raw.address, count: raw.count)
        if !hasEscapes { return }
        let count = unsafe bytes.withUnsafeMutableBytes { memory in
            unsafe StringScan.decode(raw, to: memory.baseAddress! + start)
        }
        bytes.removeLast(raw.count - count)
    }

    /// Calls `body` with the decoded bytes, which are valid only until it returns.
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

extension ByteView {
    /// How deeply containers are nested in a JSON value that the scanner has accepted; 0 if it is
    /// none.
    package var jsonDepth: Int {
        var depth = 0
        var deepest = 0
        var offset = 0
        while offset < count {
            switch self[offset] {
            case 0x7b, 0x5b:
                depth += 1
                deepest = max(deepest, depth)
            case 0x7d, 0x5d: depth -= 1
            case 0x22:
                offset += 1
                while self[offset] != 0x22 { offset += self[offset] == 0x5c ? 2 : 1 }
            default: break
            }
            offset += 1
        }
        return deepest
    }
}

/// A place in a text, for error messages.
package struct SourcePosition: Equatable, Sendable {
    /// The line, counted from 1.
    package let line: Int
    /// The column, counted from 1, in Unicode scalars.
    package let column: Int
}

/// The line and column of the byte at `offset`.
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
