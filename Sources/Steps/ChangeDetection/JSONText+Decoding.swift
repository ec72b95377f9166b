internal import Basics

extension JSONText {
    /// Decodes the string into `buffer`, replacing its contents; allocates nothing once the buffer
    /// is large enough.
    func decode(to buffer: inout [UInt8]) {
        buffer.removeAll(keepingCapacity: true)
        var offset = 0
        while offset < raw.count {
            let byte = raw[offset]
            if byte != 0x5c {
                buffer.append(byte)
                offset += 1
                continue
            }
            let escape = raw[offset + 1]
            if escape == 0x75 {
                offset = decodeScalar(at: offset, to: &buffer)
            } else {
                buffer.append(Self.meaning(of: escape))
                offset += 2
            }
        }
    }

    /// The byte that an escape of a backslash and this letter stands for.
    private static func meaning(of letter: UInt8) -> UInt8 {
        switch letter {
        case 0x62: 0x08
        case 0x66: 0x0c
        case 0x6e: 0x0a
        case 0x72: 0x0d
        case 0x74: 0x09
        default: letter
        }
    }

    /// Decodes `\uXXXX`, or two of these that form a surrogate pair; returns the offset after it.
    private func decodeScalar(at start: Int, to buffer: inout [UInt8]) -> Int {
        var value = unit(at: start + 2)
        var end = start + 6
        if value & 0xfc00 == 0xd800 {
            value = 0x1_0000 + (value & 0x3ff) << 10 + unit(at: start + 8) & 0x3ff
            end += 6
        }
        // The scanner has refused half surrogate pairs, so this is a scalar.
        for byte in UTF8.encode(UnicodeScalar(value)!)! { buffer.append(byte) }
        return end
    }

    /// The value of four hexadecimal digits.
    private func unit(at start: Int) -> UInt32 {
        var unit: UInt32 = 0
        for offset in start..<start + 4 {
            let digit = raw[offset]
            unit = unit << 4 | UInt32(digit <= 0x39 ? digit - 0x30 : (digit | 0x20) - 0x57)
        }
        return unit
    }
}
