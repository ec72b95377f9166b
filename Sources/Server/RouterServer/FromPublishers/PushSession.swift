internal import AdminAPI
internal import Basics
internal import FrameCodec
internal import HTTPMessages
internal import RouterCore

/// A publisher whose pushes come over HTTP: a session of the router without a connection.
///
/// Its requests are jobs, done one after the other, so that an ACK belongs to exactly one of them.
/// `makeFrames` turns their pushes into frames for the router; frames that the router sends to the
/// slot come to `receive`, acknowledgements only after their commit.
final class PushSession {
    /// The identity of a publisher.
    struct Key: Hashable {
        var app: String
        /// The producer's name; nil for one of the router's own.
        var producer: String?
        /// To whom the router's own producer belongs, `PublishSender.name`; nil for that of all who
        /// may speak for all producers.
        var sender: String?
        /// Which of the router's own producers of the app and sender, from 0; 0 for others, and
        /// `operatorLane` for that of operators.
        var lane = 0

        /// Whether it is one of the router's own producers for publishers.
        var hasLane: Bool { producer == nil && lane != PushSession.operatorLane }
        /// Whether the session stays when it has no requests: those of all who name no producer
        /// follow each other all the time.
        var isKept: Bool { hasLane && sender == nil }
        /// The key of the first lane.
        var first: Key { Key(app: app, producer: producer, sender: sender) }
        /// Name of the producer: its own, or that of the router's for pushes over HTTP without one.
        var producerName: String {
            if let producer { return producer }
            return hasLane ? PublishSender.producer(of: sender, lane: lane) : "(operator)"
        }
    }

    /// The lane of the pushes of operators without a producer, in each app.
    static var operatorLane: Int { -1 }

    /// The pushes of one request.
    ///
    /// A class, because jobs queue and change while they do.
    final class Job {
        let asker: Asker
        let request: PushRequest
        /// Its lines: a line is one push.
        let lineCount: Int
        /// The `byteCount` of its request.
        let byteCount: Int
        /// When the request came.
        let begin: MonotonicTime
        /// Whether its pushes had expired then: they match nothing.
        let hasExpired: Bool
        /// Kinds to which its pushes are narrowed, and which the app does not declare.
        var unknownKinds: [String] = []
        /// Sequence number of its first line; 0 until it becomes the first job.
        var firstSeq: UInt64 = 0
        /// Lines that were made into frames or refused.
        var next = 0
        /// Whether the router has yet to begin it, because it or its pushes have names.
        var awaitsBegin: Bool
        /// Its first lines that were accepted or refused when it was sent before.
        var earlierLines = 0
        /// Sequence number of the last frame made for it; 0 for none.
        var lastSent: UInt64 = 0
        /// The highest sequence number that an ACK has named since this job became the first.
        var acknowledged: UInt64 = 0
        /// Sequence number in the last REJECT since this job became the first; 0 for none.
        var lastRejected: UInt64 = 0
        /// Widgets matched by its pushes so far.
        var matched: UInt64 = 0
        /// What became of its pushes so far.
        var outcome = PushesOutcome()
        /// Its refused lines; those of the earlier ones that are remembered are named.
        var refused = RefusedLines()
        /// True once its request was answered because it took too long; its pushes continue.
        var isAnswered = false

        /// Accepted lines, once all lines are accepted or refused.
        var accepted: Int { lineCount - refused.count }

        init(
            _ request: PushRequest,
            asker: Asker,
            byteCount: Int,
            begin: MonotonicTime,
            hasExpired: Bool = false
        ) {
            self.hasExpired = hasExpired
            self.request = request
            lineCount = request.payloads.count
            self.asker = asker
            self.byteCount = byteCount
            self.begin = begin
            awaitsBegin = request.key != nil || !request.names.isEmpty
        }
    }

    /// The router numbers the pushes of its own producer while `highestSeq` is at most this.
    /// Requests already waiting may go beyond it.
    ///
    /// Counting never gets there.
    static var lastOwnSeq: UInt64 { RouterLimits.numberLimit - 1 << 32 }
    /// Bytes of frames made at a time; at least one frame is made.
    static var portion: Int { 16 << 10 }

    /// The publisher.
    let key: Key
    /// The path of the histories of its pushes, without their numbers.
    private let historyPath: String
    /// Slot of its session.
    let slot: ConnectionSlot
    /// Sequence number of the producer's last accepted push: from answered jobs, or from the start
    /// of the session.
    private var lastSeq: UInt64
    /// The highest sequence number used in the session.
    private var highestSeq: UInt64
    /// Jobs in the order they came; only the first has frames under way.
    private(set) var jobs: [Job] = [] {
        didSet { lanes?.changed(self) }
    }
    /// Where the number of its jobs is kept, too, while it has a lane.
    var lanes: PushLanes?
    /// Frames that the router has not consumed yet.
    private(set) var input: [UInt8] = []
    /// The router's ERROR that has ended the session; nil while it lives.
    private(set) var failure: (code: String, message: String)?
    /// Whether something has changed since the last call of `popFinished`; if not, it returns nil
    /// at once.
    private var hasChanged = true

    init(_ key: Key, slot: ConnectionSlot, lastSeq: UInt64) {
        self.key = key
        self.slot = slot
        historyPath =
            "/v1/apps/\(PercentEscapes.encode(key.app))/pushes/"
            + "\(PercentEscapes.encode(key.producerName))/"
        self.lastSeq = lastSeq
        highestSeq = lastSeq
    }

    /// Whether nothing is to be done for it until it receives a frame or a job: all of its first
    /// job is with the router.
    var isSettled: Bool {
        if hasChanged || failure != nil || !input.isEmpty { return false }
        guard let job = jobs.first else { return key.isKept }
        return job.next == job.lineCount && !job.awaitsBegin
    }

    /// True if sequence numbers are left for pushes that come without one.
    var hasOwnNumbers: Bool { highestSeq <= Self.lastOwnSeq }

    // MARK: - Jobs

    /// Appends a job.
    func append(_ job: Job) {
        assert(job.next == 0 && !job.isAnswered, "the job has begun already")
        hasChanged = true
        jobs.append(job)
        if jobs.count == 1 { beginFirst() }
    }

    /// Removes the first job and returns it with its answer, if all its lines have been accepted or
    /// rejected; otherwise nil.
    func popFinished() -> (job: Job, body: PushesBody)? {
        if !hasChanged { return nil }
        hasChanged = false
        guard let job = jobs.first, job.next == job.lineCount, input.isEmpty else {
            return nil
        }
        // The REJECT of a push precedes the ACK that covers it, and may precede ACKs of earlier
        // pushes. So after a rejected last frame, the ACK of the last accepted one is what the job
        // still needs.
        let accepted = lastAccepted(job)
        let isRejectedLast = job.lastRejected == job.lastSent
        let isDone = job.acknowledged >= (isRejectedLast ? accepted : job.lastSent)
        if !isDone { return nil }
        lastSeq = max(lastSeq, accepted)
        var body = PushesBody(
            accepted: job.accepted,
            matched: job.matched,
            lastSeq: lastSeq,
            refused: job.refused,
            outcome: job.outcome
        )
        body.expired = job.hasExpired ? max(0, job.accepted - job.outcome.duplicates) : 0
        body.unknownKinds = job.unknownKinds
        // What became of lines that were accepted when it was sent before is not known any more.
        body.showsOutcome = job.request.wantsOutcome && job.earlierLines == 0
        let first = (0..<job.lineCount).first { !job.refused.contains($0 + 1) }
        if job.earlierLines == 0, let first {
            body.location = historyPath + String(job.firstSeq + UInt64(first))
        }
        // Only the answer was lost.
        body.isRepeated = job.earlierLines > 0 && job.earlierLines == job.lineCount
        return (popFirst(), body)
    }

    /// Sequence number of the last line that was not rejected; 0 if all were.
    private func lastAccepted(_ job: Job) -> UInt64 {
        let last = (job.earlierLines..<job.lineCount).last { !job.refused.contains($0 + 1) }
        return last.map { job.firstSeq + UInt64($0) } ?? 0
    }

    /// Removes and returns the jobs of which no line was made into a frame.
    func popUntouched() -> [Job] {
        let begun = jobs.prefix { $0.next > 0 }
        defer { jobs = Array(begun) }
        return Array(jobs.dropFirst(begun.count))
    }

    /// Removes and returns the jobs that the router has not consumed completely, and discards their
    /// frames: nothing more is sent to the router.
    func popUnsent() -> [Job] {
        guard let first = jobs.first else { return [] }
        let isSent = first.next == first.lineCount && input.isEmpty
        let unsent = Array(jobs.dropFirst(isSent ? 1 : 0))
        jobs = isSent ? [first] : []
        input = []
        return unsent
    }

    /// Removes and returns all jobs; called when the session has ended.
    func popAll() -> [Job] {
        defer { jobs = [] }
        return jobs
    }

    private func popFirst() -> Job {
        hasChanged = true
        let job = jobs.removeFirst()
        if !jobs.isEmpty { beginFirst() }
        return job
    }

    /// Returns the unanswered jobs that came before `time`, and marks them as answered; each is
    /// returned once. Their pushes continue.
    func takeOverdue(before time: MonotonicTime) -> [Job] {
        var overdue: [Job] = []
        for index in jobs.indices where jobs[index].begin < time && !jobs[index].isAnswered {
            jobs[index].isAnswered = true
            overdue.append(jobs[index])
        }
        return overdue
    }

    /// The first job, if the router has yet to begin it; otherwise nil.
    var awaitedBegin: Job? { jobs.first.flatMap { $0.awaitsBegin ? $0 : nil } }

    /// Begins the first job, after the lines that were accepted or refused when it was sent before.
    func begin(after known: RequestProgress?, maxBody: Int) {
        assert(jobs[0].awaitsBegin, "the job has begun already")
        hasChanged = true
        jobs[0].awaitsBegin = false
        guard let known else { return }
        // Of a repaired store, more lines may be known than the request has.
        let lines = min(known.lines, jobs[0].lineCount)
        (jobs[0].next, jobs[0].earlierLines) = (lines, lines)
        jobs[0].matched = known.matched
        jobs[0].refused = known.refused(of: jobs[0].request, maxBody: maxBody)
    }

    private func beginFirst() {
        assert(jobs[0].next == 0, "only the first job has frames under way")
        jobs[0].firstSeq = jobs[0].request.firstSeq ?? highestSeq + 1
    }

    // MARK: - Frames to the router

    /// Makes frames of the first job's next lines, if the router has consumed the previous frames:
    /// at most `window`, the pushes that it accepts before it acknowledges some. Payloads longer
    /// than `maxBody` bytes are rejected here, since the router's decoder would end the session;
    /// `refuse` is called with the number of each such line.
    func makeFrames(maxBody: Int, window: Int, refuse: (UInt64) -> Void = { _ in }) {
        guard input.isEmpty, let job = jobs.first, !job.awaitsBegin else { return }
        assert(job.next <= job.lineCount, "more lines were taken than there are")
        hasChanged = true
        let longest = Self.longestPayload(of: job.request, maxBody: maxBody)
        let end = min(job.lineCount, job.next + window)
        while job.next < end && input.count < Self.portion {
            let seq = job.firstSeq + UInt64(job.next)
            job.next += 1
            if let refusal = Self.refusal(of: job.next, in: job.request, longest: longest) {
                job.refused.add(job.next) { (refusal.code, refusal.detail) }
                refuse(seq)
                continue
            }
            job.lastSent = seq
            highestSeq = max(highestSeq, seq)
            PushFrame.append(
                job.request.payloads[job.next - 1],
                seq: seq,
                isUrgent: job.request.isUrgent,
                expiresAt: job.request.expiresAt,
                kinds: job.request.kinds,
                to: &input
            )
        }
    }

    /// The most bytes of a payload of a request: its frame has its date and its kinds, too.
    static func longestPayload(of request: PushRequest, maxBody: Int) -> Int {
        maxBody - PushFrame.prefix(expiresAt: request.expiresAt, kinds: request.kinds).bytes.count
    }

    /// Why a line of a request is refused here; nil if the router is to judge it.
    static func refusal(
        of line: Int,
        in request: PushRequest,
        longest: Int
    ) -> PushesBody.Rejection? {
        if request.refused.contains(line) {
            return request.refused.named.first { $0.line == line }
                ?? PushesBody.Rejection(line: line, code: "event-invalid", detail: "it is no event")
        }
        let count = request.payloads[line - 1].count
        if count <= longest { return nil }
        return PushesBody.Rejection(
            line: line,
            code: ErrorCode.frameLength.rawValue,
            detail:
                "the payload has \(count) bytes; the longest here is \(longest) bytes (max-body)"
        )
    }

    /// Removes the first `count` bytes of `input`, which the router has consumed.
    func taken(_ count: Int) {
        hasChanged = true
        if count == input.count {
            input.removeAll(keepingCapacity: true)
        } else {
            input.removeFirst(count)
        }
    }

    // MARK: - Frames from the router

    /// Processes a frame that the router has sent to the session's slot: ACK, REJECT, OUTCOME or
    /// ERROR.
    func receive(_ frame: ByteView) {
        hasChanged = true
        guard let header = try? FrameHeader.decode(frame, at: 0, maxBody: 1 << 30) else {
            preconditionFailure("the router's own frames are whole")
        }
        let body = frame.slice(FrameHeader.byteCount, to: frame.count)
        switch header.type {
        case .ack:
            if jobs.isEmpty { return }
            jobs[0].acknowledged = max(jobs[0].acknowledged, header.seq)
            if body.count == 4 { jobs[0].matched &+= UInt64(body.bigEndian(UInt32.self, at: 0)) }
        case .reject:
            guard !jobs.isEmpty, header.seq >= jobs[0].firstSeq else { return }
            jobs[0].lastRejected = header.seq
            jobs[0].refused.add(Int(header.seq - jobs[0].firstSeq) + 1) {
                let (code, message) = Self.error(body)
                return (code, message)
            }
        case .outcome: reported(header.seq, body: body)
        case .error: failure = Self.error(body)
        default: break
        }
    }

    /// Adds what became of a push to its job; reports about the app are ignored.
    private func reported(_ seq: UInt64, body: ByteView) {
        guard !jobs.isEmpty, seq >= jobs[0].firstSeq,
            let outcome = try? OutcomeMessage(reading: body), outcome.isPaused == nil
        else { return }
        jobs[0].outcome.add(outcome)
    }

    private static func error(_ body: ByteView) -> (code: String, message: String) {
        var found = (code: "", message: "")
        var reader = JSONReader(body)
        reader.enterObject()
        while let name = reader.nextKey() {
            if name == "code" {
                found.code = reader.readString().string
            } else if name == "message" {
                found.message = reader.readString().string
            } else {
                reader.skipValue()
            }
        }
        return found
    }
}
