internal import DataStructures
internal import ReloadModel
internal import ReloadScheduling

/// An origin, which is a server that devices call when they reload: its ledger of seconds, and the queue of
/// widgets that wait for a permit.
struct Origin: ~Copyable {
    var ledger: SlotLedger
    var queue: PacedQueue
    var unheld = UnheldPlaces()
    /// Requests that it takes in a second; nil if nothing waits for its turn.
    var perSecond: Int?
    var hasRate: Bool { perSecond != nil }
    /// The pass for which `turns` were counted.
    var pass: UInt64 = 0
    /// How many widgets of this pass may still go at once.
    var turns = 0

    /// - Parameters:
    ///   - declaration: its rate; none if nil.
    ///   - seed: of the order in which those that wait are served; the same at every start.
    ///   - hashKey: of its tables; another at every start.
    init(_ declaration: OriginDeclaration?, seed: UInt64, hashKey: HashKey) {
        ledger = SlotLedger(
            perSecond: declaration?.perSecond,
            undelayed: declaration?.undelayed ?? Self.undelayed,
            hashKey: hashKey
        )
        queue = PacedQueue(seed: seed)
        perSecond = declaration?.perSecond
    }

    var byteCount: Int { ledger.byteCount + queue.byteCount }

    mutating func change(_ declaration: OriginDeclaration) {
        perSecond = declaration.perSecond
        ledger.change(perSecond: declaration.perSecond, undelayed: declaration.undelayed)
    }

    /// About how long one that joins the queue now has to wait.
    ///
    /// - Parameters:
    ///   - now: schedule time.
    ///   - count: how many more join it.
    /// - Returns: the time in ms.
    func expectedWait(at now: Int64, of count: Int = 0) -> Int64 {
        let ahead = queue.count + count - ledger.permits(at: now)
        guard ahead > 0, let perSecond else { return 0 }
        return Int64(ahead) * 1_000 / Int64(perSecond) + 1
    }

    /// Of the origin that an app's kinds have if they name none.
    static var undelayed: Int { OriginDeclaration(origin: "", perSecond: 1).undelayed }
}

/// The origins of all apps; they keep their numbers.
@safe
struct OriginTable: ~Copyable {
    private var origins: UnsafeMutablePointer<Origin>
    private(set) var count = 0
    private var capacity = 4
    /// A bit for each origin: set if its queue is not empty.
    ///
    /// A turn looks at no others: each app has an origin at least, and most have nothing to do.
    private var waiting: ContiguousArray<UInt64> = []
    /// The pass over matches or timers that is being made, and how many widgets it has at most.
    var pass: UInt64 = 1
    var demand = Int.max

    init() {
        unsafe origins = .allocate(capacity: 4)
    }

    deinit {
        unsafe origins.deinitialize(count: count)
        unsafe origins.deallocate()
    }

    mutating func append(_ origin: consuming Origin) -> UInt32 {
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
        return UInt32(count - 1)
    }

    subscript(origin: UInt32) -> Origin {
        @inline(__always) unsafeAddress {
            precondition(Int(origin) < count)
            return unsafe UnsafePointer(origins + Int(origin))
        }
        @inline(__always) unsafeMutableAddress {
            precondition(Int(origin) < count)
            return unsafe origins + Int(origin)
        }
    }

    mutating func abandonCheckpoint() {
        for origin in 0..<UInt32(count) { self[origin].abandonCheckpoint() }
    }

    // MARK: - Queues

    /// Lets a widget wait for its turn at an origin.
    mutating func append(_ widget: WidgetID, to origin: UInt32, rank: ReloadRank, burst: UInt64) {
        self[origin].queue.append(widget, rank: rank, burst: burst)
        startWaiting(origin)
    }

    /// Notes that the origin's queue is not empty.
    mutating func startWaiting(_ origin: UInt32) {
        waiting[Int(origin) / 64] |= 1 << UInt64(origin % 64)
    }

    /// The first origin from `origin` on whose queue is not empty.
    func nextWaiting(from origin: UInt32) -> UInt32? {
        var index = Int(origin) / 64
        if index >= waiting.count { return nil }
        var word = waiting[index] & (.max << UInt64(origin % 64))
        while word == 0 {
            index += 1
            if index == waiting.count { return nil }
            word = waiting[index]
        }
        return UInt32(index * 64 + word.trailingZeroBitCount)
    }

    /// Notes that the origin's queue is empty.
    mutating func stopWaiting(_ origin: UInt32) {
        waiting[Int(origin) / 64] &= ~(1 << UInt64(origin % 64))
    }
}
