import Basics
import StoreFormat
import TestSupport

@testable import ReloadScheduling

// The models that the scheduling is compared with compute in plain numbers of ms, and in plain
// numbers of widgets. Here these meet the types of time and of widgets.

/// A `PacedQueue` whose widgets are numbers.
struct PlainQueue: ~Copyable {
    private var base: PacedQueue

    init(seed: UInt64) { base = PacedQueue(seed: seed) }

    init(reading reader: inout StoreReader, idsBelow idLimit: UInt32) throws(StoreError) {
        base = try PacedQueue(reading: &reader, idsBelow: idLimit)
    }

    var count: Int { base.count }
    var isEmpty: Bool { base.isEmpty }
    var byteCount: Int { base.byteCount }

    mutating func append(_ id: UInt32, rank: ReloadRank, fanOut: UInt64) {
        base.append(WidgetID(rawValue: id), rank: rank, fanOut: fanOut)
    }

    mutating func popFirst() -> UInt32? { base.popFirst()?.rawValue }

    mutating func compact(idEnd: UInt32, isLive: (UInt32) -> Bool) {
        base.compact(idEnd: idEnd) { isLive($0.rawValue) }
    }

    func write(to writer: inout StoreWriter) { base.write(to: &writer) }
    mutating func beginCheckpoint() { base.beginCheckpoint() }
    mutating func abandonCheckpoint() { base.abandonCheckpoint() }

    mutating func writeUnwritten(to writer: inout StoreWriter) -> Bool {
        base.writeUnwritten(to: &writer)
    }
}

/// A `SlotLedger` whose times and widgets are numbers.
struct PlainLedger: ~Copyable {
    struct Slot: Equatable {
        var at: Int64
        var position: SlotPosition

        init(_ slot: ReloadScheduling.Slot) {
            at = slot.at.rawValue
            position = slot.position
        }
    }

    struct MovedSlot: Equatable {
        var id: UInt32
        var slot: Slot
        var formerAt: Int64

        init(_ moved: ReloadScheduling.MovedSlot) {
            id = moved.widget.rawValue
            slot = Slot(moved.slot)
            formerAt = moved.formerAt.rawValue
        }
    }

    static var windowLimit: Int64 { SlotLedger.windowLimit.wholeSeconds }
    static var debtLimit: Int64 { SlotLedger.debtLimit.wholeSeconds }
    static var latest: Int64 { SlotLedger.latest.rawValue }
    static var groupLimit: Int { SlotLedger.groupLimit }
    static var useGroupLimit: Int { SlotLedger.useGroupLimit }

    private var base: SlotLedger

    init(
        perSecond: Int?,
        undelayed: Int,
        for partition: Partition = .only,
        hashKey: HashKey = HashKey(low: 1, high: 0)
    ) {
        base = SlotLedger(
            perSecond: perSecond,
            undelayed: undelayed,
            for: partition,
            hashKey: hashKey
        )
    }

    init(
        reading reader: inout StoreReader,
        for partition: Partition = .only,
        hashKey: HashKey
    ) throws(StoreError) {
        base = try SlotLedger(reading: &reader, for: partition, hashKey: hashKey)
    }

    mutating func change(perSecond: Int?, undelayed: Int) {
        base.change(perSecond: perSecond, undelayed: undelayed)
    }

    mutating func assign(
        _ id: UInt32,
        earliest: Int64,
        window: Int64,
        isFixed: Bool,
        now: Int64
    ) -> Slot {
        Slot(
            base.assign(
                WidgetID(rawValue: id),
                earliest: ScheduleTime(rawValue: earliest),
                window: Milliseconds(rawValue: window),
                isFixed: isFixed,
                now: ScheduleTime(rawValue: now)
            )
        )
    }

    mutating func assignUniform(
        _ id: UInt32,
        earliest: Int64,
        window: Int64,
        hash: UInt64
    ) -> Slot {
        Slot(
            base.assignUniform(
                earliest: ScheduleTime(rawValue: earliest),
                window: Milliseconds(rawValue: window),
                hash: hash
            )
        )
    }

    mutating func release(_ position: SlotPosition, now: Int64) -> MovedSlot? {
        base.release(position, now: ScheduleTime(rawValue: now)).map { MovedSlot($0) }
    }

    mutating func finish(_ position: SlotPosition, now: Int64) {
        base.finish(position, now: ScheduleTime(rawValue: now))
    }

    func permits(at now: Int64) -> Int { base.permits(at: ScheduleTime(rawValue: now)) }

    func isOverdrawn(at now: Int64) -> Bool { base.isOverdrawn(at: ScheduleTime(rawValue: now)) }

    mutating func spend(_ count: Int, at now: Int64) {
        base.spend(count, at: ScheduleTime(rawValue: now))
    }

    mutating func lend(_ count: Int, at now: Int64) {
        base.lend(count, at: ScheduleTime(rawValue: now))
    }

    mutating func borrow(_ count: Int, at now: Int64) {
        base.borrow(count, at: ScheduleTime(rawValue: now))
    }

    func nextPermit(after now: Int64) -> Int64 {
        base.nextPermit(after: ScheduleTime(rawValue: now)).rawValue
    }

    mutating func pass(_ now: Int64) { base.pass(ScheduleTime(rawValue: now)) }

    func use(from now: Int64, seconds: Int, groupsLeft: inout Int) -> LedgerUse {
        base.use(from: ScheduleTime(rawValue: now), seconds: seconds, groupsLeft: &groupsLeft)
    }

    /// Dated reloads planned for the second that begins at a time, or that were until `pass`.
    func planned(at time: Int64) -> Int {
        Int(base.seconds.planned(SecondCounts.second(of: ScheduleTime(rawValue: time))))
    }

    /// That of all partitions.
    var rate: UInt32 { base.seconds.rates.whole }
    var time: Int64 { base.time.rawValue }
    var counters: SlotCounters { base.counters }
    var groupCount: Int { base.groupCount }
    var byteCount: Int { base.byteCount }
    var isUsed: Bool { base.isUsed }
    var unnamedCount: Int { base.unnamedCount }
    var seated: [SlotLedger.Seat] { base.seated }
    var unseatedPositions: [SlotPosition] { base.unseatedPositions }
    var kinds: Set<SlotLedgerKind> { base.kinds }

    func holds(_ position: SlotPosition, by id: UInt32) -> Bool { base.holds(position, by: id) }

    mutating func nameMember(_ id: UInt32, isFixed: Bool, at position: SlotPosition) -> Bool {
        base.nameMember(WidgetID(rawValue: id), isFixed: isFixed, at: position)
    }

    func checkInvariants() throws(InvariantViolation) { try base.checkInvariants() }

    func write(to writer: inout StoreWriter) { base.write(to: &writer) }
    mutating func beginCheckpoint(_ writer: inout StoreWriter) { base.beginCheckpoint(&writer) }
    mutating func abandonCheckpoint() { base.abandonCheckpoint() }

    mutating func writeUnwritten(to writer: inout StoreWriter) -> Bool {
        base.writeUnwritten(to: &writer)
    }
}

/// A `ReloadBudget` whose times are numbers.
struct PlainBudget {
    static var bucketLength: Int64 { ReloadBudget.bucketLength.rawValue }
    static var dayLength: Int64 { ReloadBudget.dayLength.rawValue }

    private var base: ReloadBudget

    init(now: Int64, phase: Int64) {
        base = ReloadBudget(
            now: MonotonicTime(rawValue: now),
            phase: Milliseconds(rawValue: phase)
        )
    }

    init(reading reader: inout StoreReader) throws(StoreError) {
        base = try ReloadBudget(reading: &reader)
    }

    func write(to writer: inout StoreWriter) { base.write(to: &writer) }

    mutating func charge(at now: Int64, phase: Int64) {
        base.charge(at: MonotonicTime(rawValue: now), phase: Milliseconds(rawValue: phase))
    }

    mutating func recordView(at now: Int64, phase: Int64) {
        base.recordView(at: MonotonicTime(rawValue: now), phase: Milliseconds(rawValue: phase))
    }

    func used(at now: Int64, phase: Int64) -> Int {
        base.used(at: MonotonicTime(rawValue: now), phase: Milliseconds(rawValue: phase))
    }

    func allowance(_ policy: BudgetPolicy, at now: Int64, phase: Int64) -> Int {
        base.allowance(
            policy,
            at: MonotonicTime(rawValue: now),
            phase: Milliseconds(rawValue: phase)
        )
    }

    func earliest(
        _ policy: BudgetPolicy,
        mayUseReserve: Bool,
        at now: Int64,
        phase: Int64
    ) -> Int64 {
        base.earliest(
            policy,
            mayUseReserve: mayUseReserve,
            at: MonotonicTime(rawValue: now),
            phase: Milliseconds(rawValue: phase)
        ).rawValue
    }

    func isPossible(at now: Int64, phase: Int64) -> Bool {
        base.isPossible(at: MonotonicTime(rawValue: now), phase: Milliseconds(rawValue: phase))
    }
}

/// An `Instant` whose times are numbers.
struct PlainInstant: Equatable {
    var monotonic: Int64
    var wall: Int64

    init(monotonic: Int64, wall: Int64) {
        self.monotonic = monotonic
        self.wall = wall
    }

    init(_ instant: Instant) {
        monotonic = instant.monotonic.rawValue
        wall = instant.wall.rawValue
    }

    var instant: Instant {
        Instant(monotonic: MonotonicTime(rawValue: monotonic), wall: WallTime(rawValue: wall))
    }
}

/// A `ScheduleClock` whose times are numbers.
struct PlainClock {
    static var end: Int64 { ScheduleClock.end.rawValue }
    static var tolerance: Int64 { ScheduleClock.tolerance.rawValue }

    private var base: ScheduleClock

    init(_ now: PlainInstant) { base = ScheduleClock(now.instant) }

    init(reading reader: inout StoreReader) throws(StoreError) {
        base = try ScheduleClock(reading: &reader)
    }

    func write(to writer: inout StoreWriter) { base.write(to: &writer) }

    var now: Int64 { base.now.rawValue }

    /// The distance of the jump, if the wall clock was set.
    mutating func advance(to now: PlainInstant) -> Int64? {
        base.advance(to: now.instant)?.distance.rawValue
    }

    func schedule(wall date: Int64) -> Int64 {
        base.schedule(wall: WallTime(rawValue: date)).rawValue
    }

    func schedule(monotonic moment: Int64) -> Int64 {
        base.schedule(monotonic: MonotonicTime(rawValue: moment)).rawValue
    }

    func monotonic(_ schedule: Int64) -> Int64 {
        base.monotonic(ScheduleTime(rawValue: schedule)).rawValue
    }
}

/// `PairedClocks` that show numbers.
struct PlainPairedClocks {
    private var base = PairedClocks()

    mutating func instant(
        wall: Int64,
        between before: Int64,
        and after: Int64
    ) -> PlainInstant {
        PlainInstant(
            base.instant(
                wall: ExactDate(rawValue: wall),
                between: ExactTime(rawValue: before),
                and: ExactTime(rawValue: after)
            )
        )
    }
}
