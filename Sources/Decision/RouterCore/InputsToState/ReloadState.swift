internal import Basics
internal import ChangeDetection
internal import Credentials
internal import ReloadScheduling
internal import WidgetMatching

/// What a router knows, as a function of its inputs (`RouterInput`).
///
/// It changes only in `apply`. It also has the working memory of searches and checkpoints, on which
/// no decision depends: the matcher's batch, `scratch` and `checkpoint`.
///
/// Frames to be sent, timers and counts that result from an input go to the `Outbox` that it is
/// applied with. A function without an `Outbox` changes nothing but the state; one that is not
/// mutating changes nothing.
struct ReloadState: ~Copyable {
    /// The limits for new requests; stored data may exceed them.
    let limits: RouterLimits
    /// The time of the last `clock` input.
    var clock = StateClock()
    /// The apps, kinds and origins that are, or were, declared.
    var catalog = Catalog()
    /// Devices, their widgets, and the connections that speak for them.
    var delivery: DeliveryTable
    /// Those who push, and what is known of their pushes.
    var publishers: Publishers
    /// The index of the widgets, which finds those that a push matches.
    var matcher: WidgetMatcher
    /// The payload fields that kinds name, and the values that widgets have.
    var fields: FieldTable
    /// The pushes that are being matched.
    var batch: MatchedBatch
    /// Pushes with more matches than one step handles.
    var fanOuts = FanOutQueue()
    var origins = OriginTable()
    /// The apps that an operator has paused.
    var paused = PausedApps()
    /// The devices whose tokens an operator has revoked.
    var revocations = TokenRevocations()
    /// The last numbers given to pushes, sessions, RELOADs and deliveries.
    var numbers = LastNumbers()
    /// The devices for which gateways may speak, of those gateways that are limited. It is not
    /// stored: a frame that it refuses is no input.
    var gatewayDevices: [ConnectionSlot: NamePatterns] = [:]
    /// Memory for the frame that is being applied.
    var scratch: FrameScratch
    /// The next device whose patterns are counted again because rules have changed; nil if none is.
    /// It is not stored.
    var nextPatternLoad: DeviceID?
    var checkpoint = CheckpointState()
    var restoring = RestoreState()

    /// Makes an empty state.
    ///
    /// - Parameters:
    ///   - limits: the limits for new requests; stored data may exceed them.
    ///   - seed: a seed that decisions may depend on.
    ///   - hashKey: the key of the hash tables, on which nothing else depends.
    init(limits: RouterLimits, seed: DecisionSeed, hashKey: HashKey) {
        self.limits = limits
        delivery = DeliveryTable(hashKey: hashKey)
        publishers = Publishers(hashKey: hashKey)
        matcher = WidgetMatcher(hashKey: hashKey)
        fields = FieldTable(seed: seed, hashKey: hashKey)
        batch = MatchedBatch(seed: seed)
        scratch = FrameScratch(hashKey: hashKey)
    }
}

/// The last numbers given to pushes, sessions and RELOADs.
struct LastNumbers: BitwiseCopyable {
    /// The fan-out number of the last push of the last batch that has ended; each push gets a
    /// number of its own.
    var fanOut: UInt64 = 0
    /// The number of the session that began last.
    var session: UInt64 = 0
    /// The number of the last RELOAD; it rises over all sessions, so that no two share one.
    var reload: UInt64 = 0
    /// The number of the last end of a push token (`TokenEnd`). It is at least that of the last
    /// RELOAD at that time, so it rises at a restart, too: the process that was killed may have
    /// shown ends that no log records.
    var tokenEnd: UInt64 = 0
    /// The number of the last delivery to a device in this process.
    var delivery: UInt64 = 0
}
