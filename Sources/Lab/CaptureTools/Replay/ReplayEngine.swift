internal import Basics
internal import CaptureFormat
internal import FrameCodec
internal import LoadReporting
internal import ReloadRouterClient

/// Plays a capture: turns records into frames of connections when they are due.
///
///     connecting ──all WELCOME──► registering ──all answered──► playing ──► draining ──► over
///
/// The engine does no input or output, except that it reads its source: time is a parameter, and a
/// driver moves bytes between its streams and a router. The load is an open loop: a push is due at
/// a time that follows from the capture's clock alone, not from the router's answers. A push that a
/// window or a slow connection delays keeps its due time in the connection's ring; when a ring is
/// full, the reading of the capture pauses. Both show as lateness.
final class ReplayEngine {
    /// The phases of a run, in order.
    enum Phase: Equatable, Sendable {
        case connecting, registering, playing, draining, over
    }

    let settings: ReplaySettings
    /// What the capture has, read before the run.
    let roster: ReplayRoster
    let plan: ConnectionPlan
    /// All connections of the replay, those that push first; `ReplayStream.number` is the index.
    let streams: [ReplayStream]
    /// The current phase.
    var phase = Phase.connecting
    /// The measurements so far.
    var recorder = ReplayRecorder()
    /// Finds the widgets that wait for RELOADs; nil if the replay has no devices.
    let tracker: ReloadTracker?
    /// Streams that may have something to send.
    var dirty: [ReplayStream] = []

    let source: any ReplaySource
    let copier: BodyCopier
    var reader = FrameReader()
    var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
    var sessions: RecordedSessions = [:]
    /// The sessions that were open when the schedule began.
    var sessionsAtStart: RecordedSessions = [:]
    /// For each app: which of its gateways' slots are taken by open sessions.
    var gatewaysInUse: [[Bool]]
    /// The value of `gatewaysInUse` when the schedule began.
    private var gatewaysInUseAtStart: [[Bool]] = []
    /// For each stream, whether its recorded session was open when the schedule began.
    private var wantedAtStart: [Bool] = []
    /// Streams whose devices must be bound to a new connection.
    var bindings: [ReplayStream] = []
    /// True while a due record waits because a connection has no capacity.
    private(set) var isStalled = false
    /// Since when a due record has been waiting; meaningful while `isStalled`.
    private var stalledAt = ExactTime.none
    /// True if the run ended before its schedule was played.
    private(set) var isCutShort = false
    /// True if the last call has played a full portion of records, so that more may be due.
    private var isBehind = false
    /// True if the run ended because no more answers came.
    private(set) var hasGivenUp = false
    /// A record that was read but not played, because it is not due, or a connection has no
    /// capacity for it.
    var pending: CaptureRecord?
    /// How often the schedule has been played to its end.
    var round = 0
    var clock: ReplayClock!
    /// The time of the latest event.
    var now = ExactTime.none
    /// The date of the last call of `advance`.
    var wall = WallTime.zero
    /// The number of devices' frames that the router accepted before the schedule began.
    var registered = 0
    /// When the last frame that counts as progress arrived.
    var lastEvent = ExactTime.none
    /// When the last record was played, or the run was cut short.
    var drainBegin = ExactTime.none
    /// When the current second of the measurement ends.
    var secondEnd = ExactTime.none
    /// The number of pushes that were due and were appended to a ring.
    var intended = 0

    /// Prepares a run; its schedule begins once `advance` finds all devices registered.
    ///
    /// - Throws: errors of the source.
    init(_ source: any ReplaySource, roster: ReplayRoster, settings: ReplaySettings) throws {
        self.source = source
        self.roster = roster
        self.settings = settings
        plan = ConnectionPlan(roster, settings: settings)
        streams = plan.hellos.enumerated().map {
            ReplayStream(number: $0, app: $1.app, hello: $1.hello)
        }
        copier = BodyCopier(roster.apps)
        tracker = settings.hasDevices ? ReloadTracker(roster.apps, streams: streams.count) : nil
        gatewaysInUse = roster.gateways.map { Array(repeating: false, count: $0) }
        try source.rewind(to: .zero)
        for stream in streams where stream.role == .publisher { stream.begin() }
    }

    // MARK: - Time

    /// When the next record is due; nil if that depends on answers, or none is left.
    var nextDue: ExactTime? {
        guard phase == .playing else { return nil }
        if isBehind { return now }
        guard let pending, clock.factor != nil else { return nil }
        return clock.due(pending.time, round: round)
    }

    /// Plays the records that are due, and changes the phase if it is complete.
    /// - Throws: errors of the source.
    func advance(to now: ExactTime, wall: WallTime) throws {
        self.now = now
        self.wall = wall
        if !bindings.isEmpty { bindDevices() }
        switch phase {
        case .connecting:
            let publishers = streams.prefix(plan.publisherCount)
            if publishers.allSatisfy(\.isEstablished) { phase = .registering }
        case .registering: try register()
        case .playing: try play()
        case .draining: drain()
        case .over: break
        }
        if phase == .playing || phase == .draining {
            while now >= secondEnd {
                recorder.endSecond()
                secondEnd += .seconds(1)
            }
        }
    }

    /// True if the tracker has events to process, which can wait until nothing is due.
    var hasWork: Bool { tracker?.isBehind ?? false }

    /// Lets the tracker process a few pushes, registrations or RELOADs.
    func work() { _ = tracker?.step(&recorder) }

    /// Ends the run early; what has been measured is reported.
    func stop() {
        if phase == .playing || phase == .draining { finish() } else { phase = .over }
    }

    /// Ends the run, after the tracker has processed all events.
    private func finish() {
        assert(phase == .playing || phase == .draining, "the schedule has not begun, or is over")
        if phase == .playing { (drainBegin, isCutShort) = (now, true) }
        while hasWork { work() }
        recorder.endSecond(isWhole: false)
        phase = .over
    }

    /// Marks a stream as possibly having something to send.
    func mark(_ stream: ReplayStream) {
        assert(streams[stream.number] === stream, "the stream belongs to another engine")
        if stream.isDirty { return }
        stream.isDirty = true
        dirty.append(stream)
    }

    // MARK: - Phases

    /// Sends everything before the schedule, as fast as it is acknowledged.
    private func register() throws {
        while true {
            if pending == nil { pending = try source.next() }
            guard let record = pending, record.time < roster.start else { break }
            guard deliver(record) else { return }
            pending = nil
        }
        for stream in streams where stream.role != .publisher {
            if stream.isWanted && !(stream.isEstablished && stream.ring.isEmpty) { return }
        }
        while hasWork { work() }
        begin()
    }

    /// Begins the schedule.
    private func begin() {
        assert(phase == .registering && clock == nil, "the schedule begins once")
        sessionsAtStart = sessions
        gatewaysInUseAtStart = gatewaysInUse
        wantedAtStart = streams.map(\.isWanted)
        lastEvent = now
        phase = .playing
        // The schedule begins a little later, so that its first push is not late.
        let lead: Milliseconds = factor == nil ? .zero : .milliseconds(10)
        let begin = now + Nanoseconds(lead)
        clock = ReplayClock(
            begin: begin,
            wallBegin: wall + lead,
            recordedWall: WallTime(source.header.startedAt),
            roster: (roster.start, roster.end),
            factor: factor
        )
        recorder.begin(at: begin)
        secondEnd = begin + .seconds(1)
    }

    private var factor: Double? {
        if case .times(let factor) = settings.speed { return factor }
        return nil
    }

    /// The most records that are played before answers are read again.
    private static var portion: Int { 4_096 }

    /// Plays the records that are due, at most a portion of them.
    private func play() throws {
        let wasStalled = isStalled
        (isStalled, isBehind) = (false, false)
        for _ in 0..<Self.portion {
            if pending == nil { pending = try nextScheduled() }
            guard let record = pending else {
                phase = .draining
                (drainBegin, lastEvent) = (now, now)
                return
            }
            if clock.due(record.time, round: round) > now { return }
            guard deliver(record) else {
                isStalled = true
                if !wasStalled { stalledAt = now }
                return giveUpIfSilent()
            }
            pending = nil
        }
        isBehind = true
    }

    /// Ends a run whose router has not made progress for `patience`.
    private func giveUpIfSilent() {
        assert(isStalled, "the router does not delay the schedule")
        if now - max(lastEvent, stalledAt) < settings.patience { return }
        hasGivenUp = true
        finish()
    }

    /// The next record of the schedule, of this round or of the next.
    private func nextScheduled() throws -> CaptureRecord? {
        assert(phase == .playing && round < settings.loops, "all rounds have been played")
        while true {
            while let record = try source.next() {
                if record.time < roster.start { continue }
                if record.time >= roster.end { break }
                return record
            }
            round += 1
            if round >= settings.loops { return nil }
            try source.rewind(to: roster.start)
            restoreSessions()
        }
    }

    /// Restores the sessions that were open when the schedule began, for the next round.
    private func restoreSessions() {
        assert(wantedAtStart.count == streams.count, "the schedule has not begun")
        sessions = sessionsAtStart
        gatewaysInUse = gatewaysInUseAtStart
        for stream in streams where wantedAtStart[stream.number] && !stream.isWanted {
            stream.begin()
            if stream.role == .gateway { stream.nextToBind = 0 }
            mark(stream)
        }
    }

    /// Waits for the last answers, after everything was played.
    private func drain() {
        let isAnswered = streams.allSatisfy { $0.ring.isEmpty }
        let isQuiet = now - max(lastEvent, drainBegin) > .milliseconds(500)
        let isReported = !hasWork && (tracker?.waitingCount ?? 0) == 0
        if isAnswered && (isReported || isQuiet) { return finish() }
        if now - drainBegin > settings.patience {
            hasGivenUp = true
            finish()
        }
    }
}
