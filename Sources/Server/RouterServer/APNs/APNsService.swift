internal import APNsConnections
internal import APNsProtocol
internal import ReloadModel

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
    /// The index of the lane that is next.
    private var next = 0

    init(_ provider: APNsProvider, environment: APNsEnvironment) {
        self.provider = provider
        self.environment = environment
    }

    /// Whether no app needs it, and all its pushes have ended.
    var isUnused: Bool { lanes.isEmpty && underWayCount == 0 }

    /// The next lane in rotation; there must be one.
    func nextLane() -> APNsLane {
        next = next + 1 < lanes.count ? next + 1 : 0
        return lanes[next]
    }

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

@available(*, unavailable)
extension APNsService: Sendable {}
