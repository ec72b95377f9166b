package import Basics
internal import FrameCodec

/// Captures as lines of JSON, for people and other programs: the header, then one record a line.
///
///     {"capture":2,"recording":"00000000000000aa","startedAt":1795000000000000}
///     {"time":1500,"connection":1,"kind":"push","urgent":true,"seq":7,"body":{"event":"dragon"}}
///
/// Lines that were written from records stay the same when they are read and written again.
package enum CaptureLine {
    /// The deepest nesting of a body that is written as JSON; a line is one level deeper.
    static var depthLimit: Int { 64 }

    /// A new scanner for lines and bodies.
    package static func scanner() -> JSONScanner { JSONScanner(depthLimit: depthLimit + 1) }

    /// The name of a kind in lines: that of its case.
    package static func name(_ kind: CaptureKind) -> String { names[kind]! }

    /// The names of all kinds, made once: to find a case's name is slow.
    private static let names = Dictionary(
        uniqueKeysWithValues: CaptureKind.allCases.map { ($0, "\($0)") }
    )

    // MARK: - To lines

    /// The first line, without its line feed.
    package static func text(of header: CaptureHeader) -> [UInt8] {
        JSONWriter.object { json in
            json.member("capture", value: CaptureHeader.version)
            json.member("recording", value: header.recording.hexadecimal)
            json.member("startedAt", value: header.startedAt.rawValue)
            if header.number != 1 { json.member("number", value: header.number) }
            if header.firstTime != .zero {
                json.member("firstTime", value: header.firstTime.rawValue)
            }
            if header.isRedacted { json.member("redacted", value: true) }
        }
    }

    /// The line of a record, without its line feed.
    package static func text(
        of record: CaptureRecord,
        using scanner: inout JSONScanner
    ) -> [UInt8] {
        JSONWriter.object { json in
            json.member("time", value: record.time.rawValue)
            if record.connection != 0 { json.member("connection", value: record.connection) }
            json.member("kind", value: name(record.kind))
            let parts = Parts(record, using: &scanner)
            if record.flags & PushFlags.urgent != 0 { json.member("urgent", value: true) }
            if let expires = parts.expires { json.member("expires", value: expires) }
            if let kinds = parts.kinds { put(kinds, to: &json) }
            if parts.otherFlags != 0 { json.member("flags", value: parts.otherFlags) }
            if record.seq != 0 { json.member("seq", value: record.seq) }
            put(parts, to: &json)
        }
    }

    /// Writes the member that has the record's content.
    private static func put(_ parts: Parts, to json: inout JSONWriter) {
        switch parts.content {
        case .none: break
        case .count(let count): json.member("count", value: count)
        case .json(let body):
            json.key("body")
            // Line breaks in accepted JSON are always between tokens, because strings escape them.
            body.array.map { $0 == 0x0a || $0 == 0x0d ? 0x20 : $0 }.withByteView { json.raw($0) }
        case .bytes(let body): json.member("bytes", value: hexText(body))
        }
    }

    /// A record's flags and body, in the members in which its line shows them.
    private struct Parts {
        enum Content {
            case none
            case count(UInt64)
            case json(ByteView)
            case bytes(ByteView)
        }

        var expires: UInt64?
        /// The names of the kinds, each after its length as a byte.
        var kinds: ByteView?
        var otherFlags: UInt8
        var content = Content.none

        init(_ record: CaptureRecord, using scanner: inout JSONScanner) {
            otherFlags = record.flags & ~PushFlags.urgent
            if let count = record.lostCount {
                content = .count(count)
                return
            }
            if record.body.count == 0 { return }
            // Only PUSH has these flags; another record may have the bits, which then go into
            // `flags`.
            let parts = record.pushParts
            let body = parts?.payload ?? record.body
            guard CaptureLine.isObject(body, using: &scanner),
                parts?.kinds.map({ CaptureLine.areNames($0) }) ?? true
            else {
                content = .bytes(record.body)
                return
            }
            // White space around the body is dropped here, as it would be lost when the line is
            // read.
            var reader = JSONReader(body)
            content = .json(reader.rawValue())
            guard let parts else { return }
            (expires, kinds) = (parts.expires, parts.kinds)
            otherFlags &= ~(PushFlags.expires | PushFlags.kinds)
        }
    }

    /// Whether bytes are names of kinds, each after its length, that can be written as JSON.
    private static func areNames(_ bytes: ByteView) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let end = offset + 1 + Int(bytes[offset])
            if end == offset + 1 || end > bytes.count { return false }
            let name = bytes.slice(offset + 1, to: end)
            if String(validating: name.array, as: UTF8.self) == nil { return false }
            offset = end
        }
        return true
    }

    private static func put(_ kinds: ByteView, to json: inout JSONWriter) {
        json.key("kinds")
        json.beginArray()
        var offset = 0
        while offset < kinds.count {
            let end = offset + 1 + Int(kinds[offset])
            json.string(kinds.slice(offset + 1, to: end))
            offset = end
        }
        json.endArray()
    }

    /// Whether the body can be written into a line as JSON.
    private static func isObject(_ body: ByteView, using scanner: inout JSONScanner) -> Bool {
        defer { scanner.resetScratch() }
        guard (try? validateJSON(body, using: &scanner)) != nil else { return false }
        return body.jsonDepth <= depthLimit
    }
}

/// Bytes as two hexadecimal digits each.
func hexText(_ bytes: ByteView) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for offset in 0..<bytes.count {
        text.append(digits[Int(bytes[offset] >> 4)])
        text.append(digits[Int(bytes[offset] & 15)])
    }
    return String(decoding: text, as: UTF8.self)
}
