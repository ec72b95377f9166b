internal import ByteStorage
internal import FrameCodec
internal import ReloadModel
internal import ReloadScheduling
package import StoreFormat
internal import StrictJSON
internal import WidgetMatching

/// What a record of the journal has, for people and scripts: see `JournalEntry`.
///
///     {"journal":7,"bytes":61,"entries":[{"entry":"clock",…},{"entry":"session",…}]}
///
/// Nothing but the record is needed, so apps, connections, devices and widgets are numbers. Nothing in
/// it is trusted.
package struct JournalDump {
    private var reader: StoreReader

    /// The line of a record; of one that cannot be read to its end, what comes before that.
    package static func line(of record: JournalRecord) -> DumpLine {
        var json = JSONWriter()
        json.beginObject()
        json.member("journal", record.position)
        json.member("bytes", JournalRecord.headerByteCount + record.body.count)
        var problem: StoreError?
        var dump = JournalDump(reader: StoreReader(record.body))
        json.list("entries") { json in
            do throws(StoreError) {
                while let entry = try dump.next() { entry.withByteView { json.raw($0) } }
            } catch {
                problem = StoreError(
                    error.code,
                    "journal record \(record.position): \(error.message)"
                )
            }
        }
        if let problem { json.problem(problem) }
        json.endObject()
        return DumpLine(json, problem)
    }

    /// The next entry as a JSON object, or nil behind the last one.
    private mutating func next() throws(StoreError) -> [UInt8]? {
        if reader.isAtEnd { return nil }
        guard let entry = JournalEntry(rawValue: try reader.read(UInt8.self)) else {
            throw reader.corrupt("there is no such entry")
        }
        var json = JSONWriter()
        json.beginObject()
        json.member("entry", "\(entry)")
        try write(entry, to: &json)
        json.endObject()
        return json.bytes
    }

    private mutating func write(
        _ entry: JournalEntry,
        to json: inout JSONWriter
    ) throws(StoreError) {
        switch entry {
        case .clock:
            json.member("monotonic", try reader.readSigned())
            json.member("wall", try reader.readSigned())
            json.member("schedule", try ScheduleClock(reading: &reader).now)
        case .session: try writeSession(to: &json)
        case .ended: json.member("connection", try reader.readNumber())
        case .frame: try writeFrame(to: &json)
        case .attached:
            json.member("connection", try reader.readNumber())
            json.member("device", try reader.readNumber())
        case .matched: try writeMatches(to: &json)
        case .batch:
            json.member("producer", try reader.readNumber())
            json.member("lastSeq", try reader.readVarint())
            json.member("bursts", try reader.readVarint())
        case .expired:
            let count = try reader.readCount(atMost: reader.remainingCount / 4)
            try writeWidgets(count, to: &json)
        case .handed: json.member("device", try reader.read(UInt32.self))
        case .apps: try json.apps(try reader.readCounted(), reader)
        case .turns, .passed, .restarted: break
        case .fannedOut: json.member("count", try reader.readVarint())
        case .paused:
            json.member("app", try reader.readNumber())
            json.member("isPaused", try reader.readBool())
        case .slots: try writeSlots(to: &json)
        case .forgotten: try writeForgetting(to: &json)
        }
    }

    private mutating func writeSession(to json: inout JSONWriter) throws(StoreError) {
        json.member("connection", try reader.readNumber())
        let role = try Peer(reading: &reader)
        json.member("role", role.rawValue)
        json.member("app", try reader.readNumber())
        let name = try reader.readCounted()
        switch role {
        case .publisher: json.member("producer", name)
        case .device: json.member("device", name)
        case .gateway, .server: break
        }
    }

    private mutating func writeFrame(to json: inout JSONWriter) throws(StoreError) {
        json.member("connection", try reader.readNumber())
        guard let type = FrameType(rawValue: try reader.read(UInt8.self)) else {
            throw reader.corrupt("there is no such frame")
        }
        json.member("type", type.name)
        let body = try reader.readCounted()
        json.key("body")
        try json.body(body, reader)
    }

    private mutating func writeSlots(to json: inout JSONWriter) throws(StoreError) {
        json.member("kind", try reader.readNumber())
        let count = try reader.readCount(atMost: reader.remainingCount)
        json.key("dates")
        json.beginArray()
        for _ in 0..<count { json.integer(try reader.readSigned()) }
        json.endArray()
    }

    private mutating func writeForgetting(to json: inout JSONWriter) throws(StoreError) {
        json.key("producers")
        json.beginArray()
        for _ in 0..<(try reader.readCount(atMost: reader.remainingCount)) {
            json.unsigned(UInt64(try reader.readNumber()))
        }
        json.endArray()
    }

    // MARK: - Pushes

    /// The runs of matches, one push after the other; see `Router.recordMatches`.
    private mutating func writeMatches(to json: inout JSONWriter) throws(StoreError) {
        json.member("producer", try reader.readNumber())
        json.member("areTaken", try reader.readBool())
        var left = try reader.readCount(atMost: reader.remainingCount)
        json.key("matches")
        json.beginArray()
        while left > 0 {
            json.beginObject()
            json.member("push", try reader.readCount(atMost: WidgetMatcher.batchLimit - 1))
            if try reader.readBool() { try writePush(to: &json) }
            let count = try reader.readCount(atMost: left)
            try writeWidgets(count, to: &json)
            json.endObject()
            left -= count
        }
        json.endArray()
    }

    /// What is known of a push beside its matches.
    private mutating func writePush(to json: inout JSONWriter) throws(StoreError) {
        let flags = try reader.read(UInt8.self)
        json.member("isUrgent", flags & Router.QueuedPush.urgentFlag != 0)
        json.member("isVoid", flags & Router.QueuedPush.voidFlag != 0)
        json.member("burst", try reader.readVarint())
        json.member("reloadsSince", try reader.readVarint())
        let voidAt = try reader.readSigned()
        if voidAt != .max { json.member("voidAt", voidAt) }
        if flags & Router.QueuedPush.fieldsFlag != 0 {
            let payload = try reader.readCounted()
            json.key("payload")
            try json.object(payload, reader)
        }
    }

    private mutating func writeWidgets(
        _ count: Int,
        to json: inout JSONWriter
    ) throws(StoreError) {
        var widgets = StoreReader(try reader.read(raw: count * 4))
        json.key("widgets")
        json.beginArray()
        while !widgets.isAtEnd { json.unsigned(UInt64(try widgets.read(UInt32.self))) }
        json.endArray()
    }
}
