internal import AdminAPI
internal import Basics

/// All publishers over HTTP, and the limits of their requests.
///
/// A class, because it is asked several things for each push, and a value would be copied to
/// answer.
final class PushSessions {
    /// The most requests of operators under way; beyond it they are refused with 503 `busy`.
    static var jobLimit: Int { 64 }
    /// The most requests of publishers under way; beyond it they are refused with 429
    /// `too-many-requests`.
    static var publisherJobLimit: Int { 2_048 }
    /// How long a request waits for its pushes to be durable.
    ///
    /// Then it is answered with 503 `store-failing` or `busy`, or 409 `app-paused`. Pushes that the
    /// router has consumed are still accepted when the store works again.
    static var patience: Milliseconds { .seconds(10) }

    /// The most bytes of all requests under way: payloads, and what may be refused of them. Beyond
    /// it requests are refused with 503 `busy`. A single request may exceed it.
    let byteLimit: Int
    private(set) var byKey: [PushSession.Key: PushSession] = [:]
    /// The session of each slot; nil for a slot that has none.
    private var bySlot = NumberedArray<ConnectionSlot, PushSession?>()
    /// The sessions of the router's own producers, by the key of the first lane.
    private var lanes: [PushSession.Key: PushLanes] = [:]
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
    /// The keys of the requests under way, by the first bits of their names.
    private(set) var keys: [UInt64: RequestKey] = [:]
    /// Their bytes.
    private(set) var byteCount = 0

    init(byteLimit: Int = 64 << 20) { self.byteLimit = byteLimit }

    /// True if a pass over the sessions may have something to do.
    var isBusy: Bool { jobCount > 0 || hasFailure }

    subscript(key: PushSession.Key) -> PushSession? { byKey[key] }
    subscript(slot slot: ConnectionSlot) -> PushSession? { bySlot[slot, default: nil] }

    /// True if another request with this many bytes may be accepted.
    func hasRoom(for byteCount: Int, isOfPublisher: Bool) -> Bool {
        let hasSlot =
            isOfPublisher
            ? publisherJobCount < Self.publisherJobLimit
            : jobCount - publisherJobCount < Self.jobLimit
        return hasSlot
            && (jobCount == 0 || self.byteCount + byteCount <= byteLimit)
    }

    func insert(_ session: PushSession) {
        assert(self[slot: session.slot] == nil, "the slot has a session already")
        byKey[session.key] = session
        bySlot[session.slot, default: nil] = session
        all.append(session)
        if session.key.hasLane {
            let own = lanes[session.key.first] ?? PushLanes()
            lanes[session.key.first] = own
            own.insert(session)
        }
    }

    /// The sessions that have slots.
    var slotCount: Int { bySlot.elements.count { $0 != nil } }
    /// The sessions that have lanes.
    var laneCount: Int { lanes.values.reduce(0) { $0 + $1.count } }

    /// The session, and its lane, for the next request of a sender without a producer: one without
    /// work or, if there is none, a new one (nil, if one may be opened now) or that with the fewest
    /// requests. `first` is the key of the first lane.
    func leastBusy(
        of first: PushSession.Key,
        mayBeNew: Bool
    ) -> (lane: Int, session: PushSession?) {
        lanes[first]?.leastBusy(mayBeNew: mayBeNew) ?? (0, nil)
    }

    func remove(_ session: PushSession) {
        assert(self[slot: session.slot] === session, "the session was removed already")
        bySlot[session.slot] = nil
        all.removeAll { $0 === session }
        if byKey[session.key] === session { byKey[session.key] = nil }
        if session.key.hasLane {
            let first = session.key.first
            lanes[first]?.remove(session)
            if lanes[first]?.count == 0 { lanes[first] = nil }
        }
    }

    /// Counts a request that begins.
    func began(_ job: PushSession.Job) {
        jobCount += 1
        if job.request.isOfPublisher { publisherJobCount += 1 }
        if let key = job.request.key { keys[key.high] = key }
        byteCount += job.byteCount
    }

    /// Counts a request that has ended.
    func ended(_ job: PushSession.Job) {
        jobCount -= 1
        if job.request.isOfPublisher { publisherJobCount -= 1 }
        if let key = job.request.key { keys[key.high] = nil }
        byteCount -= job.byteCount
        assert(jobCount >= 0 && byteCount >= 0, "more requests have ended than have begun")
    }
}
