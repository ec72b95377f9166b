internal import Basics
internal import Credentials
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
    /// Which of the store's partitions this is the state of.
    let partition: Partition
    /// The widgets' reloads: when each is due, and how it reaches its device.
    var reloads: Reloads
    /// Those who push, and what is known of their pushes.
    var publishers: Publishers
    /// The index of the widgets, which finds those that a push matches.
    var matcher: WidgetMatcher
    /// The pushes that are being matched.
    var batch: MatchedBatch
    /// Pushes with more matches than one step handles.
    var fanOuts = FanOutQueue()
    /// The devices whose tokens an operator has revoked.
    var revocations = TokenRevocations()
    /// The devices for which gateways may speak, of those gateways that are limited. It is not
    /// stored: a frame that it refuses is no input.
    var gatewayDevices: [ConnectionSlot: NamePatterns] = [:]
    /// Memory for the frame that is being applied.
    var scratch: FrameScratch
    /// The devices whose patterns are counted again.
    var patternLoads = PatternLoads()
    var checkpoint = CheckpointState()
    var restoring = RestoreState()

    /// How devices and producers are divided among the partitions.
    var partitions: PartitionMap {
        PartitionMap(count: Int(partition.count), seed: reloads.fields.seed)
    }

    /// Whether a stored device is one of this partition.
    func isOwn(_ device: DeviceID) -> Bool {
        if partition.isOnly { return true }
        let app = reloads.catalog.apps[reloads.delivery.devices[device].app].declaration.app
        return app.withByteView {
            partitions.partition(app: $0, device: reloads.delivery.deviceName(device))
        } == partition.id
    }

    /// Makes an empty state. The limits are for new requests; stored data may exceed them.
    /// Decisions may depend on the seed, but nothing depends on the key of the hash tables.
    init(limits: RouterLimits, seed: DecisionSeed, partition: Partition, hashKey: HashKey) {
        self.limits = limits
        self.partition = partition
        publishers = Publishers(of: partition, hashKey: hashKey)
        matcher = WidgetMatcher(hashKey: hashKey)
        reloads = Reloads(seed: seed, partition: partition, hashKey: hashKey)
        batch = MatchedBatch(seed: seed)
        scratch = FrameScratch(hashKey: hashKey)
    }
}
