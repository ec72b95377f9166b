internal import Basics
internal import FrameCodec

/// The publishers of all apps: their producers, each with the last of its pushes and those that
/// were rejected, and the keys of their requests over HTTP.
///
///     sessionBegan ─► [ requestBegan ] ─► accepted, rejected … ─► [ requestEnded ] ─► sessionEnded
///                                            └─► fanOutBegan ─► fanOutEnded
///
/// Where there are several partitions, it also has what they know of each other's pushes: those
/// that this one has accepted as their home, and which of each home it has evaluated.
///
/// It knows no widget: who finds and applies the matches of pushes says here how many there were.
struct Publishers: ~Copyable {
    /// The producers that are known, with their sessions.
    var producers: ProducerTable
    /// The keys of requests over HTTP.
    var requestKeys: RequestKeyTable
    /// The pushes whose home this partition is.
    var unsettled = UnsettledPushes()
    /// What this partition has evaluated of the pushes of each home, by the homes' numbers; none
    /// where there is only one partition.
    var evaluated: ContiguousArray<EvaluatedPushes>

    init(of partition: Partition, hashKey: HashKey) {
        let homeCount = partition.isOnly ? 0 : Int(partition.count)
        evaluated = ContiguousArray(repeating: EvaluatedPushes(), count: homeCount)
        producers = ProducerTable(hashKey: hashKey)
        requestKeys = RequestKeyTable(hashKey: hashKey)
    }

    /// Forgets producers, all of which must be idle.
    mutating func forget(_ list: Span<ProducerID>) {
        for index in list.indices { producers.forget(list[index]) }
    }

    // MARK: - Sessions

    /// The producer with a name; it is added, idle, if it is not known.
    mutating func producer(
        of app: AppID,
        named name: ByteView,
        clock: inout StateClock
    ) -> ProducerID {
        producers.find(of: app, named: name)
            ?? producers.insert(of: app, named: name, now: clock.now, counting: &clock.running)
    }

    /// Records that a session has ended, if it is a publisher's; the time is nil if it ended with
    /// its process.
    mutating func ended(
        _ session: SessionRecord,
        on connection: ConnectionSlot,
        at time: Instant?,
        counting running: inout RunningTime
    ) {
        if session.role != .publisher { return }
        let producer = session.producer
        producers.sessionEnded(
            producer,
            on: connection,
            session: session.number,
            now: time,
            counting: &running
        )
        requestKeys.sessionEnded(of: producer, isFanningOut: producers[producer].isFanningOut)
    }

    // MARK: - Pushes

    /// Records that `count` pushes of a batch, the last of which is `lastSeq`, are accepted.
    mutating func accepted(
        upTo lastSeq: UInt64,
        count: UInt64,
        of producer: ProducerID,
        running: Milliseconds
    ) {
        producers.accepted(lastSeq, of: producer)
        requestKeys.accepted(upTo: lastSeq, count: count, of: producer, now: running)
    }

    /// The app of the pushes of a source.
    func app(of source: PushSource) -> AppID {
        switch source {
        case .producer(let producer): producers[producer].app
        case .home(let source): source.app
        }
    }

    /// Records that a push was rejected.
    mutating func rejected(_ seq: UInt64, with code: ErrorCode, of producer: ProducerID) {
        producers.rejected(seq, with: code, of: producer)
        requestKeys.rejected(seq, with: code, of: producer)
    }

    /// Records that the matches of a producer's fan-out have been applied, and how many they were.
    mutating func fanOutEnded(of producer: ProducerID, matched: UInt32, clock: inout StateClock) {
        producers.fanOutEnded(producer, now: clock.now, counting: &clock.running)
        requestKeys.fanOutEnded(of: producer, matched: matched, now: clock.running.total)
    }

    // MARK: - Several partitions

    /// Accepts pushes of a producer whose home this is: numbers and keeps them.
    mutating func accept(
        _ pushes: Span<AcceptedPush>,
        of producer: ProducerID,
        running: Milliseconds
    ) {
        let app = producers[producer].app
        for index in pushes.indices { unsettled.append(pushes[index], of: producer, app: app) }
        producers.keptUnsettled(UInt32(pushes.count), of: producer)
        let last = pushes[pushes.count - 1].seq
        accepted(upTo: last, count: UInt64(pushes.count), of: producer, running: running)
    }

    /// Drops the pushes up to a number, because all partitions have evaluated them.
    mutating func settle(upTo number: UInt64, clock: inout StateClock) {
        var settled: ContiguousArray<ProducerID> = []
        unsettled.settle(upTo: number) { settled.append($0) }
        for producer in settled {
            producers.settled(producer, now: clock.now, counting: &clock.running)
        }
    }

    // MARK: - Requests over HTTP

    /// Begins a producer's request.
    mutating func beginRequest(of producer: ProducerID, key: RequestKey, firstSeq: UInt64) {
        requestKeys.begin(key, of: producer, app: producers[producer].app, firstSeq: firstSeq)
    }

    /// Ends a producer's request of `lines` lines; 0 if some are neither accepted nor refused.
    mutating func endRequest(of producer: ProducerID, lines: Int, running: Milliseconds) {
        requestKeys.end(of: producer, lines: lines, now: running)
    }

    /// Sets how many refused lines are remembered of the requests of each app.
    mutating func limitRefusedLines(apps count: Int) {
        let share = RequestKeyTable.rejectionsLimit / max(1, count)
        requestKeys.rejectionsPerApp = max(RequestKeyTable.leastRejectionsShare, share)
    }
}
