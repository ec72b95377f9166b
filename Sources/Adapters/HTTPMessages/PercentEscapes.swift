package import Basics

/// The percent-escapes of paths and queries (RFC 3986, section 2.1).
package enum PercentEscapes {
    /// Decodes a part of a path, or a name or value of a query, in which a plus sign is a space; a
    /// malformed escape stays as it is, and the bytes may not be UTF-8.
    package static func decode(_ text: ByteView, isQuery: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var offset = 0
        while offset < text.count {
            var byte = text[offset]
            offset += 1
            if byte == 0x25, offset + 1 < text.count, let high = text[offset].hexDigitValue,
                let low = text[offset + 1].hexDigitValue
            {
                byte = high << 4 | low
                offset += 2
            } else if isQuery && byte == 0x2b {
                byte = 0x20
            }
            bytes.append(byte)
        }
        return bytes
    }

    /// Encodes a name for a path or a query: all bytes but letters, digits and `-._~` become
    /// escapes.
    package static func encode(_ name: String) -> String {
        var text = ""
        for byte in name.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e:
                text.append(Character(Unicode.Scalar(byte)))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return text
    }
}

extension RequestHead {
    /// Calls `body` with the name and the value of each of the `most` first arguments of the query,
    /// decoded; the value of one without an equals sign is empty, and neither may be UTF-8. Returns
    /// whether there are no more: the rest is neither decoded nor looked at.
    @discardableResult
    package func visitArguments(
        _ most: Int = .max,
        body: (inout [UInt8], inout [UInt8]) -> Void
    ) -> Bool {
        let query = query
        var start = 0
        var left = most
        while start < query.count {
            let end = (start..<query.count).first { query[$0] == 0x26 } ?? query.count
            let argument = query.slice(start, to: end)
            start = end + 1
            if argument.count == 0 { continue }
            if left == 0 { return false }
            left -= 1
            let equals = (0..<argument.count).first { argument[$0] == 0x3d } ?? argument.count
            let rest = argument.slice(min(equals + 1, argument.count), to: argument.count)
            var name = PercentEscapes.decode(argument.slice(0, to: equals), isQuery: true)
            var value = PercentEscapes.decode(rest, isQuery: true)
            body(&name, &value)
        }
        return true
    }
}
