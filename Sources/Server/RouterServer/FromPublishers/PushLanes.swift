internal import AdminAPI

/// The sessions of the router's own producers of one app and sender, in the order of their lanes,
/// with the number of requests of each: the least busy one is found without asking them all.
final class PushLanes {
    private var sessions = [PushSession?](repeating: nil, count: PublishSender.lanes)
    /// The requests of each lane's session.
    private var jobCounts = [Int](repeating: 0, count: PublishSender.lanes)

    /// The sessions that there are.
    var count: Int { sessions.count { $0 != nil } }

    func insert(_ session: PushSession) {
        sessions[session.key.lane] = session
        jobCounts[session.key.lane] = session.jobs.count
        session.lanes = self
    }

    /// Removes a session, unless another one has its lane.
    func remove(_ session: PushSession) {
        session.lanes = nil
        if sessions[session.key.lane] === session { sessions[session.key.lane] = nil }
    }

    /// A session has another number of requests; that counts unless another one has its lane.
    func changed(_ session: PushSession) {
        let lane = session.key.lane
        if sessions[lane] === session { jobCounts[lane] = session.jobs.count }
    }

    /// Whether the numbers are those of the sessions.
    var isCounted: Bool {
        zip(sessions, jobCounts).allSatisfy { $0 == nil || $0?.jobs.count == $1 }
    }

    /// See `PushSessions.leastBusy`.
    func leastBusy(mayBeNew: Bool) -> (lane: Int, session: PushSession?) {
        let (sessions, jobCounts) = (sessions, jobCounts)
        var least: Int?
        for lane in sessions.indices {
            if sessions[lane] == nil {
                // As few sessions as the requests need.
                if mayBeNew || least == nil { return (lane, nil) }
                break
            }
            if jobCounts[lane] == 0 { return (lane, sessions[lane]) }
            if least.map({ jobCounts[lane] < jobCounts[$0] }) ?? true { least = lane }
        }
        return least.map { ($0, sessions[$0]) } ?? (0, nil)
    }
}
