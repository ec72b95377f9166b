internal import CaptureFormat
internal import DataStructures
internal import FrameCodec
internal import LoadReporting
internal import ReloadModel
internal import ReloadRouterClient

/// Plays a capture: records become frames of connections when they are due.
///
///     connecting ──all WELCOME──► registering ──all answered──► playing ──► draining ──► over
///
/// Pure but for its source: the time is told to it, and somebody else moves bytes between its streams
/// and a router. The loop is open: when a push is due follows from the capture's clock alone. What a
/// window or a slow connection holds up stays due in the connection's ring, and when the ring is full
/// the capture is read on later; both are late from when they were due.
package final class ReplayEngine {
    package enum Phase: Equatable, Sendable {
        case connecting, registering, playing, draining, over
    }

    let settings: ReplaySettings
    package let roster: ReplayRoster
    let lines: ReplayLines
    package let streams: [ReplayStream]
    package internal(set) var phase = Phase.connecting
    package internal(set) var recorder = ReplayRecorder()
    let tracker: ReloadTracker?
    /// Streams that may have something to send.
    package var dirty: [ReplayStream] = []

    let source: any ReplaySource
    var copier: BodyCopier
    var reader = FrameReader()
    var sessions = SessionTable()
    var sessionsAtStart = SessionTable()
    /// Gateways' places that are taken, by app.
    var gatewayPlaces: [[Bool]]
    private var gatewayPlacesAtStart: [[Bool]] = []
    private var wantedAtStart: [Bool] = []
    /// Streams whose devices are to be bound to a new connection.
    var bindings: [ReplayStream] = []
    /// Whether a due record has no room.
    package private(set) var isStalled = false
    private var stalledAt: Int64 = 0
    /// Whether the run ended before its schedule.
    private(set) var isCutShort = false
    /// Whether more is due than was taken last time.
    private var isBehind = false
    /// Whether the run ended because no more answers came.
    package private(set) var hasGivenUp = false
    /// A record that has been read and is not due, or has no room.
    var pending: CaptureRecord?
    var round = 0
    var clock: ReplayClock!
    /// What `advance` was told, in ns, and the wall clock then, in ms since 1970.
    package internal(set) var now: Int64 = 0
    var wall: Int64 = 0
    /// Registrations that were answered before the schedule began.
    package internal(set) var registered = 0
    /// When the last frame that matters came or went.
    var lastEvent: Int64 = 0
    var drainBegin: Int64 = 0
    var secondEnd: Int64 = 0
    /// Pushes that were due and were taken.
    package internal(set) var intended = 0

    /// - Throws: what the source throws.
    package init(
        _ source: any ReplaySource,
        _ roster: ReplayRoster,
        _ settings: ReplaySettings
    ) throws {
        self.source = source
        self.roster = roster
        self.settings = settings
        lines = ReplayLines(roster, settings)
        streams = lines.hellos.enumerated().map { ReplayStream(number: $0, app: $1.app, $1.hello) }
        copier = BodyCopier(roster.apps, scale: settings.scale)
        tracker =
            settings.hasDevices ? ReloadTracker(roster.apps, streams: streams.count) : nil
        gatewayPlaces = roster.gateways.map { Array(repeating: false, count: $0) }
        try source.rewind(to: 0)
        for stream in streams where stream.role == .publisher { stream.begin() }
    }

    // MARK: - Time

    /// When the next record is due, in ns; nil if that depends on answers.
    package var nextDue: Int64? {
        guard phase == .playing else { return nil }
        if isBehind { return now }
        guard let pending, clock.factor != nil else { return nil }
        return clock.due(pending.time, round: round)
    }

    /// Does what is due.
    ///
    /// - Parameters:
    ///   - now: in ns of a monotonic clock.
    ///   - wall: in ms since 1970.
    /// - Throws: what the source throws.
    package func advance(to now: Int64, wall: Int64) throws {
        self.now = now
        self.wall = wall
        if !bindings.isEmpty { bindDevices() }
        switch phase {
        case .connecting:
            let publishers = streams.prefix(lines.publisherCount)
            if publishers.allSatisfy(\.isEstablished) { phase = .registering }
        case .registering: try register()
        case .playing: try play()
        case .draining: drain()
        case .over: break
        }
        if phase == .playing || phase == .draining {
            while now >= secondEnd {
                recorder.endSecond()
                secondEnd += 1_000_000_000
            }
        }
    }

    /// Whether there is something to look at while nothing is due.
    package var hasWork: Bool { tracker?.isBehind ?? false }

    /// Looks at a few of the pushes, registrations and RELOADs so far.
    package func work() { _ = tracker?.step(&recorder) }

    /// Ends the run early: what was measured until then is reported.
    package func stop() {
        if phase == .playing || phase == .draining { finish() } else { phase = .over }
    }

    private func finish() {
        if phase == .playing { (drainBegin, isCutShort) = (now, true) }
        while hasWork { work() }
        recorder.endSecond(isWhole: false)
        phase = .over
    }

    func mark(_ stream: ReplayStream) {
        if stream.isDirty { return }
        stream.isDirty = true
        dirty.append(stream)
    }

    // MARK: - Phases

    /// Sends what stands before the schedule, as fast as it is acknowledged.
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

    private func begin() {
        sessionsAtStart = sessions
        gatewayPlacesAtStart = gatewayPlaces
        wantedAtStart = streams.map(\.isWanted)
        lastEvent = now
        phase = .playing
        // A schedule begins a little later, so that its first push is not late.
        let lead: Int64 = factor == nil ? 0 : 10
        let begin = now + lead * 1_000_000
        clock = ReplayClock(
            begin: begin,
            wallBegin: wall + lead,
            recordedWall: source.header.startedAt / 1_000,
            roster: (roster.start, roster.end),
            factor: factor
        )
        recorder.begin(at: begin)
        secondEnd = begin + 1_000_000_000
    }

    private var factor: Double? {
        if case .times(let factor) = settings.speed { return factor }
        return nil
    }

    /// Records that are taken before answers are looked at again.
    private static var portion: Int { 4_096 }

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

    /// Ends a run that waits for a router that is gone.
    private func giveUpIfSilent() {
        if now - max(lastEvent, stalledAt) < Int64(settings.patience * 1e9) { return }
        hasGivenUp = true
        finish()
    }

    /// The next record of the schedule, of this round or of the next one.
    private func nextScheduled() throws -> CaptureRecord? {
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

    /// Sessions that were there when the schedule began are there again.
    private func restoreSessions() {
        sessions = sessionsAtStart
        gatewayPlaces = gatewayPlacesAtStart
        for stream in streams where wantedAtStart[stream.number] && !stream.isWanted {
            stream.begin()
            if stream.role == .gateway { stream.nextToBind = 0 }
            mark(stream)
        }
    }

    /// Everything was sent or waits: answers come.
    private func drain() {
        let isAnswered = streams.allSatisfy { $0.ring.isEmpty }
        let isQuiet = now - max(lastEvent, drainBegin) > 500_000_000
        let isTold = (tracker?.isBehind ?? false) == false && (tracker?.waitingCount ?? 0) == 0
        if isAnswered && (isTold || isQuiet) { return finish() }
        if now - drainBegin > Int64(settings.patience * 1e9) {
            hasGivenUp = true
            finish()
        }
    }
}
