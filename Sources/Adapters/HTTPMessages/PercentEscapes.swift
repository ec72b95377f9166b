package import Basics

/// The percent-escapes of paths and queries (RFC 3986, section 2.1).
package enum PercentEscapes {
    /// Decodes a text; a malformed escape stays as it is.
    ///
    /// - Parameters:
    ///   - text: a part of a path, or a name or value of a query.
    ///   - isQuery: whether a plus sign is a space.
    /// - Returns: bytes that may not be UTF-8.
    package static func decode(_ text: ByteView, isQuery: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var offset = 0
        while offset < text.count {
            var byte = text[offset]
            offset += 1
            if byte == 0x25, offset + 1 < text.count, let high = value(text[offset]),
                let low = value(text[offset + 1])
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

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}

extension RequestHead {
    /// Calls `body` with the name and the value of each of the first arguments of the query,
    /// decoded; the value of one without an equals sign is empty.
    ///
    /// - Parameters:
    ///   - most: the number of arguments after which the rest is neither decoded nor looked at.
    ///   - body: is called with a name and a value, which may not be UTF-8.
    /// - Returns: whether there are no more.
    package func visitArguments(_ most: Int, body: ([UInt8], [UInt8]) -> Void) -> Bool {
        visitRawArguments(most) { name, value in
            body(
                PercentEscapes.decode(name, isQuery: true),
                PercentEscapes.decode(value, isQuery: true)
            )
        }
    }

    /// Does what `visitArguments` does with the bytes as they were sent.
    @discardableResult
    package func visitRawArguments(
        _ most: Int = .max,
        body: (ByteView, ByteView) -> Void
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
            let value = argument.slice(min(equals + 1, argument.count), to: argument.count)
            body(argument.slice(0, to: equals), value)
        }
        return true
    }
}
