internal import AdminAPI
internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import StrictJSON
internal import Times

/// A publisher whose pushes come over HTTP: a session of the router without a connection.
///
/// Its requests are jobs, done one after the other, so that an ACK belongs to exactly one of them.
/// `makeFrames` turns their pushes into frames for the router; frames that the router sends to the
/// slot come to `receive`, acknowledgements only after their commit.
final class PushSession {
    /// The identity of a publisher.
    struct Key: Hashable {
        var app: String
        /// The producer's name; nil for the router's own producer of the app.
        var producer: String?
        /// Which of the router's own producers of the app, from 0; 0 for others.
        var lane = 0
    }

    /// The pushes of one request.
    struct Job {
        let entry: AdminMailbox.Entry
        let request: PushRequest
        /// Bytes of its payloads.
        let byteCount: Int
        /// When the request came.
        let begin: MonotonicTime
        /// Sequence number of its first line (a line is one push); 0 until it becomes the first
        /// job.
        var firstSeq: UInt64 = 0
        /// Lines that were made into frames or refused.
        var next = 0
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
        /// Its rejected lines.
        var rejected: [PushesBody.Rejection] = []
        /// True once its request was answered because it took too long; its pushes continue.
        var isAnswered = false
    }

    /// The most sessions of an app for the requests without a producer.
    static var lanes: Int { 16 }

    /// Name of one of the router's own producers, to which the pushes over HTTP of requests without
    /// a producer belong.
    static func ownProducer(_ lane: Int) -> String {
        lane == 0 ? "(http)" : "(http \(lane + 1))"
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
    /// Slot of its session.
    let slot: ConnectionSlot
    /// Sequence number of the producer's last accepted push: from answered jobs, or from the start
    /// of the session.
    private var lastSeq: UInt64
    /// The highest sequence number used in the session.
    private var highestSeq: UInt64
    /// Jobs in the order they came; only the first has frames under way.
    private(set) var jobs: [Job] = []
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
        self.lastSeq = lastSeq
        highestSeq = lastSeq
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
    func popFinished() -> (job: Job, answer: AdminAnswer)? {
        if !hasChanged { return nil }
        hasChanged = false
        guard let job = jobs.first, job.next == job.request.payloads.count, input.isEmpty else {
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
        let body = PushesBody(
            accepted: job.request.payloads.count - job.rejected.count,
            matched: job.matched,
            lastSeq: lastSeq,
            rejected: job.rejected.sorted { $0.line < $1.line },
            outcome: job.outcome
        )
        return (popFirst(), .body(body))
    }

    /// Sequence number of the last line that was not rejected; 0 if all were.
    private func lastAccepted(_ job: Job) -> UInt64 {
        let refused = Set(job.rejected.map(\.line))
        let last = job.request.payloads.indices.last { !refused.contains($0 + 1) }
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
        let isSent = first.next == first.request.payloads.count && input.isEmpty
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

    private func beginFirst() {
        assert(jobs[0].next == 0, "only the first job has frames under way")
        jobs[0].firstSeq = jobs[0].request.firstSeq ?? highestSeq + 1
    }

    // MARK: - Frames to the router

    /// Makes frames of the first job's next lines, if the router has consumed the previous frames.
    ///
    /// - Parameters:
    ///   - maxBody: the longest payload in bytes. Longer ones are rejected here, since the router's
    ///     decoder would end the session.
    ///   - window: the most frames to make: the pushes that the router accepts before it
    ///     acknowledges some.
    func makeFrames(maxBody: Int, window: Int) {
        guard input.isEmpty, var job = jobs.first else { return }
        assert(job.next <= job.request.payloads.count, "more lines were taken than there are")
        hasChanged = true
        let prefix = PushFrame.prefix(
            expiresAt: job.request.expiresAt,
            kinds: job.request.kinds
        )
        let longest = maxBody - prefix.bytes.count
        let end = min(job.request.payloads.count, job.next + window)
        while job.next < end && input.count < Self.portion {
            let payload = job.request.payloads[job.next]
            let seq = job.firstSeq + UInt64(job.next)
            job.next += 1
            if payload.count > longest {
                job.rejected.append(
                    PushesBody.Rejection(
                        line: job.next,
                        code: ErrorCode.frameLength.rawValue,
                        detail: "the payload has \(payload.count) bytes; the longest here is "
                            + "\(longest) bytes (max-body)"
                    )
                )
                continue
            }
            job.lastSent = seq
            highestSeq = max(highestSeq, seq)
            let request = job.request
            input += PushFrame.encode(
                payload,
                seq: seq,
                isUrgent: request.isUrgent,
                expiresAt: request.expiresAt,
                kinds: request.kinds
            )
        }
        jobs[0] = job
    }

    /// Removes the first `count` bytes of `input`, which the router has consumed.
    func taken(_ count: Int) {
        hasChanged = true
        input.removeFirst(count)
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
            if body.count == 4 {
                jobs[0].matched &+= UInt64(body.bigEndian(UInt32.self, at: 0))
            }
        case .reject:
            guard !jobs.isEmpty, header.seq >= jobs[0].firstSeq else { return }
            let (code, message) = Self.error(body)
            jobs[0].lastRejected = header.seq
            jobs[0].rejected.append(
                PushesBody.Rejection(
                    line: Int(header.seq - jobs[0].firstSeq) + 1,
                    code: code,
                    detail: message
                )
            )
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

@available(*, unavailable)
extension PushSession: Sendable {}

/// All publishers over HTTP, and the limits of their requests.
struct PushSessions {
    /// The most requests of operators under way; beyond it they are refused with 503 `busy`.
    static var jobLimit: Int { 64 }
    /// The most requests of publishers under way; beyond it they are refused with 429
    /// `too-many-requests`.
    static var publisherJobLimit: Int { 2_048 }
    /// The most bytes of payloads of all requests under way; beyond it requests are refused with
    /// 503 `busy`. A single request may exceed it.
    static var byteLimit: Int { 64 << 20 }
    /// How long a request waits for its pushes to be durable.
    ///
    /// Then it is answered with 503 `store-failing` or `busy`, or 409 `app-paused`. Pushes that the
    /// router has consumed are still accepted when the store works again.
    static var patience: Milliseconds { .seconds(10) }

    private(set) var byKey: [PushSession.Key: PushSession] = [:]
    private(set) var bySlot: [ConnectionSlot: PushSession] = [:]
    /// All sessions, oldest first.
    private(set) var all: [PushSession] = []
    /// Index in `all` of the session that the next tick begins with.
    var next = 0
    /// True if a session has failed since the last complete pass over all sessions.
    var hasFailure = false
    /// When the first resting session, whose pushes were too costly, may continue;
    /// nil if none rests.
    var restEnd: MonotonicTime?
    /// Requests under way.
    private(set) var jobCount = 0
    /// Those of publishers among them.
    private(set) var publisherJobCount = 0
    /// Bytes of their payloads.
    private(set) var byteCount = 0

    /// True if a pass over the sessions may have something to do.
    var isBusy: Bool { jobCount > 0 || hasFailure }

    subscript(key: PushSession.Key) -> PushSession? { byKey[key] }
    subscript(slot slot: ConnectionSlot) -> PushSession? { bySlot[slot] }

    /// True if another request with this many bytes of payloads may be accepted.
    func hasRoom(for byteCount: Int, isOfPublisher: Bool) -> Bool {
        let hasSlot =
            isOfPublisher
            ? publisherJobCount < Self.publisherJobLimit
            : jobCount - publisherJobCount < Self.jobLimit
        return hasSlot
            && (jobCount == 0 || self.byteCount + byteCount <= Self.byteLimit)
    }

    mutating func insert(_ session: PushSession) {
        assert(bySlot[session.slot] == nil, "the slot has a session already")
        byKey[session.key] = session
        bySlot[session.slot] = session
        all.append(session)
    }

    mutating func remove(_ session: PushSession) {
        assert(bySlot[session.slot] === session, "the session was removed already")
        bySlot[session.slot] = nil
        all.removeAll { $0 === session }
        if byKey[session.key] === session { byKey[session.key] = nil }
    }

    /// Counts a request that begins.
    mutating func began(_ job: PushSession.Job) {
        jobCount += 1
        if job.request.isOfPublisher { publisherJobCount += 1 }
        byteCount += job.byteCount
    }

    /// Counts a request that has ended.
    mutating func ended(_ job: PushSession.Job) {
        jobCount -= 1
        if job.request.isOfPublisher { publisherJobCount -= 1 }
        byteCount -= job.byteCount
        assert(jobCount >= 0 && byteCount >= 0, "more requests have ended than have begun")
    }
}
