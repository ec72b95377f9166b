internal import Basics
internal import StoreFormat

// Readers for the values of a line's members. For a wrong value, each throws the error `text`,
// whose message names the member.

extension CaptureLineReader {
    /// The error for a line that does not describe a record.
    static func error(_ message: String) -> CaptureError { CaptureError(.text, message: message) }

    /// The error for a member that no line has.
    static func unknown(_ name: String) -> CaptureError {
        error("there is no member \(name.prefix(64))")
    }

    /// Reads a whole number from 0.
    static func unsigned(
        _ reader: inout JSONReader,
        named name: String
    ) throws(CaptureError) -> UInt64 {
        guard let value = reader.readUnsigned() else {
            throw error("\(name) must be a whole number from 0")
        }
        return value
    }

    /// Reads a time in a recording; `check` refuses one that is too large.
    static func time(
        _ reader: inout JSONReader,
        named name: String
    ) throws(CaptureError) -> RecordedTime {
        RecordedTime(rawValue: try unsigned(&reader, named: name))
    }

    /// Reads a whole number.
    static func signed(
        _ reader: inout JSONReader,
        named name: String
    ) throws(CaptureError) -> Int64 {
        guard let value = reader.readInteger() else {
            throw error("\(name) must be a whole number")
        }
        return value
    }

    /// Reads a whole number from 0 that fits in the type.
    static func number<Value: FixedWidthInteger & UnsignedInteger>(
        _ reader: inout JSONReader,
        named name: String,
        as type: Value.Type
    ) throws(CaptureError) -> Value {
        guard let value = Value(exactly: try unsigned(&reader, named: name)) else {
            throw error("\(name) must be at most \(Value.max)")
        }
        return value
    }

    /// Reads true or false.
    static func boolean(
        _ reader: inout JSONReader,
        named name: String
    ) throws(CaptureError) -> Bool {
        let kind = reader.peek()
        guard kind == .true || kind == .false else { throw error("\(name) must be true or false") }
        return reader.readBoolean()
    }

    /// Reads the name of a kind of record.
    static func kind(_ reader: inout JSONReader) throws(CaptureError) -> CaptureKind {
        let name = reader.peek() == .string ? reader.readString().string : ""
        guard let kind = CaptureKind.allCases.first(where: { CaptureLine.name($0) == name }) else {
            let names = CaptureKind.allCases.map { CaptureLine.name($0) }
            throw error("kind must be one of " + names.joined(separator: ", "))
        }
        return kind
    }

    /// Reads a list of names, and returns each after its length as a byte.
    static func names(
        _ reader: inout JSONReader,
        named name: String
    ) throws(CaptureError) -> [UInt8] {
        guard reader.peek() == .array else { throw error("\(name) must be a list") }
        var names: [UInt8] = []
        reader.enterArray()
        while reader.nextElement() {
            guard reader.peek() == .string else { throw error("\(name) must have strings") }
            var text: [UInt8] = []
            reader.readString().decoded(into: &text)
            if !(1...255).contains(text.count) || names.count + text.count >= 1 << 16 {
                throw error("\(name) has a name of \(text.count) bytes, or too many")
            }
            names.append(UInt8(text.count))
            names += text
        }
        return names
    }

    /// Reads a number written as 16 hexadecimal digits.
    static func hexNumber(
        _ reader: inout JSONReader,
        named name: String
    ) throws(CaptureError) -> UInt64 {
        let text = reader.peek() == .string ? reader.readString().string : ""
        guard text.utf8.count == 16, text.utf8.allSatisfy({ hexDigit($0) != nil }),
            let value = UInt64(text, radix: 16)
        else { throw error("\(name) must be 16 digits in hex") }
        return value
    }

    /// Appends bytes written as two hexadecimal digits each.
    static func putHex(
        _ reader: inout JSONReader,
        to body: inout StoreWriter
    ) throws(CaptureError) {
        let message = "bytes must be two digits in hex for each byte"
        guard reader.peek() == .string else { throw error(message) }
        let text = reader.readString().raw
        guard text.count.isMultiple(of: 2) else { throw error(message) }
        for offset in stride(from: 0, to: text.count, by: 2) {
            guard let high = hexDigit(text[offset]), let low = hexDigit(text[offset + 1]) else {
                throw error(message)
            }
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
