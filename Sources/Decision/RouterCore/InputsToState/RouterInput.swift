internal import Basics
internal import FrameCodec
internal import ReloadScheduling
internal import StoreFormat
internal import WidgetMatching

/// Everything that can change the router's state, one case each, with its data.
///
/// The state is a function of its inputs: a live run, a recovery after a crash, a replica and a dry
/// run apply the same values (`ReloadState.apply`). So they contain whatever a decision depends on
/// beside the state: the time, the frames of devices, which widgets the matcher found, which timers
/// fired, which devices could take their RELOADs. They do not contain what follows from all that.
///
/// Views and spans are valid only during the call that is given the input.
enum RouterInput: ~Escapable {
    /// What the clocks show until the next such input.
    case clock(Instant, ScheduleClock)
    /// A HELLO was accepted; `name` is the producer's or the device's, and empty for a gateway.
    case sessionOpened(connection: ConnectionSlot, role: Peer, app: AppID, name: ByteView)
    /// The session of a connection has ended.
    case sessionEnded(connection: ConnectionSlot)
    /// A WIDGETS, TIMELINE, STATE or REQUEST frame.
    case deviceFrame(connection: ConnectionSlot, type: FrameType, body: ByteView)
    /// Such a frame of one of the app's devices that has come without a session, over HTTP.
    case deviceReported(app: AppID, type: FrameType, body: ByteView)
    /// The session speaks for the device; its frame said nothing else that is new.
    case deviceAttached(connection: ConnectionSlot, device: DeviceID)
    /// The device has given the push tokens again that it had; its frame said nothing else that is
    /// new.
    case tokensConfirmed(device: DeviceID)
    /// A device was removed: an operator has asked for it, or nothing has been heard of it for
    /// long.
    case deviceForgotten(device: DeviceID)
    /// An operator has revoked the signed tokens of a device of this name that were issued before a
    /// date or, if that is nil, takes that back.
    case tokensRevoked(app: AppID, device: ByteView, before: WallTime?)
    /// The widgets that a batch of pushes matches.
    ///
    /// `pushes` are those that have no match in an earlier input of the batch, in the order in
    /// which `matches` names them. The matches are applied at once, or wait in the fan-out of the
    /// batch.
    case matched(
        source: PushSource,
        areApplied: Bool,
        pushes: Span<MatchedPush>,
        matches: Span<WidgetMatch>
    )
    /// All matches of a batch are known, so its pushes are accepted: `count` of them, up to `last`,
    /// which is a sequence number. Of pushes that a home forwards, `last` is the number up to which
    /// all of them are evaluated.
    ///
    /// If the process ends before this input, the publisher has no ACK for them and sends them
    /// again, or the home forwards them again.
    case batchEnded(source: PushSource, last: UInt64, count: UInt64)
    /// This partition is the home of a producer, whose pushes it has accepted: they get the next
    /// numbers here, and are kept until they are settled. Only where there are several partitions.
    case pushesAccepted(producer: ProducerID, pushes: Span<AcceptedPush>)
    /// All partitions have evaluated the pushes that this one has accepted, up to a number.
    case pushesSettled(upTo: UInt64)
    /// Permits of the present second were lent to another partition.
    case permitsLent(origin: OriginID, count: Int)
    /// Another partition has lent permits of the second, which is the present one.
    case permitsBorrowed(origin: OriginID, count: Int, second: UInt32)
    /// Timers, in the order in which they fired.
    case timersFired(widgets: Span<WidgetID>)
    /// The origins grant the permits that they have now to widgets that wait for them.
    case permitsGranted
    /// A device could take the RELOADs that were pending for it, or a push in their place, and they
    /// were made.
    case delivered(device: DeviceID)
    /// The origins forgot the seconds that are over.
    case originsPassed
    /// A new app file was installed, as a whole or `after` its portions: what they have changed is
    /// not in the log, because the result is the same without it. Where there are several
    /// partitions, all install the same files, by their revisions; otherwise that is 0.
    case catalogInstalled(
        AppCatalog,
        source: ByteView,
        revision: UInt32,
        after: CatalogChange?
    )
    /// A portion of a new app file was applied: kinds and apps that it declares and withdraws, each
    /// with the app file from which they are read; empty for none. The log has no `kinds` of apps
    /// that stand for themselves (`CatalogChange.Portion`): the file's end has them.
    case catalogChanged(
        declared: AppCatalog,
        source: ByteView,
        withdrawn: AppCatalog,
        withdrawnSource: ByteView,
        kinds: [[KindDeclaration]]
    )
    /// The next `devices` devices have adopted how the app file spreads the reloads of their kinds,
    /// and its settings for APNs.
    case rulesAdopted(devices: Int)
    /// All sessions ended with the process.
    case restarted
    /// The next `count` matches of the first fan-out are applied.
    case portionApplied(count: Int)
    /// An operator has paused an app or resumed it.
    case appPaused(app: AppID, isPaused: Bool)
    /// Dates of apps that hold no connection got slots, as dates of timelines of the kind do.
    case slotsTaken(kind: KindID, dates: Span<WallTime>)
    /// Producers that were forgotten.
    case producersForgotten(Span<ProducerID>)
    /// A push was rejected, which its publisher may have to be reminded of.
    case pushRejected(producer: ProducerID, seq: UInt64, code: ErrorCode)
    /// A push of a number that was rejected before has come, in a later session.
    case rejectionWithdrawn(producer: ProducerID, seq: UInt64)
    /// The pushes of a producer are those of a request with a key; its first line would have the
    /// number `firstSeq`.
    case requestBegan(producer: ProducerID, key: RequestKey, firstSeq: UInt64)
    /// A producer's request has ended: all of its `lines` are accepted or refused or, if that is 0,
    /// some are not.
    case requestEnded(producer: ProducerID, lines: Int)
    /// The oldest `count` keys of an app were forgotten.
    case requestKeysForgotten(app: AppID, count: Int)
    /// What became of the APNs push with a number to a device.
    case apnsPushEnded(device: DeviceID, number: UInt64, outcome: APNsPushOutcome)
}

/// What is known of a push beside the widgets that it matches.
struct MatchedPush {
    /// Its number in the batch, from 0.
    var tag: UInt32
    /// Its number at its home; 0 if no home forwards it.
    var number: UInt64 = 0
    var isUrgent = false
    /// Whether it had expired when it came.
    var isExpired = false
    /// Its fan-out number less that of the last push of the batch before: 1 for the first push of a
    /// batch.
    var fanOut: UInt64
    /// The number of RELOADs that were made since it came.
    var reloadsSince: UInt64
    /// When it expires; `.max` for never.
    var expiresAt: WallTime
    /// The payload; nil if no kind of the app names fields of payloads, or if the push had expired.
    var payload: ByteView?
}

/// The first byte of an input in a log; its data follow.
///
/// Numbers are varints unless their number of bits is given; names and bodies follow their length.
///
///     clock     monotonic, wall: signed │ schedule clock         before the first input at a time
///     session   connection │ role: 8 │ app │ name
///     ended     connection
///     frame     connection │ type: 8 │ body
///     attached  connection │ device
///     matched   producer │ are they applied: 8 │ count │ runs of matches of one push each
///     batch     producer │ lastSeq │ count
///     expired   count │ widgets: 32 each
///     permits
///     delivered device: 32
///     passed
///     apps      app file
///     restarted
///     fannedOut count
///     paused    app │ is it paused: 8
///     slots     kind │ count │ dates: signed
///     forgotten count │ producers
///     rejected  producer │ seq │ code: 8
///     withdrawn producer │ seq
///     request   producer │ key: 128 │ firstSeq
///     answered  producer │ lines
///     keys      app │ count
///     apnsEnded device: 32 │ number │ outcome: 8 │ [ reason: 8 ] │ [ pause │ since when: signed ]
///     reported  app │ type: 8 │ body
///     confirmed device
///     removed   device
///     kinds     app file of declared kinds or apps │ app file of withdrawn ones
///     revoked   app │ name of a device │ is there a date: 8 │ [ date: signed ]
///     adopted   count
///     forwarded  home: 8 │ its producer │ app │ are they applied: 8 │ count │ runs
///     evaluated home: 8 │ its producer │ app │ up to │ count
///     accepted  producer │ count │ pushes
///     settled   up to
///     lent      origin │ count
///     borrowed  origin │ count │ second: 32
///     revision  number │ app file
///
///     run       tag │ is the push new: 8 │ [ push ] │ count │ widgets: 32 each
///     push      flags: 8 │ fan-out number │ reloads since │ expires at: signed │ [ payload ]
///               of `forwarded`, before all that: its number
///     pushes    of `accepted`: seq │ flags: 8 │ body
///
/// The names are those that `store dump` prints.
enum InputTag: UInt8 {
    case clock = 1
    case session
    case ended
    case frame
    case attached
    case matched
    case batch
    case expired
    case permits
    case delivered
    case passed
    case apps
    case restarted
    case fannedOut
    case paused
    case slots
    case forgotten
    case rejected
    case withdrawn
    case request
    case answered
    case keys
    case apnsEnded
    case reported
    case confirmed
    case removed
    case kinds
    case revoked
    case adopted = 30
    case forwarded
    case evaluated
    case accepted
    case settled
    case lent
    case borrowed
    case revision
}

// MARK: - Writing

extension RouterInput {
    var tag: InputTag {
        switch self {
        case .clock: .clock
        case .sessionOpened: .session
        case .sessionEnded: .ended
        case .deviceFrame: .frame
        case .deviceReported: .reported
        case .deviceAttached: .attached
        case .tokensConfirmed: .confirmed
        case .deviceForgotten: .removed
        case .tokensRevoked: .revoked
        case .matched(.producer, _, _, _): .matched
        case .matched(.home, _, _, _): .forwarded
        case .batchEnded(.producer, _, _): .batch
        case .batchEnded(.home, _, _): .evaluated
        case .pushesAccepted: .accepted
        case .pushesSettled: .settled
        case .permitsLent: .lent
        case .permitsBorrowed: .borrowed
        case .timersFired: .expired
        case .permitsGranted: .permits
        case .delivered: .delivered
        case .originsPassed: .passed
        case .catalogInstalled(_, _, let revision, _): revision == 0 ? .apps : .revision
        case .catalogChanged: .kinds
        case .rulesAdopted: .adopted
        case .restarted: .restarted
        case .portionApplied: .fannedOut
        case .appPaused: .paused
        case .slotsTaken: .slots
        case .producersForgotten: .forgotten
        case .pushRejected: .rejected
        case .rejectionWithdrawn: .withdrawn
        case .requestBegan: .request
        case .requestEnded: .answered
        case .requestKeysForgotten: .keys
        case .apnsPushEnded: .apnsEnded
        }
    }

    func write(to writer: inout StoreWriter) {
        writer.put(tag.rawValue)
        switch self {
        case .clock(let now, let scheduleClock):
            writer.put(signed: now.monotonic)
            writer.put(signed: now.wall)
            scheduleClock.write(to: &writer)
        case .sessionOpened(let connection, let role, let app, let name):
            writer.put(number: connection)
            writer.put(role.storedNumber)
            writer.put(number: app)
            writer.put(counted: name)
        case .sessionEnded(let connection): writer.put(number: connection)
        case .deviceFrame(let connection, let type, let body):
            writer.put(number: connection)
            writer.put(type, body: body)
        case .deviceReported(let app, let type, let body):
            writer.put(number: app)
            writer.put(type, body: body)
        case .deviceAttached(let connection, let device):
            writer.put(number: connection)
            writer.put(number: device)
        case .tokensConfirmed(let device), .deviceForgotten(let device): writer.put(number: device)
        case .matched(let source, let areApplied, let pushes, let matches):
            source.write(to: &writer)
            writer.put(areApplied)
            writer.put(matches, of: pushes)
        case .batchEnded(let source, let last, let count):
            source.write(to: &writer)
            writer.put(varint: last)
            writer.put(varint: count)
        case .pushesAccepted, .pushesSettled, .permitsLent, .permitsBorrowed:
            writeOfPartition(to: &writer)
        case .timersFired(let widgets):
            writer.put(varint: UInt64(widgets.count))
            for index in widgets.indices { writer.put(widgets[index].rawValue) }
        case .delivered(let device): writer.put(device.rawValue)
        case .catalogInstalled(_, let source, let revision, _):
            precondition(source.count > 0, "the log has the app file")
            if revision > 0 { writer.put(varint: UInt64(revision)) }
            writer.put(counted: source)
        case .catalogChanged(_, let source, _, let withdrawnSource, _):
            writer.put(counted: source)
            writer.put(counted: withdrawnSource)
        case .portionApplied(let count), .rulesAdopted(let count): writer.put(varint: UInt64(count))
        case .slotsTaken(let kind, let dates):
            writer.put(number: kind)
            writer.put(varint: UInt64(dates.count))
            for index in dates.indices { writer.put(signed: dates[index]) }
        case .producersForgotten(let producers):
            writer.put(varint: UInt64(producers.count))
            for index in producers.indices { writer.put(number: producers[index]) }
        case .appPaused, .requestKeysForgotten, .tokensRevoked: writeOfApp(to: &writer)
        case .pushRejected, .rejectionWithdrawn, .requestBegan, .requestEnded:
            writeOfProducer(to: &writer)
        case .apnsPushEnded(let device, let number, let outcome):
            writer.put(device.rawValue)
            writer.put(varint: number)
            outcome.write(to: &writer)
        case .permitsGranted, .originsPassed, .restarted: break
        }
    }

    /// Writes what partitions agree on.
    private func writeOfPartition(to writer: inout StoreWriter) {
        switch self {
        case .pushesAccepted(let producer, let pushes):
            writer.put(number: producer)
            writer.put(varint: UInt64(pushes.count))
            for index in pushes.indices { pushes[index].write(to: &writer) }
        case .pushesSettled(let number): writer.put(varint: number)
        case .permitsLent(let origin, let count):
            writer.put(number: origin)
            writer.put(varint: UInt64(count))
        case .permitsBorrowed(let origin, let count, let second):
            writer.put(number: origin)
            writer.put(varint: UInt64(count))
            writer.put(second)
        default: preconditionFailure("\(tag) is not of several partitions alone")
        }
    }

    /// Writes what operators say of an app, and what is forgotten of it.
    private func writeOfApp(to writer: inout StoreWriter) {
        switch self {
        case .appPaused(let app, let isPaused):
            writer.put(number: app)
            writer.put(isPaused)
        case .requestKeysForgotten(let app, let count):
            writer.put(number: app)
            writer.put(varint: UInt64(count))
        case .tokensRevoked(let app, let device, let before):
            writer.put(number: app)
            writer.put(counted: device)
            writer.put(before != nil)
            if let before { writer.put(signed: before) }
        default: preconditionFailure("\(tag) is not of an app alone")
        }
    }

    /// Writes what has happened to a producer's pushes beside that they were accepted.
    private func writeOfProducer(to writer: inout StoreWriter) {
        switch self {
        case .pushRejected(let producer, let seq, let code):
            writer.put(number: producer)
            writer.put(varint: seq)
            writer.put(code.storedNumber)
        case .rejectionWithdrawn(let producer, let seq):
            writer.put(number: producer)
            writer.put(varint: seq)
        case .requestBegan(let producer, let key, let firstSeq):
            writer.put(number: producer)
            key.write(to: &writer)
            writer.put(varint: firstSeq)
        case .requestEnded(let producer, let lines):
            writer.put(number: producer)
            writer.put(varint: UInt64(lines))
        default: preconditionFailure("\(tag) is not of a producer alone")
        }
    }
}

extension StoreWriter {
    /// Writes the type and the body of a device's frame.
    fileprivate mutating func put(_ type: FrameType, body: ByteView) {
        put(type.rawValue)
        put(counted: body)
    }

    fileprivate mutating func put(_ matches: Span<WidgetMatch>, of pushes: Span<MatchedPush>) {
        put(varint: UInt64(matches.count))
        forEachRun(of: matches, pushes: pushes) { (tag, push, run) in
            put(varint: UInt64(tag))
            put(push != nil)
            if let push { put(pushes[push]) }
            put(varint: UInt64(run.count))
            for index in run { put(matches[index].widget.rawValue) }
        }
    }

    private mutating func put(_ push: MatchedPush) {
        if push.number > 0 { put(varint: push.number) }
        put(
            (push.isUrgent ? MatchedPush.urgentFlag : 0)
                | (push.isExpired ? MatchedPush.expiryFlag : 0)
                | (push.payload != nil ? MatchedPush.payloadFlag : 0)
        )
        put(varint: push.fanOut)
        put(varint: push.reloadsSince)
        put(signed: push.expiresAt)
        if let payload = push.payload { put(counted: payload) }
    }
}

extension MatchedPush {
    fileprivate static var urgentFlag: UInt8 { 1 }
    fileprivate static var expiryFlag: UInt8 { 2 }
    fileprivate static var payloadFlag: UInt8 { 4 }
}

/// Visits matches push by push; those of one push follow each other. `pushes` are those that are
/// named for the first time, in the order of `matches`. The body gets a push's tag, its index in
/// `pushes` (nil if it is not there), and the range of its matches.
@inline(__always)
func forEachRun(
    of matches: Span<WidgetMatch>,
    pushes: Span<MatchedPush>,
    body: (_ tag: UInt32, _ push: Int?, _ run: Range<Int>) -> Void
) {
    var start = 0
    var nextPush = 0
    while start < matches.count {
        let tag = matches[start].tag
        var end = start + 1
        while end < matches.count && matches[end].tag == tag { end += 1 }
        let isNew = nextPush < pushes.count && pushes[nextPush].tag == tag
        body(tag, isNew ? nextPush : nil, start..<end)
        if isNew { nextPush += 1 }
        start = end
    }
}

// MARK: - Reading

/// Reads inputs one after the other, and passes each to a closure.
///
/// Nothing read is trusted. Whether an input fits the state is checked by
/// `ReloadState.problem(with:charging:)`.
struct InputReader {
    /// Is given an input, and returns what is wrong with it, or nil.
    typealias Body = (borrowing RouterInput) -> String?

    private var bytes = StoreReader(.empty)
    // The lists of the present input, in memory that is reused.
    private var producers: ContiguousArray<ProducerID> = []
    private var widgets: ContiguousArray<WidgetID> = []
    private var dates: ContiguousArray<WallTime> = []
    private var pushes: ContiguousArray<MatchedPush> = []
    private var matches: ContiguousArray<WidgetMatch> = []
    private var accepted: ContiguousArray<AcceptedPush> = []

    init() {}

    init(_ bytes: ByteView) { begin(bytes) }

    /// Begins to read inputs; `bytes` must stay valid until the last one was read.
    mutating func begin(_ bytes: ByteView) { self.bytes = StoreReader(bytes) }

    /// Reads the next input for `body`. Returns whether there was one.
    ///
    /// - Throws: `corrupt`, also for what `body` returns.
    mutating func next(_ body: Body) throws(StoreError) -> Bool {
        if bytes.isAtEnd { return false }
        guard let tag = InputTag(rawValue: try bytes.read(UInt8.self)) else {
            throw bytes.corrupt("there is no such entry")
        }
        if let problem = try read(tag, body: body) { throw bytes.corrupt(problem) }
        return true
    }

    private mutating func read(_ tag: InputTag, body: Body) throws(StoreError) -> String? {
        switch tag {
        case .clock:
            let monotonic = try bytes.readSigned(MonotonicTime.self)
            let now = Instant(monotonic: monotonic, wall: try bytes.readSigned(WallTime.self))
            return body(.clock(now, try ScheduleClock(reading: &bytes)))
        case .session: return try readSession(body)
        case .ended:
            return body(.sessionEnded(connection: try bytes.readNumber(of: ConnectionSlot.self)))
        case .frame:
            let connection = try bytes.readNumber(of: ConnectionSlot.self)
            let (type, frame) = try readFrame()
            return body(.deviceFrame(connection: connection, type: type, body: frame))
        case .reported:
            let app = try bytes.readNumber(of: AppID.self)
            let (type, frame) = try readFrame()
            return body(.deviceReported(app: app, type: type, body: frame))
        case .attached:
            let connection = try bytes.readNumber(of: ConnectionSlot.self)
            let device = try bytes.readNumber(of: DeviceID.self)
            return body(.deviceAttached(connection: connection, device: device))
        case .confirmed, .removed:
            let device = try bytes.readNumber(of: DeviceID.self)
            return tag == .removed
                ? body(.deviceForgotten(device: device)) : body(.tokensConfirmed(device: device))
        case .matched: return try readMatches(.producer(try readProducer()), body: body)
        case .forwarded: return try readMatches(.home(try readHomeProducer()), body: body)
        case .batch: return try readBatchEnd(.producer(try readProducer()), body: body)
        case .evaluated: return try readBatchEnd(.home(try readHomeProducer()), body: body)
        case .accepted, .settled, .lent, .borrowed: return try readOfPartition(tag, body: body)
        case .expired:
            let count = try bytes.readCount(atMost: bytes.remainingCount / 4)
            widgets.removeAll(keepingCapacity: true)
            for _ in 0..<count { widgets.append(try readWidget()) }
            return body(.timersFired(widgets: widgets.span))
        case .permits: return body(.permitsGranted)
        case .delivered:
            return body(.delivered(device: DeviceID(rawValue: try bytes.read(UInt32.self))))
        case .passed: return body(.originsPassed)
        case .apps, .revision: return try readCatalog(tag, body: body)
        case .kinds: return try readCatalogChange(body)
        case .restarted: return body(.restarted)
        case .fannedOut: return body(.portionApplied(count: try bytes.readCount(atMost: Int.max)))
        case .paused, .keys, .revoked: return try readOfApp(tag, body: body)
        case .adopted: return body(.rulesAdopted(devices: try bytes.readCount(atMost: Int.max)))
        case .slots: return try readSlots(body)
        case .forgotten:
            let count = try bytes.readCount(atMost: bytes.remainingCount)
            producers.removeAll(keepingCapacity: true)
            for _ in 0..<count { producers.append(try bytes.readNumber(of: ProducerID.self)) }
            return body(.producersForgotten(producers.span))
        case .rejected, .withdrawn, .request, .answered: return try readOfProducer(tag, body: body)
        case .apnsEnded: return try readAPNsPushEnd(body)
        }
    }

    /// Reads what operators say of an app, and what is forgotten of it.
    private mutating func readOfApp(_ tag: InputTag, body: Body) throws(StoreError) -> String? {
        let app = try bytes.readNumber(of: AppID.self)
        switch tag {
        case .paused: return body(.appPaused(app: app, isPaused: try bytes.readBool()))
        case .keys:
            let count = try bytes.readCount(atMost: Int.max)
            return body(.requestKeysForgotten(app: app, count: count))
        case .revoked:
            let device = try bytes.readCounted()
            if !(1...RouterLimits.identifierBytes).contains(device.count) {
                throw bytes.corrupt("a name of \(device.count) bytes")
            }
            let before = try bytes.readBool() ? try bytes.readSigned(WallTime.self) : nil
            return body(.tokensRevoked(app: app, device: device, before: before))
        default: preconditionFailure("\(tag) is not of an app alone")
        }
    }

    private mutating func readAPNsPushEnd(_ body: Body) throws(StoreError) -> String? {
        let device = DeviceID(rawValue: try bytes.read(UInt32.self))
        let number = try bytes.readVarint()
        let outcome = try APNsPushOutcome(reading: &bytes)
        return body(.apnsPushEnded(device: device, number: number, outcome: outcome))
    }

    /// Reads what has happened to a producer's pushes beside that they were accepted.
    private mutating func readOfProducer(
        _ tag: InputTag,
        body: Body
    ) throws(StoreError) -> String? {
        let producer = try bytes.readNumber(of: ProducerID.self)
        switch tag {
        case .rejected:
            let seq = try bytes.readVarint()
            guard let code = ErrorCode(storedNumber: try bytes.read(UInt8.self)) else {
                throw bytes.corrupt("no push is rejected with such a code")
            }
            return body(.pushRejected(producer: producer, seq: seq, code: code))
        case .withdrawn:
            return body(.rejectionWithdrawn(producer: producer, seq: try bytes.readVarint()))
        case .request:
            let key = try RequestKey(reading: &bytes)
            let firstSeq = try bytes.readVarint()
            return body(.requestBegan(producer: producer, key: key, firstSeq: firstSeq))
        case .answered:
            let lines = try bytes.readCount(atMost: RequestKeyTable.linesLimit)
            return body(.requestEnded(producer: producer, lines: lines))
        default: preconditionFailure("\(tag) is not of a producer alone")
        }
    }

    private mutating func readSession(_ body: Body) throws(StoreError) -> String? {
        let connection = try bytes.readNumber(
            of: ConnectionSlot.self,
            below: RouterLimits.connectionsLimit
        )
        let role = try Peer(reading: &bytes)
        let app = try bytes.readNumber(of: AppID.self)
        let name = try bytes.readCounted()
        if role != .gateway && !(1...RouterLimits.identifierBytes).contains(name.count) {
            throw bytes.corrupt("a name of \(name.count) bytes")
        }
        return body(.sessionOpened(connection: connection, role: role, app: app, name: name))
    }

    /// Reads the type and the body of a device's frame.
    private mutating func readFrame() throws(StoreError) -> (FrameType, body: ByteView) {
        let type = FrameType(rawValue: try bytes.read(UInt8.self))
        guard let type, [.widgets, .timeline, .state, .request].contains(type) else {
            throw bytes.corrupt("no device sends such a frame")
        }
        return (type, body: try bytes.readCounted())
    }

    private mutating func readProducer() throws(StoreError) -> ProducerID {
        try bytes.readNumber(of: ProducerID.self)
    }

    private mutating func readHomeProducer() throws(StoreError) -> HomeProducer {
        let home = PartitionID(rawValue: try bytes.read(UInt8.self))
        let producer = try readProducer()
        return HomeProducer(
            home: home,
            producer: producer,
            app: try bytes.readNumber(of: AppID.self)
        )
    }

    private mutating func readBatchEnd(
        _ source: PushSource,
        body: Body
    ) throws(StoreError) -> String? {
        let last = try bytes.readVarint()
        return body(.batchEnded(source: source, last: last, count: try bytes.readVarint()))
    }

    /// Reads what partitions agree on.
    private mutating func readOfPartition(
        _ tag: InputTag,
        body: Body
    ) throws(StoreError) -> String? {
        switch tag {
        case .accepted:
            let producer = try readProducer()
            let count = try bytes.readCount(atMost: bytes.remainingCount)
            accepted.removeAll(keepingCapacity: true)
            for _ in 0..<count { accepted.append(try AcceptedPush(reading: &bytes)) }
            return body(.pushesAccepted(producer: producer, pushes: accepted.span))
        case .settled: return body(.pushesSettled(upTo: try bytes.readVarint()))
        case .lent:
            let origin = try bytes.readNumber(of: OriginID.self)
            let count = try bytes.readCount(atMost: Int(UInt32.max))
            return body(.permitsLent(origin: origin, count: count))
        case .borrowed:
            let origin = try bytes.readNumber(of: OriginID.self)
            let count = try bytes.readCount(atMost: Int(UInt32.max))
            let second = try bytes.read(UInt32.self)
            return body(.permitsBorrowed(origin: origin, count: count, second: second))
        default: preconditionFailure("\(tag) is not of several partitions alone")
        }
    }

    private mutating func readMatches(
        _ source: PushSource,
        body: Body
    ) throws(StoreError) -> String? {
        let hasNumbers = source.producer == nil
        let areApplied = try bytes.readBool()
        pushes.removeAll(keepingCapacity: true)
        matches.removeAll(keepingCapacity: true)
        var left = try bytes.readCount(atMost: bytes.remainingCount)
        while left > 0 {
            let tag = UInt32(try bytes.readCount(atMost: WidgetMatcher.batchLimit - 1))
            if matches.last?.tag == tag { throw bytes.corrupt("the matches of a push are divided") }
            if try bytes.readBool() {
                pushes.append(try MatchedPush(tag, hasNumber: hasNumbers, reading: &bytes))
            }
            let count = try bytes.readCount(atMost: left)
            if count == 0 { throw bytes.corrupt("a push without matches") }
            for _ in 0..<count { matches.append(WidgetMatch(widget: try readWidget(), tag: tag)) }
            left -= count
        }
        return body(
            .matched(
                source: source,
                areApplied: areApplied,
                pushes: pushes.span,
                matches: matches.span
            )
        )
    }

    private mutating func readWidget() throws(StoreError) -> WidgetID {
        WidgetID(rawValue: try bytes.read(UInt32.self))
    }

    private mutating func readCatalog(_ tag: InputTag, body: Body) throws(StoreError) -> String? {
        let revision = tag == .revision ? try bytes.readNumber() : 0
        if tag == .revision && revision == 0 { throw bytes.corrupt("an app file without a number") }
        let source = try bytes.readCounted()
        if source.count == 0 { throw bytes.corrupt("there is no app file") }
        return body(
            .catalogInstalled(
                try bytes.catalog(source),
                source: source,
                revision: revision,
                after: nil
            )
        )
    }

    private mutating func readCatalogChange(_ body: Body) throws(StoreError) -> String? {
        let source = try bytes.readCounted()
        let withdrawnSource = try bytes.readCounted()
        return body(
            .catalogChanged(
                declared: try bytes.catalog(source),
                source: source,
                withdrawn: try bytes.catalog(withdrawnSource),
                withdrawnSource: withdrawnSource,
                kinds: []
            )
        )
    }

    private mutating func readSlots(_ body: Body) throws(StoreError) -> String? {
        let kind = try bytes.readNumber(of: KindID.self)
        let count = try bytes.readCount(atMost: bytes.remainingCount)
        dates.removeAll(keepingCapacity: true)
        for _ in 0..<count { dates.append(try bytes.readSigned(WallTime.self)) }
        return body(.slotsTaken(kind: kind, dates: dates.span))
    }
}

extension MatchedPush {
    fileprivate init(
        _ tag: UInt32,
        hasNumber: Bool,
        reading bytes: inout StoreReader
    ) throws(StoreError) {
        if hasNumber {
            number = try bytes.readVarint()
            if number == 0 { throw bytes.corrupt("a push without a number") }
        }
        let flags = try bytes.read(UInt8.self)
        self.tag = tag
        isUrgent = flags & Self.urgentFlag != 0
        isExpired = flags & Self.expiryFlag != 0
        fanOut = try bytes.readVarint()
        reloadsSince = try bytes.readVarint()
        expiresAt = try bytes.readSigned(WallTime.self)
        if flags & Self.payloadFlag != 0 { payload = try bytes.readCounted() }
    }
}

extension PushSource {
    func write(to writer: inout StoreWriter) {
        switch self {
        case .producer(let producer): writer.put(number: producer)
        case .home(let source):
            writer.put(source.home.rawValue)
            writer.put(number: source.producer)
            writer.put(number: source.app)
        }
    }
}

extension Peer {
    /// The number of the role in logs and checkpoints, where a server counts as a gateway.
    var storedNumber: UInt8 {
        switch self {
        case .publisher: 1
        case .device: 2
        case .gateway, .server: 3
        }
    }

    init(reading reader: inout StoreReader) throws(StoreError) {
        switch try reader.read(UInt8.self) {
        case 1: self = .publisher
        case 2: self = .device
        case 3: self = .gateway
        default: throw reader.corrupt("there is no such role")
        }
    }
}
