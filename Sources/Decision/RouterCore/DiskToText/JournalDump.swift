internal import Basics
internal import FrameCodec
internal import ReloadScheduling
package import StoreFormat
internal import WidgetMatching

/// Prints a record of the journal, which has inputs (`RouterInput`), for people and scripts.
///
///     {"journal":7,"bytes":61,"entries":[{"entry":"clock",…},{"entry":"session",…}]}
///
/// It needs nothing but the record, so apps, connections, devices and widgets are numbers. The
/// record may be damaged.
package enum JournalDump {
    /// Makes the line of a record. If the record cannot be read to its end, the line has the
    /// entries before that, and the error.
    package static func line(of record: JournalRecord) -> DumpLine {
        var json = JSONWriter()
        json.beginObject()
        json.member("journal", value: record.position)
        json.member("bytes", value: JournalRecord.headerByteCount + record.body.count)
        var problem: StoreError?
        var reader = InputReader(record.body)
        json.key("entries")
        json.beginArray()
        do throws(StoreError) {
            while try reader.next({ json.entry($0) }) {}
        } catch {
            problem = error.found(in: "journal record \(record.position)")
        }
        json.endArray()
        if let problem { json.problem(problem) }
        json.endObject()
        return DumpLine(json, problem: problem)
    }
}

extension JSONWriter {
    /// Writes an input as a JSON object. Returns why it cannot be written, in which case nothing
    /// was; nil if it was written.
    fileprivate mutating func entry(_ input: borrowing RouterInput) -> String? {
        var json = JSONWriter()
        json.beginObject()
        json.member("entry", value: "\(input.tag)")
        do throws(JSONProblem) {
            try json.members(of: input)
        } catch {
            return error.sentence
        }
        json.endObject()
        json.bytes.withByteView { raw($0) }
        return nil
    }

    /// Writes the members of a frame of a device.
    private mutating func frame(_ type: FrameType, body frame: ByteView) throws(JSONProblem) {
        member("type", value: type.name)
        key("body")
        try body(frame)
    }

    /// Writes the members of an input; throws if a body is not JSON.
    private mutating func members(of input: borrowing RouterInput) throws(JSONProblem) {
        switch input {
        case .clock(let now, let scheduleClock):
            member("monotonic", value: now.monotonic)
            member("wall", value: now.wall)
            member("schedule", value: scheduleClock.now)
        case .sessionOpened(let connection, let role, let app, let name):
            member("connection", value: connection.rawValue)
            member("role", value: role.rawValue)
            member("app", value: app.rawValue)
            if role == .publisher { member("producer", value: name) }
            if role == .device { member("device", value: name) }
        case .sessionEnded(let connection): member("connection", value: connection.rawValue)
        case .deviceFrame(let connection, let type, let frame):
            member("connection", value: connection.rawValue)
            try self.frame(type, body: frame)
        case .deviceReported(let app, let type, let frame):
            member("app", value: app.rawValue)
            try self.frame(type, body: frame)
        case .deviceAttached(let connection, let device):
            member("connection", value: connection.rawValue)
            member("device", value: device.rawValue)
        case .matched(let source, let areApplied, let pushes, let matches):
            self.source(source)
            member("areTaken", value: areApplied)
            try self.matches(matches, of: pushes)
        case .batchEnded(let source, let last, let count):
            self.source(source)
            member(source.producer == nil ? "upTo" : "lastSeq", value: last)
            member("bursts", value: count)
        case .pushesAccepted, .pushesSettled, .permitsLent, .permitsBorrowed:
            try membersOfPartition(of: input)
        case .timersFired(let widgets): numbers("widgets", of: widgets)
        case .tokensConfirmed(let device), .delivered(let device), .deviceForgotten(let device):
            member("device", value: device.rawValue)
        case .catalogInstalled(let catalog, let source, let revision, _):
            if revision > 0 { member("revision", value: revision) }
            apps(catalog, source: source)
        case .catalogChanged(let declared, let source, let withdrawn, let withdrawnSource, _):
            apps(declared, source: source, as: "declared")
            apps(withdrawn, source: withdrawnSource, as: "withdrawn")
        case .portionApplied(let count), .rulesAdopted(let count): member("count", value: count)
        case .appPaused, .requestKeysForgotten, .tokensRevoked: membersOfApp(of: input)
        case .slotsTaken(let kind, let dates):
            member("kind", value: kind.rawValue)
            self.dates(dates)
        case .producersForgotten(let producers): numbers("producers", of: producers)
        case .pushRejected(let producer, let seq, let code):
            member("producer", value: producer.rawValue)
            member("seq", value: seq)
            member("code", value: code.rawValue)
        case .rejectionWithdrawn(let producer, let seq):
            member("producer", value: producer.rawValue)
            member("seq", value: seq)
        case .requestBegan(let producer, let key, let firstSeq):
            member("producer", value: producer.rawValue)
            member("key", value: key.text)
            member("firstSeq", value: firstSeq)
        case .requestEnded(let producer, let lines):
            member("producer", value: producer.rawValue)
            member("lines", value: lines)
        case .apnsPushEnded(let device, let number, let outcome):
            member("device", value: device.rawValue)
            member("number", value: number)
            self.outcome(outcome)
        case .permitsGranted, .originsPassed, .restarted: break
        }
    }

    /// Writes where pushes come from.
    private mutating func source(_ source: PushSource) {
        switch source {
        case .producer(let producer): member("producer", value: producer.rawValue)
        case .home(let source):
            member("home", value: source.home.rawValue)
            member("producer", value: source.producer.rawValue)
            member("app", value: source.app.rawValue)
        }
    }

    /// Writes what partitions agree on; throws if a push is not JSON.
    private mutating func membersOfPartition(
        of input: borrowing RouterInput
    ) throws(JSONProblem) {
        switch input {
        case .pushesAccepted(let producer, let pushes):
            member("producer", value: producer.rawValue)
            key("pushes")
            beginArray()
            for index in pushes.indices {
                beginObject()
                try accepted(pushes[index])
                endObject()
            }
            endArray()
        case .pushesSettled(let number): member("upTo", value: number)
        case .permitsLent(let origin, let count):
            member("origin", value: origin.rawValue)
            member("count", value: count)
        case .permitsBorrowed(let origin, let count, let second):
            member("origin", value: origin.rawValue)
            member("count", value: count)
            member("second", value: second)
        default: preconditionFailure("\(input.tag) is not of several partitions alone")
        }
    }

    /// Writes what operators say of an app, and what is forgotten of it.
    private mutating func membersOfApp(of input: borrowing RouterInput) {
        switch input {
        case .appPaused(let app, let isPaused):
            member("app", value: app.rawValue)
            member("isPaused", value: isPaused)
        case .requestKeysForgotten(let app, let count):
            member("app", value: app.rawValue)
            member("count", value: count)
        case .tokensRevoked(let app, let device, let before):
            member("app", value: app.rawValue)
            member("device", value: device)
            member("before", value: before)
        default: preconditionFailure("\(input.tag) is not of an app alone")
        }
    }

    /// Writes a member that is an app file.
    private mutating func apps(_ catalog: AppCatalog, source: ByteView, as name: String) {
        key(name)
        object { $0.apps(catalog, source: source) }
    }

    private mutating func dates(_ dates: Span<WallTime>) {
        key("dates")
        beginArray()
        for index in dates.indices { integer(dates[index].rawValue) }
        endArray()
    }

    /// Writes what became of a push by APNs.
    private mutating func outcome(_ outcome: APNsPushOutcome) {
        switch outcome {
        case .tokenDead(let since, let fault):
            member("outcome", value: "tokenDead")
            member("reason", value: fault.appleName)
            if let since { member("since", value: since) }
        case .postponed(let pause):
            member("outcome", value: "postponed")
            member("pause", value: pause)
        case .tokenRefused(let fault):
            member("outcome", value: "tokenRefused")
            member("reason", value: fault.appleName)
        case .accepted, .acceptedOnTrial, .refused, .unknown: member("outcome", value: "\(outcome)")
        }
    }

    /// Writes a member that is a list of numbers.
    private mutating func numbers(_ name: String, of list: Span<some TableNumber>) {
        key(name)
        beginArray()
        for index in list.indices { unsigned(UInt64(list[index].rawValue)) }
        endArray()
    }

    // MARK: - Pushes

    /// Writes matches as a list with an object for each push. If a payload is not JSON, its members
    /// are left out, and the error is thrown after the rest has been written.
    private mutating func matches(
        _ matches: Span<WidgetMatch>,
        of pushes: Span<MatchedPush>
    ) throws(JSONProblem) {
        var problem: JSONProblem?
        key("matches")
        beginArray()
        forEachRun(of: matches, pushes: pushes) { (tag, push, run) in
            beginObject()
            member("push", value: tag)
            do throws(JSONProblem) {
                if let push { try self.push(pushes[push]) }
            } catch {
                problem = problem ?? error
            }
            key("widgets")
            beginArray()
            for index in run { unsigned(UInt64(matches[index].widget.rawValue)) }
            endArray()
            endObject()
        }
        endArray()
        if let problem { throw problem }
    }

    /// Writes the members of a push; its payload is written only if a kind of the app needs it.
    private mutating func push(_ push: MatchedPush) throws(JSONProblem) {
        if push.number > 0 { member("number", value: push.number) }
        member("isUrgent", value: push.isUrgent)
        member("isVoid", value: push.isExpired)
        member("burst", value: push.fanOut)
        member("reloadsSince", value: push.reloadsSince)
        if push.expiresAt != .max { member("voidAt", value: push.expiresAt) }
        if let payload = push.payload {
            key("payload")
            try object(payload)
        }
    }
}
