package import Basics
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
        try members(line) { (name, reader, _) throws(CaptureError) in
            switch name {
            case "capture": version = try Self.unsigned(&reader, named: name)
            case "recording":
                header.recording = try Self.hexNumber(&reader, named: name)
                hasRecording = true
            case "startedAt":
                header.startedAt = RecordedDate(rawValue: try Self.signed(&reader, named: name))
                hasStart = true
            case "number": header.number = try Self.number(&reader, named: name, as: UInt32.self)
            case "firstTime": header.firstTime = try Self.time(&reader, named: name)
            case "redacted": header.isRedacted = try Self.boolean(&reader, named: name)
            default: throw Self.unknown(name)
            }
        }
        guard let version, hasRecording, hasStart else {
            throw Self.error("the first line has capture, recording and startedAt")
        }
        if version > UInt64(CaptureHeader.version) {
            throw CaptureError(.newer, message: "the lines are of format \(version)")
        }
        isFormer = version < UInt64(CaptureHeader.version)
        if version == 0 || header.number == 0 { throw Self.error("number must be at least 1") }
        if !CaptureHeader.dateRange.contains(header.startedAt) {
            throw Self.error("startedAt is too far from 1970")
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
        try members(line) { (name, reader, body) throws(CaptureError) in
            try draft.take(name, from: &reader, into: &body)
        }
        guard let time = draft.time, let kind = draft.kind else {
            throw Self.error("a record has time and kind")
        }
        try Self.check(time: time)
        if draft.expires != nil && kind != .push { throw Self.error("only a push has expires") }
        if draft.kinds != nil && kind != .push { throw Self.error("only a push has kinds") }
        if draft.contentCount > 1 { throw Self.error("a record has one of body, bytes and count") }
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
        if body.count > CaptureRecords.bodyLimit { throw Self.error("the body is too long") }
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
        if time > CaptureHeader.timeLimit { throw error("the time is too large") }
    }

    /// The members of a record read so far, except the body, which is in `CaptureLineReader.body`.
    private struct Draft {
        private typealias LineReader = CaptureLineReader

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
            from reader: inout JSONReader,
            into body: inout StoreWriter
        ) throws(CaptureError) {
            switch name {
            case "time": time = try LineReader.time(&reader, named: name)
            case "connection":
                connection = try LineReader.number(&reader, named: name, as: UInt32.self)
            case "kind": kind = try LineReader.kind(&reader)
            case "urgent":
                if try LineReader.boolean(&reader, named: name) {
                    flags |= CaptureRecord.urgentFlag
                }
            case "expires":
                expires = try LineReader.unsigned(&reader, named: name)
                flags |= CaptureRecord.expiresFlag
            case "kinds":
                kinds = try LineReader.names(&reader, named: name)
                flags |= CaptureRecord.kindsFlag
            case "flags": flags |= try LineReader.number(&reader, named: name, as: UInt8.self)
            case "seq": seq = try LineReader.unsigned(&reader, named: name)
            case "body":
                guard reader.peek() == .object else {
                    throw LineReader.error("body must be an object")
                }
                contentCount += 1
                body.put(raw: reader.rawValue())
            case "bytes":
                contentCount += 1
                try LineReader.putHex(&reader, to: &body)
            case "count":
                contentCount += 1
                body.put(varint: try LineReader.unsigned(&reader, named: name))
            default: throw LineReader.unknown(name)
            }
        }
    }

    /// Calls `take` with the name of each member and a reader at its value, which `take` must
    /// consume.
    private mutating func members(
        _ line: ByteView,
        take: (String, inout JSONReader, inout StoreWriter) throws(CaptureError) -> Void
    ) throws(CaptureError) {
        defer { scanner.resetScratch() }
        do throws(JSONError) {
            try validateJSON(line, using: &scanner)
        } catch {
            throw Self.error(error.message)
        }
        var reader = JSONReader(line)
        reader.enterObject()
        while let name = reader.nextKey() { try take(name.string, &reader, &body) }
    }
}
