internal import ChangeDetection
internal import DataStructures
internal import ReloadModel
internal import ReloadScheduling
internal import StrictJSON
internal import WidgetMatching

/// What a router knows, as a function of its inputs (`RouterInput`).
///
/// It changes only in `apply`. It also has the working memory of searches and checkpoints, on which no
/// decision depends: the matcher's batch, `scratch` and `checkpoint`.
///
/// Frames to be sent, timers and counts that result from an input go to the `Outbox` that it is applied
/// with. A function without that parameter changes the state at most; one that is not mutating, nothing.
struct ReloadState: ~Copyable {
    let limits: RouterLimits
    var clock = StateClock()
    /// The apps, kinds and origins that there are, or were.
    var catalog = Catalog()
    /// Devices, their widgets, and the connections that speak for them.
    var delivery: DeliveryTable
    var producers: ProducerTable
    var matcher: WidgetMatcher
    /// The payload fields that kinds name, and the values that widgets have.
    var fields: FieldTable
    /// The pushes that are being matched.
    var batch: MatchedBatch
    /// Pushes with more matches than one step handles.
    var fanOuts = FanOutQueue()
    var origins = OriginTable()
    var paused = PausedApps()
    var numbers = LastNumbers()
    /// Memory for the frame that is being applied.
    var scratch: FrameScratch
    var checkpoint = CheckpointState()
    var restoring = RestoreState()

    /// - Parameters:
    ///   - limits: for new requests; stored data may exceed them.
    ///   - seed: decisions may depend on it.
    ///   - hashKey: of the tables; nothing depends on it.
    init(limits: RouterLimits, seed: DecisionSeed, hashKey: HashKey) {
        self.limits = limits
        delivery = DeliveryTable(hashKey: hashKey)
        producers = ProducerTable(hashKey: hashKey)
        matcher = WidgetMatcher(hashKey: hashKey)
        fields = FieldTable(seed: seed, hashKey: hashKey)
        batch = MatchedBatch(seed: seed)
        scratch = FrameScratch(hashKey: hashKey)
    }
}

/// The time of the state.
struct StateClock {
    var now = Instant(monotonic: 0, wall: 0)
    var schedule = ScheduleClock(Instant(monotonic: 0, wall: 0))
    /// Whether `now` was ever set.
    var isSet = false
    /// When the origins next drop the seconds that are over, in schedule time.
    var nextPass: Int64 = 0
}

/// The last of what is numbered.
struct LastNumbers: BitwiseCopyable {
    /// Of the pushes, when the last batch ended: so the fan-out of each is told from others.
    var burst: UInt64 = 0
    var session: UInt64 = 0
    /// Of all RELOADs of the router, so that no two sessions share one.
    var reload: UInt64 = 0
    /// Of the deliveries to devices in this process.
    var delivery: UInt64 = 0
}
