/// Writes JSON without white space into an array of bytes, and places the commas.
///
/// The caller must end every object and array, and write one value after each key.
package struct JSONWriter {
    /// Everything written so far, after the bytes passed to `init`.
    package private(set) var bytes: [UInt8]
    /// Whether a comma must precede the next key or value.
    private var needsComma = false

    /// A writer that appends to an array.
    package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    /// Begins an object; its members, and then `endObject`, must follow.
    package mutating func beginObject() { begin(0x7b) }
    /// Ends the innermost object.
    package mutating func endObject() { end(0x7d) }
    /// Begins an array; its elements, and then `endArray`, must follow.
    package mutating func beginArray() { begin(0x5b) }
    /// Ends the innermost array.
    package mutating func endArray() { end(0x5d) }

    /// Writes a member's name; its value must be written next.
    package mutating func key(_ name: String) {
        string(name)
        bytes.append(0x3a)
        needsComma = false
    }

    /// Writes a string, with the escapes that JSON requires.
    package mutating func string(_ value: String) {
        separate()
        quote(value.utf8)
    }

    /// Writes a string whose bytes are UTF-8.
    package mutating func string(_ value: ByteView) {
        separate()
        quote(value.array)
    }

    /// Writes a whole number.
    package mutating func integer(_ value: Int64) { raw(String(value)) }
    /// Writes a whole number that is not negative.
    package mutating func unsigned(_ value: UInt64) { raw(String(value)) }
    /// Writes a finite number, with the fewest digits that identify it among doubles.
    package mutating func number(_ value: Double) { raw(String(value)) }
    /// Writes true or false.
    package mutating func boolean(_ value: Bool) { raw(value ? "true" : "false") }
    /// Writes null.
    package mutating func null() { raw("null") }

    /// Writes a value that is JSON already, without a check.
    package mutating func raw(_ value: ByteView) {
        separate()
        bytes += value.array
    }

    /// Writes a value that is ASCII and needs no escapes.
    private mutating func raw(_ text: String) {
        separate()
        bytes += text.utf8
    }

    /// Writes an opening bracket.
    private mutating func begin(_ byte: UInt8) {
        separate()
        bytes.append(byte)
        needsComma = false
    }

    /// Writes a closing bracket.
    private mutating func end(_ byte: UInt8) {
        bytes.append(byte)
        needsComma = true
    }

    /// Writes the comma before a value or key, if one is needed.
    private mutating func separate() {
        if needsComma { bytes.append(0x2c) }
        needsComma = true
    }

    /// Writes a string with its quotation marks and the escapes that JSON requires.
    private mutating func quote(_ text: some Sequence<UInt8>) {
        bytes.append(0x22)
        for byte in text {
            switch byte {
            case 0x22, 0x5c:
                bytes.append(0x5c)
                bytes.append(byte)
            case 0x0a:
                bytes.append(0x5c)
                bytes.append(0x6e)
            case 0..<0x20:
                bytes += "\\u00".utf8
                bytes.append(0x30 + byte >> 4)
                bytes.append(byte & 15 < 10 ? 0x30 + byte & 15 : 0x57 + byte & 15)
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }
}
