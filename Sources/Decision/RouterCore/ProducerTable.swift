internal import DataStructures
internal import FrameCodec
internal import ReloadModel

/// Producers by app and name, the last push of each, and which of them nobody has used for longest.
///
///     slots    0 │ 1 │ 2 │ 3 │ 4 │ …          numbers are stable while a producer is known, and used again
///     in use       ●       ●                   a session speaks for it, or a push of it is handed out
///     idle     ●───────●───────●               a chain, the one that has been idle for longest first
///
/// What is idle may be forgotten, and nothing else: whatever has a producer's number, in memory or in the
/// journal, has it of one that is in use, or before the entry that forgets it. So forgetting the next one
/// takes a look at the chain's first and no search.
struct ProducerTable: ~Copyable {
    /// No number.
    static var none: UInt32 { .max }

    struct Producer: BitwiseCopyable {
        var app: AppID
        /// The name, in the table's arena; an identifier.
        fileprivate var nameCount: UInt8
        /// Whether a push of it is being handed out: the next ones wait.
        fileprivate(set) var isFanningOut = false
        fileprivate var name: UInt32
        fileprivate(set) var lastSeq: UInt64 = 0
        /// When it was last used, as the wall clock said, in ms: when its last session began, or, if that
        /// is over, when that ended.
        fileprivate(set) var usedAt: Int64
        /// The running time then; see `RunningTime`.
        fileprivate(set) var idleSince: Int64
        /// Who speaks for it; `SessionRecord.none` for nobody.
        fileprivate(set) var connection = SessionRecord.none
        fileprivate(set) var session: UInt64 = 0
        /// Its neighbours in the chain of those that are idle.
        fileprivate var older = ProducerTable.none
        fileprivate var newer = ProducerTable.none

        /// Whether a session speaks for it.
        var hasSession: Bool { connection != SessionRecord.none }
        /// Whether nothing refers to it.
        var isIdle: Bool { !hasSession && !isFanningOut }
    }

    /// What the idleness of producers is counted in.
    private(set) var running = RunningTime()
    private var slots = Slab<Producer>()
    private var index = HashIndex()
    private var names = ByteArena()
    private var counts: ContiguousArray<Int> = []
    private var oldest = ProducerTable.none
    private var newest = ProducerTable.none
    /// Names are given by others.
    private let hashKey: HashKey

    init(hashKey: HashKey) {
        self.hashKey = hashKey
    }

    /// How many are known.
    var count: Int { slots.count }
    /// One above the highest number that ever was given; it does not fall.
    var end: UInt32 { slots.end }
    /// Bytes held from the system.
    var byteCount: Int { slots.byteCount + index.byteCount + names.byteCount }

    func count(of app: AppID) -> Int {
        Int(app) < counts.count ? counts[Int(app)] : 0
    }

    func isKnown(_ number: UInt32) -> Bool { slots.isInUse(number) }

    /// A producer that is known.
    @inline(__always)
    subscript(number: UInt32) -> Producer { slots[number] }

    /// Valid until the producer is forgotten.
    func name(_ number: UInt32) -> ByteView {
        names.view(slots[number].name, Int(slots[number].nameCount))
    }

    func find(_ app: AppID, _ name: ByteView) -> UInt32? {
        index.find(hash(app, name)) { slots[$0].app == app && self.name($0) == name }
    }

    private func hash(_ app: AppID, _ name: ByteView) -> UInt64 {
        hashKey.hash(UInt64(app), name)
    }

    // MARK: - What comes and goes

    /// Adds a producer that is not known, by an identifier; it is idle.
    ///
    /// - Returns: the lowest number that is free.
    mutating func insert(_ app: AppID, _ name: ByteView, now: Instant) -> UInt32 {
        let number = slots.nextSlot
        insert(app, name, at: number)
        becameIdle(number, now: now)
        return number
    }

    private mutating func insert(_ app: AppID, _ name: ByteView, at number: UInt32) {
        precondition((1...RouterLimits.identifierBytes).contains(name.count), "no identifier")
        let producer = Producer(
            app: app,
            nameCount: UInt8(name.count),
            name: names.store(name),
            usedAt: 0,
            idleSince: 0
        )
        slots.insert(producer, at: number)
        index.insert(hash(app, name), number)
        while counts.count <= Int(app) { counts.append(0) }
        counts[Int(app)] += 1
    }

    /// Forgets a producer that is idle.
    mutating func forget(_ number: UInt32) {
        let producer = slots[number]
        precondition(isKnown(number) && producer.isIdle, "forgets a producer that is in use")
        unlink(number)
        index.remove(hash(producer.app, name(number)), number)
        names.free(producer.name, Int(producer.nameCount))
        counts[Int(producer.app)] -= 1
        slots.remove(number)
    }

    // MARK: - Use

    @inline(__always)
    mutating func accepted(_ seq: UInt64, of number: UInt32) {
        slots[number].lastSeq = seq
    }

    /// A session speaks for a producer from now on; the one that did before does so no longer.
    mutating func sessionBegan(
        _ number: UInt32,
        _ connection: UInt32,
        _ session: UInt64,
        now: Instant
    ) {
        running.advance(to: now)
        if slots[number].isIdle { unlink(number) }
        slots[number].connection = connection
        slots[number].session = session
        slots[number].usedAt = now.wall
    }

    /// A session is over; unless it is the one that speaks for the producer, nothing changes.
    ///
    /// `now` is nil if it has ended with its process, of which nobody knows when that was: then it is
    /// the time of the last count.
    mutating func sessionEnded(
        _ number: UInt32,
        _ connection: UInt32,
        _ session: UInt64,
        now: Instant?
    ) {
        if slots[number].connection != connection || slots[number].session != session { return }
        slots[number].connection = SessionRecord.none
        if slots[number].isIdle { becameIdle(number, now: now) }
    }

    mutating func fanOutBegan(_ number: UInt32) {
        if slots[number].isIdle { unlink(number) }
        slots[number].isFanningOut = true
    }

    /// `now` is nil as for `sessionEnded`.
    mutating func fanOutEnded(_ number: UInt32, now: Instant?) {
        if !slots[number].isFanningOut { return }
        slots[number].isFanningOut = false
        if slots[number].isIdle { becameIdle(number, now: now) }
    }

    private mutating func becameIdle(_ number: UInt32, now: Instant?) {
        if let now { running.advance(to: now) }
        if let counted = running.countedAt { slots[number].usedAt = counted.wall }
        slots[number].idleSince = running.total
        link(number)
    }

    // MARK: - Idleness

    /// Counts the time up to now.
    mutating func timePasses(now: Instant) {
        running.advance(to: now)
    }

    /// The process has ended: until the next one counts, no time passes.
    mutating func stopped() {
        running.stop()
    }

    /// The one that has been idle for longest; nil if all are in use.
    var longestIdle: UInt32? { oldest == Self.none ? nil : oldest }

    /// The one that has been idle for longest after an idle one; nil behind the last.
    func nextIdle(after number: UInt32) -> UInt32? {
        slots[number].newer == Self.none ? nil : slots[number].newer
    }

    /// For how long a producer has been idle, in ms of running time; 0 if it is in use.
    func idleTime(_ number: UInt32, now: Instant) -> Int64 {
        let producer = slots[number]
        return producer.isIdle ? running.time(at: now.monotonic) - producer.idleSince : 0
    }

    private mutating func link(_ number: UInt32) {
        slots[number].older = newest
        slots[number].newer = Self.none
        if newest == Self.none { oldest = number } else { slots[newest].newer = number }
        newest = number
    }

    private mutating func unlink(_ number: UInt32) {
        let (older, newer) = (slots[number].older, slots[number].newer)
        if older == Self.none { oldest = newer } else { slots[older].newer = newer }
        if newer == Self.none { newest = older } else { slots[newer].older = older }
    }

    // MARK: - Restoring

    /// What a checkpoint has of a producer beside its name.
    struct Restored {
        var lastSeq: UInt64
        var usedAt: Int64
        var idleSince: Int64
    }

    /// Adds a producer that a checkpoint has; it is in no chain before `finishRestoring`.
    mutating func restore(
        _ number: UInt32,
        _ app: AppID,
        _ name: ByteView,
        _ restored: Restored
    ) {
        insert(app, name, at: number)
        slots[number].lastSeq = restored.lastSeq
        slots[number].usedAt = restored.usedAt
        slots[number].idleSince = restored.idleSince
    }

    /// Numbers below `end` that no producer has been restored with are free.
    mutating func restore(end: UInt32) {
        let nobody = Producer(app: 0, nameCount: 0, name: 0, usedAt: 0, idleSince: 0)
        slots.extend(to: end, filling: nobody)
    }

    mutating func restore(_ running: RunningTime) { self.running = running }

    mutating func restoreSession(_ number: UInt32, _ connection: UInt32, _ session: UInt64) {
        slots[number].connection = connection
        slots[number].session = session
    }

    /// Puts all that are idle in their chain.
    mutating func finishRestoring() {
        var idle: [(since: Int64, number: UInt32)] = []
        for number in 0..<end where isKnown(number) && slots[number].isIdle {
            idle.append((slots[number].idleSince, number))
        }
        idle.sort { ($0.since, $0.number) < ($1.since, $1.number) }
        for producer in idle { link(producer.number) }
    }
}

/// For how long the router has run, over all processes that had its store; in ms.
///
/// Idleness is counted in it, and not on the wall clock, which may be set, nor on the monotonic one, which
/// goes on by what the wall clock says while no process is there: publishers could not have come then.
/// It advances with entries of the journal, so that whoever reads these has the same time.
struct RunningTime: Equatable {
    private(set) var total: Int64 = 0
    /// When `total` was counted; nil from the end of a process to the next count.
    private(set) var countedAt: Instant?

    init() {}

    init(total: Int64, countedAt: Instant?) {
        self.total = total
        self.countedAt = countedAt
    }

    /// The running time at a moment of the monotonic clock that is not before the last count.
    func time(at monotonic: Int64) -> Int64 {
        guard let countedAt else { return total }
        return total + max(0, monotonic - countedAt.monotonic)
    }

    mutating func advance(to now: Instant) {
        total = time(at: now.monotonic)
        countedAt = now
    }

    mutating func stop() { countedAt = nil }
}
