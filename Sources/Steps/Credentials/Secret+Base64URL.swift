package import DataStructures

extension Secret {
    /// Decodes base64url, as `decodeBase64URL` does.
    ///
    /// - Returns: nil if the text is none.
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

/// Decodes base64url to memory that has space for as many bytes as the text has.
///
/// - Returns: the number of bytes; nil if the text is no base64url.
private func decode(_ text: ByteView, to memory: UnsafeMutableRawPointer) -> Int? {
    var bits: UInt32 = 0
    var bitCount: UInt32 = 0
    var count = 0
    for offset in 0..<text.count {
        guard let value = base64URLValue(text[offset]) else { return nil }
        bits = bits << 6 | value
        bitCount += 6
        if bitCount >= 8 {
            bitCount -= 8
            let byte = UInt8(truncatingIfNeeded: bits >> bitCount)
            unsafe memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
            count += 1
            bits &= 1 << bitCount - 1
        }
    }
    // Left-over bits must be zero, and a single character codes nothing.
    return bitCount < 6 && bits == 0 ? count : nil
}

private func base64URLValue(_ character: UInt8) -> UInt32? {
    switch character {
    case 0x41...0x5a: UInt32(character) - 0x41
    case 0x61...0x7a: UInt32(character) - 0x61 + 26
    case 0x30...0x39: UInt32(character) - 0x30 + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
}
