package import Basics
package import StoreFormat

/// Writing JSON without allocating anything.
extension StoreWriter {
    /// Writes ASCII text as it is.
    package mutating func put(ascii text: StaticString) {
        unsafe put(raw: ByteView(base: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Writes UTF-8 as a JSON string.
    package mutating func put(quoted text: ByteView) {
        put(ascii: "\"")
        var start = 0
        for offset in 0..<text.count {
            let byte = text[offset]
            if byte >= 0x20 && byte != 0x22 && byte != 0x5c { continue }
            put(raw: text.slice(start, to: offset))
            put(escaped: byte)
            start = offset + 1
        }
        put(raw: text.slice(start, to: text.count))
        put(ascii: "\"")
    }

    /// Writes the escape of a quotation mark, a backslash or a control character.
    private mutating func put(escaped byte: UInt8) {
        switch byte {
        case 0x22: put(ascii: "\\\"")
        case 0x5c: put(ascii: "\\\\")
        case 0x0a: put(ascii: "\\n")
        default:
            put(ascii: byte < 0x10 ? "\\u000" : "\\u001")
            let digit = byte & 15
            put(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }

    /// Writes a number in canonical form as JSON.
    mutating func put(number: ByteView) {
        let start = count
        let memory = unsafe extend(CanonicalNumber.textLimit(number))
        let byteCount = unsafe CanonicalNumber.writeText(number, into: memory)
        truncate(to: start + byteCount)
    }
}
