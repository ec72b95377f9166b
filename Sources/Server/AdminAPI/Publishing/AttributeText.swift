internal import Basics
internal import Credentials
internal import HTTPMessages

/// How CloudEvents writes an attribute in a header, and data in base64.
enum AttributeText {
    /// Decodes the value of a header `ce-…` (HTTP binding 1.0.2, section 3.1.3.2): a string in
    /// quotation marks is unescaped first, and then percent-escapes are decoded once. Returns nil
    /// if the result is not UTF-8.
    static func decode(_ value: String) -> String? {
        // What was not UTF-8 has become this, and others may have, too.
        if value.unicodeScalars.contains("\u{fffd}") { return nil }
        var bytes = Array(value.utf8)
        if !bytes.contains(where: { $0 == 0x22 || $0 == 0x25 }) { return value }
        if bytes.count >= 2, bytes.first == 0x22, bytes.last == 0x22 {
            bytes = unescaped(bytes.dropFirst().dropLast())
        }
        let decoded = bytes.withByteView { PercentEscapes.decode($0, isQuery: false) }
        return String(validating: decoded, as: UTF8.self)
    }

    /// The bytes between quotation marks (RFC 9110, section 5.6.4): one after a backslash stands
    /// for itself.
    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in text {
            isEscaped = !isEscaped && byte == 0x5c
            if !isEscaped { bytes.append(byte) }
        }
        return bytes
    }

    /// Decodes base64 with its padding (RFC 4648, section 4); nil if it is none.
    static func decodeBase64(_ text: String) -> [UInt8]? {
        let text = Array(text.utf8)
        if text.count % 4 != 0 { return nil }
        let end = text.lastIndex { $0 != 0x3d } ?? -1
        guard text.count - end <= 3 else { return nil }
        var isOther = false
        let characters = text[..<(end + 1)].map { (byte) -> UInt8 in
            switch byte {
            case 0x2b: return 0x2d
            case 0x2f: return 0x5f
            case 0x2d, 0x5f:
                isOther = true
                return byte
            default: return byte
            }
        }
        return isOther ? nil : decodeBase64URL(characters)
    }
}
