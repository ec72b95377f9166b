internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import ReloadScheduling
package import StoreFormat
internal import StrictJSON
internal import WidgetMatching

/// What a record of the journal has, for people and scripts: see `RouterInput`.
///
///     {"journal":7,"bytes":61,"entries":[{"entry":"clock",…},{"entry":"session",…}]}
///
/// Nothing but the record is needed, so apps, connections, devices and widgets are numbers. Nothing in
/// it is trusted.
package enum JournalDump {
    /// The line of a record; of one that cannot be read to its end, what comes before that.
    package static func line(of record: JournalRecord) -> DumpLine {
        var json = JSONWriter()
        json.beginObject()
        json.member("journal", record.position)
        json.member("bytes", JournalRecord.headerByteCount + record.body.count)
        var problem: StoreError?
        var reader = InputReader(record.body)
        json.list("entries") { json in
            do throws(StoreError) {
                while try reader.next({ json.entry($0) }) {}
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
}

extension JSONWriter {
    /// Writes an input as an object.
    ///
    /// - Returns: why it cannot be written; then nothing was.
    fileprivate mutating func entry(_ input: borrowing RouterInput) -> String? {
        var json = JSONWriter()
        json.beginObject()
        json.member("entry", "\(input.tag)")
        do throws(JSONProblem) {
            try json.members(of: input)
        } catch {
            return error.sentence
        }
        json.endObject()
        json.bytes.withByteView { raw($0) }
        return nil
    }

    private mutating func members(of input: borrowing RouterInput) throws(JSONProblem) {
        switch input {
        case .clock(let now, let scheduleClock):
            member("monotonic", now.monotonic)
            member("wall", now.wall)
            member("schedule", scheduleClock.now)
        case .sessionOpened(let connection, let role, let app, let name):
            member("connection", connection)
            member("role", role.rawValue)
            member("app", app)
            if role == .publisher { member("producer", name) }
            if role == .device { member("device", name) }
        case .sessionEnded(let connection):
            member("connection", connection)
        case .deviceFrame(let connection, let type, let frame):
            member("connection", connection)
            member("type", type.name)
            key("body")
            try body(frame)
        case .deviceAttached(let connection, let device):
            member("connection", connection)
            member("device", device)
        case .matched(let producer, let areApplied, let pushes, let matches):
            member("producer", producer)
            member("areTaken", areApplied)
            try self.matches(matches, pushes)
        case .batchEnded(let producer, let lastSeq, let count):
            member("producer", producer)
            member("lastSeq", lastSeq)
            member("bursts", count)
        case .timersFired(let widgets): numbers("widgets", widgets)
        case .delivered(let device): member("device", device)
        case .catalogInstalled(let catalog, let source): apps(catalog, source)
        case .portionApplied(let count): member("count", count)
        case .appPaused(let app, let isPaused):
            member("app", app)
            member("isPaused", isPaused)
        case .slotsTaken(let kind, let dates):
            member("kind", kind)
            numbers("dates", dates)
        case .producersForgotten(let producers): numbers("producers", producers)
        case .permitsGranted, .originsPassed, .restarted: break
        }
    }

    private mutating func numbers(_ name: String, _ list: Span<some BinaryInteger>) {
        key(name)
        beginArray()
        for index in list.indices { integer(Int64(list[index])) }
        endArray()
    }

    // MARK: - Pushes

    private mutating func matches(
        _ matches: Span<WidgetMatch>,
        _ pushes: Span<MatchedPush>
    ) throws(JSONProblem) {
        var problem: JSONProblem?
        key("matches")
        beginArray()
        forEachRun(of: matches, pushes) { (tag, push, run) in
            beginObject()
            member("push", tag)
            do throws(JSONProblem) {
                if let push { try self.push(pushes[push]) }
            } catch {
                problem = problem ?? error
            }
            key("widgets")
            beginArray()
            for index in run { unsigned(UInt64(matches[index].widget)) }
            endArray()
            endObject()
        }
        endArray()
        if let problem { throw problem }
    }

    /// What is known of a push beside its matches.
    private mutating func push(_ push: MatchedPush) throws(JSONProblem) {
        member("isUrgent", push.isUrgent)
        member("isVoid", push.isVoid)
        member("burst", push.burst)
        member("reloadsSince", push.reloadsSince)
        if push.voidAt != .max { member("voidAt", push.voidAt) }
        if let payload = push.payload {
            key("payload")
            try object(payload)
        }
    }
}
