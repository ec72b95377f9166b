/// What is asked for.
package struct HTTPRequest: Sendable {
    /// GET, HEAD or any other.
    package let method: String
    /// As it was sent, with its escapes and without the query.
    package let rawPath: String
    /// Names and values of the query, decoded; a value is empty if there is none.
    package let arguments: [(name: String, value: String)]
    private let headers: [(name: String, value: String)]
    /// Empty if it is not read; see `HTTPHandler.bodyLimit`.
    package var body: HTTPBody

    /// - Parameters:
    ///   - method: GET, HEAD or any other.
    ///   - path: with its escapes and without the query.
    ///   - arguments: of the query, decoded.
    ///   - headers: in the order in which they came.
    ///   - body: what has come of it.
    package init(
        method: String,
        path: String,
        arguments: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)] = [],
        body: HTTPBody = .whole([])
    ) {
        self.method = method
        rawPath = path
        self.arguments = arguments
        self.headers = headers
        self.body = body
    }

    /// Decoded, and without the query; what is no UTF-8 is replaced.
    package var path: String { percentDecoded(rawPath) }

    /// What stands between the slashes behind the first one, each decoded by itself.
    ///
    /// So a name may have a slash, as `%2F`. Nil if an escape makes no UTF-8.
    package var segments: [String]? {
        let parts = rawPath.utf8.split(separator: slash, omittingEmptySubsequences: false)
        var segments: [String] = []
        for part in parts.dropFirst() {
            guard let segment = String(validating: percentBytes(part), as: UTF8.self) else {
                return nil
            }
            segments.append(segment)
        }
        return segments
    }

    /// The first value of this name in the query, decoded; empty if it has none there.
    package func query(_ name: String) -> String? {
        arguments.first { $0.name == name }?.value
    }

    /// The value of the first header of this name, in whichever case it was sent.
    package func header(_ name: String) -> String? {
        headers.first { header in
            header.name.utf8.elementsEqual(name.utf8) { lowercase($0) == lowercase($1) }
        }?.value
    }

    /// Whether it asks for something, and changes nothing.
    package var isRead: Bool { method == "GET" || method == "HEAD" }

    /// The length of the body, if that was announced.
    var announcedByteCount: Int? { header("Content-Length").flatMap { Int($0) } }

    /// Whether its sender waits for leave to send the body.
    var waitsForLeave: Bool { header("Expect") != nil }
}

// MARK: - Escapes

private var slash: UInt8 { 0x2f }
private var percent: UInt8 { 0x25 }

/// A text without its percent-escapes; what is no UTF-8 is replaced.
func percentDecoded(_ text: String) -> String {
    if !text.utf8.contains(percent) { return text }
    return String(decoding: percentBytes(text.utf8[...]), as: UTF8.self)
}

/// What is no escape stays as it is.
private func percentBytes(_ text: Substring.UTF8View) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
        guard byte == percent, rest.count >= 2,
            let high = hexValue(rest[rest.startIndex]),
            let low = hexValue(rest[rest.index(after: rest.startIndex)])
        else {
            bytes.append(byte)
            continue
        }
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
    }
    return bytes
}

private func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
}

/// Of ASCII letters.
private func lowercase(_ byte: UInt8) -> UInt8 {
    (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
}
