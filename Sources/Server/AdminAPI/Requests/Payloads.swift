/// The payloads of a request: parts of its body, which is kept as it came.
///
///     body    {"a":1}⏎{"a":2}⏎⏎{"a":3}
///     parts   0…7     8…15   …  17…24     8 bytes each
///
/// So a line costs no allocation of its own: ten thousand lines of two bytes would otherwise take
/// thirty times their body. The payloads are not validated yet.
package struct Payloads: Sendable, RandomAccessCollection {
    /// The most bytes of a body: offsets have 32 bits.
    private static var bodyLimit: Int { Int(UInt32.max) }

    private struct Part {
        let start: UInt32
        let end: UInt32
    }

    private let body: [UInt8]
    private var parts: ContiguousArray<Part> = []

    /// Makes a payload of a whole body.
    package init(_ body: [UInt8]) {
        self.init(of: body)
        append(body.indices)
    }

    /// Makes a payload of each of some texts.
    init(joining texts: [[UInt8]]) {
        self.init(of: Array(texts.joined()))
        var start = 0
        for text in texts {
            append(start..<start + text.count)
            start += text.count
        }
    }

    /// Makes no payloads of a body; `append` adds them.
    init(of body: [UInt8]) {
        precondition(body.count <= Self.bodyLimit, "a body of \(body.count) bytes")
        self.body = body
    }

    /// Makes a payload of each line of a body; a line ends with a line feed, or with a carriage
    /// return before it.
    ///
    /// A blank line before the end is a payload (one that will be rejected as invalid JSON), so
    /// that the sequence number of a push follows from its line. Blank lines at the end are none.
    ///
    /// - Throws: 413 for more than `AdminInput.pushesLimit` lines.
    package init(linesOf body: [UInt8]) throws(AdminProblem) {
        self.init(of: body)
        var start = 0
        let count = (body.lastIndex { !Self.isBlank($0) } ?? -1) + 1
        while start < count {
            if parts.count == AdminInput.pushesLimit {
                throw AdminProblem(
                    413,
                    code: "body-too-large",
                    detail: "the body has more than \(AdminInput.pushesLimit) lines; send several "
                        + "requests"
                )
            }
            let next = body[start...].firstIndex(of: 0x0a) ?? body.count
            let end = next > start && body[next - 1] == 0x0d ? next - 1 : next
            append(start..<end)
            start = next + 1
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
    }

    /// Adds a part of the body.
    mutating func append(_ part: Range<Int>) {
        precondition(part.upperBound <= body.count, "a payload that is not in its body")
        parts.append(Part(start: UInt32(part.lowerBound), end: UInt32(part.upperBound)))
    }

    /// The bytes of memory that the payloads take.
    package var byteCount: Int { body.count + parts.count * MemoryLayout<Part>.size }

    /// 0.
    package var startIndex: Int { 0 }
    /// The number of payloads.
    package var endIndex: Int { parts.count }
    /// A payload.
    package subscript(index: Int) -> ArraySlice<UInt8> {
        body[Int(parts[index].start)..<Int(parts[index].end)]
    }
}
