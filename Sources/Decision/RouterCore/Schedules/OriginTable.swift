internal import Basics
internal import ReloadScheduling

/// An origin, which is a server that devices call when they reload: its ledger, and the queue of
/// reloads that wait for a permit.
struct Origin: ~Copyable {
    var ledger: SlotLedger
    var queue: PacedQueue
    /// The slots that were requested over HTTP and belong to no widget.
    var unownedSlots = UnownedSlots()
    /// The requests that it can take in a second, from all partitions; nil if reloads need no
    /// permit.
    var perSecond: Int?
    /// Whether it has a rate, so that immediate reloads need a permit.
    var hasRate: Bool { perSecond != nil }
    /// The pass for which `permits` were counted; see `OriginTable.pass`.
    var pass: UInt64 = 0
    /// The permits that are left for widgets of this pass.
    var permits = 0

    /// The origin of kinds that name none has no declaration (nil), and no rate. The seed, which is
    /// the same at every start, determines the order in which waiting reloads are served; the hash
    /// key of the ledger's tables is another one at every start.
    init(
        _ declaration: OriginDeclaration?,
        seed: UInt64,
        for partition: Partition,
        hashKey: HashKey
    ) {
        ledger = SlotLedger(
            perSecond: declaration?.perSecond,
            undelayed: declaration?.undelayed ?? Self.undelayed,
            for: partition,
            hashKey: hashKey
        )
        queue = PacedQueue(seed: seed)
        perSecond = declaration?.perSecond
    }

    /// Bytes of the ledger and the queue that are allocated from the system.
    var byteCount: Int { ledger.byteCount + queue.byteCount }

    /// Changes the settings from now on; slots already assigned stay.
    mutating func change(_ declaration: OriginDeclaration) {
        perSecond = declaration.perSecond
        ledger.change(perSecond: declaration.perSecond, undelayed: declaration.undelayed)
    }

    /// About how long a reload that joins the queue now waits for its permit, if `count` others are
    /// still to join it; 0 if there is no rate or enough permits.
    @inline(__always)
    func expectedWait(at now: ScheduleTime, of count: Int = 0) -> Milliseconds {
        let ahead = queue.count + count - ledger.permits(at: now)
        guard ahead > 0, let perSecond else { return .zero }
        let share = Milliseconds.seconds(Int64(ahead) * Int64(ledger.partition.count))
        return share / Int64(perSecond) + .milliseconds(1)
    }

    /// How many reloads with the same date are not delayed at an origin that is not declared.
    static var undelayed: Int { OriginDeclaration(origin: "", perSecond: 1).undelayed }
}

/// The origins of all apps by their numbers, which they keep.
@safe
struct OriginTable: ~Copyable {
    private var origins: UnsafeMutablePointer<Origin>
    private(set) var count = 0
    private var capacity = 4
    /// A bit for each origin, set if its queue is not empty.
    ///
    /// A tick visits only these: each app has at least one origin, and most have nothing to do.
    private var waiting: ContiguousArray<UInt64> = []
    /// The number of the present pass over matches or timers; see `Schedules.beginGrants`.
    var pass: UInt64 = 1
    /// The most widgets that ask for a permit in this pass; `Int.max` outside of passes, so that
    /// every widget has to queue.
    var demand = Int.max

    /// The numbers of all origins.
    var ids: NumberRange<OriginID> { NumberRange(count: count) }

    init() { unsafe origins = .allocate(capacity: 4) }

    deinit {
        unsafe origins.deinitialize(count: count)
        unsafe origins.deallocate()
    }

    /// Adds an origin and returns its number.
    mutating func append(_ origin: consuming Origin) -> OriginID {
        if count == capacity {
            let larger = UnsafeMutablePointer<Origin>.allocate(capacity: capacity * 2)
            unsafe larger.moveInitialize(from: origins, count: count)
            unsafe origins.deallocate()
            unsafe origins = unsafe larger
            capacity *= 2
        }
        unsafe (origins + count).initialize(to: origin)
        if waiting.count * 64 == count { waiting.append(0) }
        count += 1
        return OriginID(index: count - 1)
    }

    /// The origin with a number, which must exist.
    subscript(origin: OriginID) -> Origin {
        @inline(__always) unsafeAddress {
            precondition(origin.index < count)
            return unsafe UnsafePointer(origins + origin.index)
        }
        @inline(__always) unsafeMutableAddress {
            precondition(origin.index < count)
            return unsafe origins + origin.index
        }
    }

    /// Abandons the checkpoint of all origins.
    mutating func abandonCheckpoint() {
        for origin in ids { self[origin].abandonCheckpoint() }
    }

    // MARK: - Queues

    /// Adds a widget's reload to the queue of those that wait for a permit of an origin.
    mutating func append(_ widget: WidgetID, to origin: OriginID, rank: ReloadRank, fanOut: UInt64)
    {
        self[origin].queue.append(widget, rank: rank, fanOut: fanOut)
        startWaiting(origin)
    }

    /// Marks the origin's queue as not empty.
    mutating func startWaiting(_ origin: OriginID) {
        assert(origin.index < count)
        waiting[origin.index / 64] |= 1 << UInt64(origin.index % 64)
    }

    /// The first origin whose queue is not empty; nil if there is none.
    var firstWaiting: OriginID? { nextWaiting(from: 0) }

    /// The first origin after another one whose queue is not empty; nil if there is none.
    func nextWaiting(after origin: OriginID) -> OriginID? { nextWaiting(from: origin.index + 1) }

    private func nextWaiting(from start: Int) -> OriginID? {
        var index = start / 64
        if index >= waiting.count { return nil }
        var word = waiting[index] & (.max << UInt64(start % 64))
        while word == 0 {
            index += 1
            if index == waiting.count { return nil }
            word = waiting[index]
        }
        return OriginID(index: index * 64 + word.trailingZeroBitCount)
    }

    /// Marks the origin's queue as empty.
    mutating func stopWaiting(_ origin: OriginID) {
        waiting[origin.index / 64] &= ~(1 << UInt64(origin.index % 64))
    }
}
