package import DataStructures

/// Writes JSON into an array of bytes, commas included.
package struct JSONWriter {
    package private(set) var bytes: [UInt8]
    private var needsComma = false

    /// - Parameter bytes: what to append to.
    package init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    package mutating func beginObject() { begin(0x7b) }
    package mutating func endObject() { end(0x7d) }
    package mutating func beginArray() { begin(0x5b) }
    package mutating func endArray() { end(0x5d) }

    /// A member's name; its value must follow.
    package mutating func key(_ name: String) {
        string(name)
        bytes.append(0x3a)
        needsComma = false
    }

    package mutating func string(_ value: String) {
        separate()
        quote(value.utf8)
    }

    /// A string given as UTF-8.
    package mutating func string(_ value: ByteView) {
        separate()
        quote(value.array)
    }

    package mutating func integer(_ value: Int64) { raw(String(value)) }
    package mutating func unsigned(_ value: UInt64) { raw(String(value)) }
    /// A number, which must be finite, in the fewest digits that tell it from its neighbours.
    package mutating func number(_ value: Double) { raw(String(value)) }
    package mutating func boolean(_ value: Bool) { raw(value ? "true" : "false") }
    package mutating func null() { raw("null") }

    /// A value that is JSON already.
    package mutating func raw(_ value: ByteView) {
        separate()
        bytes += value.array
    }

    private mutating func raw(_ text: String) {
        separate()
        bytes += text.utf8
    }

    private mutating func begin(_ byte: UInt8) {
        separate()
        bytes.append(byte)
        needsComma = false
    }

    private mutating func end(_ byte: UInt8) {
        bytes.append(byte)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(0x2c) }
        needsComma = true
    }

    private mutating func quote(_ text: some Sequence<UInt8>) {
        let digits = Array("0123456789abcdef".utf8)
        bytes.append(0x22)
        for byte in text {
            switch byte {
            case 0x22, 0x5c: bytes += [0x5c, byte]
            case 0x0a: bytes += [0x5c, 0x6e]
            case 0..<0x20:
                bytes += Array("\\u00".utf8)
                bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }
}
