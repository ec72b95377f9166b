package import Basics

extension Secret {
    /// Decodes base64url, as `decodeBase64URL` does; nil if the text is none.
    package convenience init?(base64URL text: ByteView) {
        var isValid = true
        unsafe self.init(capacity: text.count) { memory in
            guard let count = unsafe decode(text, to: memory) else {
                isValid = false
                return 0
            }
            return count
        }
        if !isValid { return nil }
    }
}

/// Decodes base64url to memory that has space for as many bytes as the text has. Returns the number
/// of bytes; nil if the text is no base64url.
private func decode(_ text: ByteView, to memory: UnsafeMutableRawPointer) -> Int? {
    var count = 0
    var offset = 0
    func put(_ byte: UInt32) {
        let byte = UInt8(truncatingIfNeeded: byte)
        unsafe memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }
    // Four characters are three bytes.
    while offset + 4 <= text.count {
        var bits: UInt32 = 0
        var marks: UInt32 = 0
        for character in offset..<(offset + 4) {
            let value = base64URLValue(text[character])
            bits = bits << 6 | value & 63
            marks |= value
        }
        if marks > 63 { return nil }
        put(bits >> 16)
        put(bits >> 8)
        put(bits)
        offset += 4
    }
    if offset == text.count { return count }
    // What is left are two or three characters, whose last bits must be zero; a single one codes
    // nothing.
    let left = text.count - offset
    if left == 1 { return nil }
    var bits: UInt32 = 0
    for character in offset..<text.count {
        let value = base64URLValue(text[character])
        if value > 63 { return nil }
        bits = bits << 6 | value
    }
    if left == 2 {
        if bits & 15 != 0 { return nil }
        put(bits >> 4)
    } else {
        if bits & 3 != 0 { return nil }
        put(bits >> 10)
        put(bits >> 2)
    }
    return count
}

/// The six bits that a character codes; more than 63 if it codes none.
@inline(__always)
private func base64URLValue(_ character: UInt8) -> UInt32 {
    switch character {
    case 0x41...0x5a: UInt32(character) - 0x41
    case 0x61...0x7a: UInt32(character) - 0x61 + 26
    case 0x30...0x39: UInt32(character) - 0x30 + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: 64
    }
}

/// Decodes base64url without padding (RFC 4648 section 5, as RFC 7515 uses it); nil if a character
/// is none of the alphabet, or the text is not the one that `encodeBase64URL` makes of the bytes.
package func decodeBase64URL(_ text: some Collection<UInt8>) -> [UInt8]? {
    Array(text).withByteView { text in
        Secret(base64URL: text)?.withByteView { $0.array }
    }
}

/// Encodes bytes in base64url without padding.
package func encodeBase64URL(_ bytes: some Sequence<UInt8>) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var text: [UInt8] = []
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for byte in bytes {
        bits = bits << 8 | UInt32(byte)
        count += 8
        while count >= 6 {
            count -= 6
            text.append(alphabet[Int(bits >> count & 63)])
        }
        bits &= 1 << count - 1
    }
    if count > 0 { text.append(alphabet[Int(bits << (6 - count) & 63)]) }
    return String(decoding: text, as: UTF8.self)
}
