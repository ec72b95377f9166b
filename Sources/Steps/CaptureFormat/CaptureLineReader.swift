package import Basics
internal import FrameCodec
internal import StoreFormat

/// Reads records from the lines that `CaptureLine` describes, and trusts nothing in them.
package struct CaptureLineReader: ~Copyable {
    private var scanner = CaptureLine.scanner()
    /// The body of the present record.
    private var body = StoreWriter()
    /// Whether the lines are of version 1, whose records are converted.
    private var isFormer = false

    /// Makes a reader for any number of lines.
    package init() {}

    /// Reads the first line of a capture.
    ///
    /// - Throws: `text`, or `newer` if the format is a newer one.
    package mutating func header(_ line: ByteView) throws(CaptureError) -> CaptureHeader {
        var version: UInt64?
        var header = CaptureHeader(recording: 0, startedAt: RecordedDate(rawValue: 0))
        var hasStart = false
        var hasRecording = false
        var members = try members(of: line)
        while let name = members.next() {
            switch name {
            case "capture": version = try members.unsigned()
            case "recording":
                header.recording = try members.hexNumber()
                hasRecording = true
            case "startedAt":
                header.startedAt = RecordedDate(rawValue: try members.signed())
                hasStart = true
            case "number": header.number = try members.number(as: UInt32.self)
            case "firstTime": header.firstTime = try members.time()
            case "redacted": header.isRedacted = try members.boolean()
            default: throw members.unknown
            }
        }
        guard let version, hasRecording, hasStart else {
            throw .line("the first line has capture, recording and startedAt")
        }
        if version > UInt64(CaptureHeader.version) {
            throw CaptureError(.newer, message: "the lines are of format \(version)")
        }
        isFormer = version < UInt64(CaptureHeader.version)
        if version == 0 || header.number == 0 { throw .line("number must be at least 1") }
        if !CaptureHeader.dateRange.contains(header.startedAt) {
            throw .line("startedAt is too far from 1970")
        }
        try Self.check(time: header.firstTime)
        return header
    }

    /// Reads a record and calls `use` with it; the record is valid only until that returns. After a
    /// header of version 1 it is converted; see `FormerKinds`.
    ///
    /// - Throws: `text`, and what `use` throws.
    package mutating func record(
        _ line: ByteView,
        use: (CaptureRecord) throws(CaptureError) -> Void
    ) throws(CaptureError) {
        var draft = Draft()
        body.clear()
        var members = try members(of: line)
        while let name = members.next() { try draft.take(name, from: &members, into: &body) }
        guard let time = draft.time, let kind = draft.kind else {
            throw .line("a record has time and kind")
        }
        try Self.check(time: time)
        if draft.expires != nil && kind != .push { throw .line("only a push has expires") }
        if draft.kinds != nil && kind != .push { throw .line("only a push has kinds") }
        if draft.contentCount > 1 { throw .line("a record has one of body, bytes and count") }
        // In a frame these precede the payload, but a line may have its members in any order.
        if draft.expires != nil || draft.kinds != nil {
            let content = body.bytes.array
            body.clear()
            if let expires = draft.expires { body.put(expires.byteSwapped) }
            if let kinds = draft.kinds {
                body.put(UInt16(kinds.count).byteSwapped)
                kinds.withByteView { body.put(raw: $0) }
            }
            content.withByteView { body.put(raw: $0) }
        }
        if body.count > CaptureRecords.bodyLimit { throw .line("the body is too long") }
        let record = CaptureRecord(
            time: time,
            connection: draft.connection,
            kind: kind,
            flags: draft.flags,
            seq: draft.seq,
            body: body.bytes
        )
        if !isFormer { return try use(record) }
        _ = try FormerKinds.convert(record, using: &scanner, use: use)
    }

    /// Throws `text` if a time is above `CaptureHeader.timeLimit`.
    private static func check(time: RecordedTime) throws(CaptureError) {
        if time > CaptureHeader.timeLimit { throw .line("the time is too large") }
    }

    /// The members of a line, which must be a JSON object.
    private mutating func members(of line: ByteView) throws(CaptureError) -> LineMembers {
        defer { scanner.resetScratch() }
        do throws(JSONError) {
            try validateJSON(line, using: &scanner)
        } catch {
            throw .line(error.message)
        }
        return LineMembers(line)
    }

    /// The members of a record read so far, except the body, which is in `CaptureLineReader.body`.
    private struct Draft {
        var time: RecordedTime?
        var connection: UInt32 = 0
        var kind: CaptureKind?
        var flags: UInt8 = 0
        var expires: UInt64?
        var kinds: [UInt8]?
        var seq: UInt64 = 0
        var contentCount = 0

        /// Reads the value of one member.
        mutating func take(
            _ name: String,
            from members: inout LineMembers,
            into body: inout StoreWriter
        ) throws(CaptureError) {
            switch name {
            case "time": time = try members.time()
            case "connection": connection = try members.number(as: UInt32.self)
            case "kind": kind = try members.kind()
            case "urgent": if try members.boolean() { flags |= PushFlags.urgent }
            case "expires":
                expires = try members.unsigned()
                flags |= PushFlags.expires
            case "kinds":
                kinds = try members.names()
                flags |= PushFlags.kinds
            case "flags": flags |= try members.number(as: UInt8.self)
            case "seq": seq = try members.unsigned()
            case "body":
                contentCount += 1
                body.put(raw: try members.object())
            case "bytes":
                contentCount += 1
                try members.putHex(to: &body)
            case "count":
                contentCount += 1
                body.put(varint: try members.unsigned())
            default: throw members.unknown
            }
        }
    }
}
