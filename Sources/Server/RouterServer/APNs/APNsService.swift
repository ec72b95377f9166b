internal import APNsConnections
internal import APNsProtocol
internal import Basics
internal import RouterCore

/// One of Apple's services as one key uses it: its connections, and the lanes that share them.
///
/// Lanes are served in rotation, a push of each at a time, so that none waits for another's queue.
/// Keys do not share connections: Apple refuses another team's key on a connection, and an
/// unrelated key of the same team too.
final class APNsService {
    let provider: APNsProvider
    let environment: APNsEnvironment
    /// The connections; nil before the first push.
    var pool: APNsPool?
    /// The number of the provider token that the pool uses; 0 for none.
    var tokenNumber: UInt64 = 0
    /// The pushes that have no answer yet, or none that the delivery has heard.
    var underWayCount = 0
    /// The lanes of the apps in force; empty if no app needs the service any more.
    private(set) var lanes: [APNsLane] = []
    /// The topics of the lanes that were removed last, and whether one of them was stopped.
    private var formerTopics: Set<[UInt8]> = []
    private var wereStopped = false
    /// The lanes that may have something to send in this tick.
    private var waiting: [APNsLane] = []
    /// The index of the lane among these that is next, and how many pushes were sent: where the
    /// rotation begins in the next tick.
    private var next = 0
    private var sentCount = 0
    /// The lanes of which pushes were made in this tick.
    private var payers: [APNsLane] = []

    init(_ provider: APNsProvider, environment: APNsEnvironment) {
        self.provider = provider
        self.environment = environment
    }

    /// Whether no app needs it, and all its pushes have ended.
    var isUnused: Bool { lanes.isEmpty && underWayCount == 0 }

    // MARK: - The tick

    /// Adds a lane that may have something to send in this tick. Returns true if it is the first
    /// one.
    func wait(_ lane: APNsLane) -> Bool {
        waiting.append(lane)
        return waiting.count == 1
    }

    /// The lane that is next; nil if none has anything to send any more.
    var nextLane: APNsLane? { waiting.isEmpty ? nil : waiting[next] }

    /// Begins to send: with another lane than the last time.
    func beginRotation() { next = waiting.isEmpty ? 0 : sentCount % waiting.count }

    /// A push of the next lane was made: the one after it is next.
    func rotate() {
        let lane = waiting[next]
        if lane.madeCount == 0 { payers.append(lane) }
        lane.madeCount += 1
        sentCount &+= 1
        next = next + 1 < waiting.count ? next + 1 : 0
    }

    /// The next lane has nothing to send in this tick.
    func removeFromRotation() {
        waiting.swapAt(next, waiting.count - 1)
        waiting.removeLast()
        if next == waiting.count { next = 0 }
    }

    /// Ends the tick, and says whether a lane has more to send.
    @discardableResult
    func endRotation(_ hasMore: (APNsLane) -> Bool = { _ in false }) -> Bool {
        defer { waiting.removeAll(keepingCapacity: true) }
        return waiting.contains(where: hasMore)
    }

    /// Lets the apps pay for work on the pushes of this tick, each for its part of them.
    func charge(_ time: Nanoseconds, in router: inout Router) {
        let count = payers.reduce(0) { $0 + $1.madeCount }
        for lane in payers {
            let part = time.rawValue * Int64(lane.madeCount) / Int64(count)
            router.measured(Nanoseconds(rawValue: part), of: lane.group)
        }
    }

    /// The pushes of this tick have left, and are paid for.
    func removePayers() {
        for lane in payers { lane.madeCount = 0 }
        payers.removeAll(keepingCapacity: true)
    }

    // MARK: - Lanes

    /// Adds the lane of an app.
    func append(_ lane: APNsLane) { lanes.append(lane) }

    /// Removes all lanes, because others take their places.
    func removeLanes() {
        wereStopped = lanes.contains { $0.breaker.cause != nil }
        formerTopics = Set(lanes.map(\.topic))
        for lane in lanes { lane.isCurrent = false }
        lanes = []
    }

    /// Whether the lanes need other connections than those that were removed: Apple accepts a new
    /// topic, or what it has refused before, on a new connection.
    var needsConnections: Bool {
        wereStopped || !lanes.allSatisfy { formerTopics.contains($0.topic) }
    }
}
