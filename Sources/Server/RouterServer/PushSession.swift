internal import AdminAPI
internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import StrictJSON

/// A publisher whose pushes come over HTTP: a session of the router without a connection.
///
/// Requests wait behind each other, so that an ACK is of one of them. What the router sends to the slot
/// comes here (`receive`), behind the commit like everything that is acknowledged.
final class PushSession {
    /// Who pushes.
    struct Key: Hashable {
        var app: String
        /// Nil for the router's own producer of the app.
        var producer: String?
    }

    /// What one request pushes.
    struct Job {
        let entry: AdminDoor.Entry
        let request: PushRequest
        let byteCount: Int
        /// When it came, in ms of the monotonic clock.
        let begin: Int64
        /// The sequence number of the first line; 0 before it is the first job.
        var firstSeq: UInt64 = 0
        /// Lines that have been looked at.
        var next = 0
        /// Of the last frame that was made for it; 0 for none.
        var lastSent: UInt64 = 0
        /// What the last ACK and the last REJECT named since it is the first job.
        var acknowledged: UInt64 = 0
        var lastRejected: UInt64 = 0
        var matched: UInt64 = 0
        var rejected: [PushesBody.Rejection] = []
        /// Whether its time was over: who asks has been told so.
        var isAnswered = false
    }

    /// The name of the router's own producer.
    static var ownProducer: String { "(http)" }
    /// Beyond, the router's own producer has no numbers left for those who give none; requests that
    /// wait have them still.
    ///
    /// Nobody gets there by counting, but a publisher may have its name, and begin with any number.
    static var lastOwnSeq: UInt64 { .max - 1 << 32 }
    /// Bytes of frames that are made at a time, at least a frame.
    static var portion: Int { 16 << 10 }

    let key: Key
    let slot: UInt32
    /// The producer's last push: of the jobs that were answered, or when the session began.
    private var lastSeq: UInt64
    /// The highest sequence number that was used in the session.
    private var highestSeq: UInt64
    private(set) var jobs: [Job] = []
    /// Frames that the router has not taken.
    private(set) var input: [UInt8] = []
    /// Why the session has ended.
    private(set) var failure: (code: String, message: String)?
    /// Whether nothing has happened since `popFinished` has looked.
    private var isLookedAt = false

    init(_ key: Key, slot: UInt32, lastSeq: UInt64) {
        self.key = key
        self.slot = slot
        self.lastSeq = lastSeq
        highestSeq = lastSeq
    }

    /// Whether there are sequence numbers for pushes that come without one.
    var hasOwnNumbers: Bool { highestSeq <= Self.lastOwnSeq }

    // MARK: - Jobs

    func append(_ job: Job) {
        isLookedAt = false
        jobs.append(job)
        if jobs.count == 1 { beginFirst() }
    }

    /// Takes out the first job, if all its lines have been answered.
    func popFinished() -> (job: Job, answer: AdminAnswer)? {
        if isLookedAt { return nil }
        isLookedAt = true
        guard let job = jobs.first, job.next == job.request.payloads.count, input.isEmpty else {
            return nil
        }
        // A REJECT comes before the ACK that passes it, and perhaps before one of what was before it.
        let accepted = lastAccepted(job)
        let isRejectedLast = job.lastRejected == job.lastSent
        let isDone = job.acknowledged >= (isRejectedLast ? accepted : job.lastSent)
        if !isDone { return nil }
        lastSeq = max(lastSeq, accepted)
        let body = PushesBody(
            accepted: job.request.payloads.count - job.rejected.count,
            matched: job.matched,
            lastSeq: lastSeq,
            rejected: job.rejected.sorted { $0.line < $1.line }
        )
        return (popFirst(), .body(body))
    }

    /// The number of the last line that was not refused; 0 if all were.
    private func lastAccepted(_ job: Job) -> UInt64 {
        let refused = Set(job.rejected.map(\.line))
        let last = job.request.payloads.indices.last { !refused.contains($0 + 1) }
        return last.map { job.firstSeq + UInt64($0) } ?? 0
    }

    /// Takes out the jobs of which nothing has been taken.
    func popUntouched() -> [Job] {
        let begun = jobs.prefix { $0.next > 0 }
        defer { jobs = Array(begun) }
        return Array(jobs.dropFirst(begun.count))
    }

    /// Takes out the jobs that the router has not taken whole: nothing more is offered to it.
    func popUnsent() -> [Job] {
        guard let first = jobs.first else { return [] }
        let isSent = first.next == first.request.payloads.count && input.isEmpty
        let unsent = Array(jobs.dropFirst(isSent ? 1 : 0))
        jobs = isSent ? [first] : []
        input = []
        return unsent
    }

    /// Takes out all jobs: the session has ended.
    func popAll() -> [Job] {
        defer { jobs = [] }
        return jobs
    }

    private func popFirst() -> Job {
        isLookedAt = false
        let job = jobs.removeFirst()
        if !jobs.isEmpty { beginFirst() }
        return job
    }

    /// Jobs whose time is over, each once; they go on all the same.
    func takeOverdue(before time: Int64) -> [Job] {
        var overdue: [Job] = []
        for index in jobs.indices where jobs[index].begin < time && !jobs[index].isAnswered {
            jobs[index].isAnswered = true
            overdue.append(jobs[index])
        }
        return overdue
    }

    private func beginFirst() {
        jobs[0].firstSeq = jobs[0].request.firstSeq ?? highestSeq + 1
    }

    // MARK: - Frames to the router

    /// Makes some frames, if the last ones were taken.
    ///
    /// - Parameters:
    ///   - maxBody: longer payloads are refused here: for the router they would be no frames.
    ///   - window: the most to make: so many more the router takes before it acknowledges some.
    func makeFrames(maxBody: Int, window: Int) {
        guard input.isEmpty, var job = jobs.first else { return }
        isLookedAt = false
        let longest = maxBody - (job.request.voidAt == nil ? 0 : 8)
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
                voidAt: request.voidAt
            )
        }
        jobs[0] = job
    }

    /// The router has taken so many bytes of `input`.
    func taken(_ count: Int) {
        isLookedAt = false
        input.removeFirst(count)
    }

    // MARK: - Frames from the router

    /// Takes a frame that the router has sent to the slot.
    func receive(_ frame: ByteView) {
        isLookedAt = false
        guard let header = try? FrameHeader.decode(frame, at: 0, maxBody: 1 << 30) else {
            preconditionFailure("the router's own frames are whole")
        }
        let body = frame.slice(FrameHeader.byteCount, frame.count)
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
        case .error: failure = Self.error(body)
        default: break
        }
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

/// The publishers whose pushes come over HTTP.
struct PushSessions {
    /// Requests that may be under way.
    ///
    /// Beyond: 503 `busy`.
    static var jobLimit: Int { 64 }
    /// Bytes of their payloads together, but for a single one.
    ///
    /// Beyond: 503 `busy`.
    static var byteLimit: Int { 64 << 20 }
    /// How long who asks waits for pushes to be durable, in ms.
    ///
    /// Beyond: 503 `store-failing` or `busy`, or 409 `app-paused`; what the router has taken is accepted
    /// all the same when the store works again.
    static var patience: Int64 { 10_000 }

    private var byKey: [PushSession.Key: PushSession] = [:]
    private var bySlot: [UInt32: PushSession] = [:]
    /// In the order in which they began.
    private(set) var all: [PushSession] = []
    /// Whose turn is next, in `all`.
    var next = 0
    /// Whether one has failed since a turn has gone on with all.
    var hasFailure = false
    /// When the next session that rests because of costly pushes may go on, in ms of the monotonic clock;
    /// nil if none rests.
    var restEnd: Int64?
    private(set) var jobCount = 0
    private(set) var byteCount = 0

    /// Whether there may be something to do.
    var isBusy: Bool { jobCount > 0 || hasFailure }

    subscript(key: PushSession.Key) -> PushSession? { byKey[key] }
    subscript(slot slot: UInt32) -> PushSession? { bySlot[slot] }

    func hasRoom(for byteCount: Int) -> Bool {
        jobCount < Self.jobLimit
            && (jobCount == 0 || self.byteCount + byteCount <= Self.byteLimit)
    }

    mutating func insert(_ session: PushSession) {
        byKey[session.key] = session
        bySlot[session.slot] = session
        all.append(session)
    }

    mutating func remove(_ session: PushSession) {
        bySlot[session.slot] = nil
        all.removeAll { $0 === session }
        if byKey[session.key] === session { byKey[session.key] = nil }
    }

    mutating func began(_ job: PushSession.Job) {
        jobCount += 1
        byteCount += job.byteCount
    }

    mutating func ended(_ job: PushSession.Job) {
        jobCount -= 1
        byteCount -= job.byteCount
    }
}
