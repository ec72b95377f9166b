internal import Basics
internal import StoreFormat

/// Reads the members of a line one by one. For a wrong value, each function throws the error
/// `text`, whose message names the member.
struct LineMembers {
    private var reader: JSONReader
    /// The name of the present member.
    private var name = ""

    /// - Parameter line: a JSON object that the scanner has accepted.
    init(_ line: ByteView) {
        reader = JSONReader(line)
        reader.enterObject()
    }

    /// Moves to the next member, whose value must be read then, and returns its name; nil after the
    /// last one.
    mutating func next() -> String? {
        guard let key = reader.nextKey() else { return nil }
        name = key.string
        return name
    }

    /// The error for a member that no line has.
    var unknown: CaptureError { .line("there is no member \(name.prefix(64))") }

    /// The error for a value that is none of the present member.
    private func wrong(_ expected: String) -> CaptureError { .line("\(name) must \(expected)") }

    /// Reads a whole number from 0.
    mutating func unsigned() throws(CaptureError) -> UInt64 {
        guard let value = reader.readUnsigned() else { throw wrong("be a whole number from 0") }
        return value
    }

    /// Reads a time in a recording, which may be too large for one.
    mutating func time() throws(CaptureError) -> RecordedTime {
        RecordedTime(rawValue: try unsigned())
    }

    /// Reads a whole number.
    mutating func signed() throws(CaptureError) -> Int64 {
        guard let value = reader.readInteger() else { throw wrong("be a whole number") }
        return value
    }

    /// Reads a whole number from 0 that fits in the type.
    mutating func number<Value: FixedWidthInteger & UnsignedInteger>(
        as type: Value.Type
    ) throws(CaptureError) -> Value {
        guard let value = Value(exactly: try unsigned()) else {
            throw wrong("be at most \(Value.max)")
        }
        return value
    }

    /// Reads true or false.
    mutating func boolean() throws(CaptureError) -> Bool {
        let kind = reader.peek()
        guard kind == .true || kind == .false else { throw wrong("be true or false") }
        return reader.readBoolean()
    }

    /// Reads the name of a kind of record.
    mutating func kind() throws(CaptureError) -> CaptureKind {
        let name = reader.readText()
        guard let kind = CaptureKind.allCases.first(where: { CaptureLine.name($0) == name }) else {
            let names = CaptureKind.allCases.map { CaptureLine.name($0) }
            throw wrong("be one of " + names.joined(separator: ", "))
        }
        return kind
    }

    /// Returns the bytes of an object.
    mutating func object() throws(CaptureError) -> ByteView {
        if reader.peek() != .object { throw wrong("be an object") }
        return reader.rawValue()
    }

    /// Reads a list of names, and returns each after its length as a byte.
    mutating func names() throws(CaptureError) -> [UInt8] {
        guard reader.peek() == .array else { throw wrong("be a list") }
        var names: [UInt8] = []
        reader.enterArray()
        while reader.nextElement() {
            guard reader.peek() == .string else { throw wrong("have strings") }
            var text: [UInt8] = []
            reader.readString().decoded(into: &text)
            if !(1...255).contains(text.count) || names.count + text.count >= 1 << 16 {
                throw .line("\(name) has a name of \(text.count) bytes, or too many")
            }
            names.append(UInt8(text.count))
            names += text
        }
        return names
    }

    /// Reads a number written as 16 hexadecimal digits.
    mutating func hexNumber() throws(CaptureError) -> UInt64 {
        let text = reader.readText()
        guard text.utf8.count == 16, text.utf8.allSatisfy({ Self.hexDigit($0) != nil }),
            let value = UInt64(text, radix: 16)
        else { throw wrong("be 16 digits in hex") }
        return value
    }

    /// Appends bytes written as two hexadecimal digits each.
    mutating func putHex(to body: inout StoreWriter) throws(CaptureError) {
        let expected = "be two digits in hex for each byte"
        guard reader.peek() == .string else { throw wrong(expected) }
        let text = reader.readString().raw
        guard text.count.isMultiple(of: 2) else { throw wrong(expected) }
        for offset in stride(from: 0, to: text.count, by: 2) {
            guard let high = Self.hexDigit(text[offset]), let low = Self.hexDigit(text[offset + 1])
            else { throw wrong(expected) }
            body.put(high << 4 | low)
        }
    }

    /// The value of a digit or a lower-case letter from a to f; nil for any other byte.
    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}

extension CaptureError {
    /// The error for a line that does not describe a record.
    static func line(_ message: String) -> CaptureError { CaptureError(.text, message: message) }
}
