internal import DataStructures
internal import ReloadModel
internal import Times

/// Counts the work of a tick, and divides it among the connections.
///
/// Deficit round robin (Shreedhar and Varghese, SIGCOMM 1995): each tick is a round, in which a
/// connection may spend its share. What a frame costs is known only afterwards, so a connection may
/// overdraw its share by one frame. It pays that back with the shares of the rounds that follow,
/// and its next frames wait until it has:
///
///     round      1               2       3       4
///     share    +100            +100    +100    +100
///     credit    100 ─► −240    −140     −40      60
///               frame of 340   none is accepted  next frame
///
/// Credit does not accumulate: a connection has one share at most, however long it has been silent.
/// Rounds follow each other at once while a connection waits, so one that is alone is hardly
/// slowed.
///
/// A debt is also paid in time. All other connections wait while one frame is worked on. If the
/// next such frame were accepted as soon as they have had their rounds, they would spend most of
/// their time waiting. So a connection whose debt is more than half a share rests: none of its
/// frames is accepted for eight times as long as the work on its debt took.
struct WorkMeter {
    /// Work of this tick, in units of `WorkCost`.
    private(set) var spent = 0
    /// Work of the tick before.
    private(set) var spentBefore = 0
    /// Whether the tick before has used all the work that a tick may do.
    var wasTickSpent: Bool { spentBefore >= tickLimit }
    /// What a connection may spend in this round.
    private(set) var share: Int
    /// Work after which a tick accepts no further frame.
    private let tickLimit: Int
    /// What a connection may spend in a round while several are, or lately were, active.
    private let sharedWork: Int
    /// For how long after a round with several connections the work is shared.
    ///
    /// Rounds follow each other so fast that one connection that sends without pause would be alone
    /// in most of them.
    private static var activeTime: Milliseconds { .milliseconds(10) }
    /// Units of debt for which a connection rests one microsecond: so it rests eight times as long
    /// as the work took.
    private static var debtPerRest: Int { 125 }
    /// Numbers the rounds, and wraps around.
    private var round: UInt32 = 1
    /// Connections that have spent anything in this round, or have had to wait in it.
    private var activeCount = 0
    /// When the last round with several connections was.
    private var sharedAt = MonotonicTime.longAgo
    /// When the rest of a producer's last session ends, by the producer's number, in µs of the
    /// monotonic clock; bounded by the limit of producers.
    private var keptRests: ContiguousArray<Int64> = []

    /// Makes a meter before its first tick.
    ///
    /// - Parameters:
    ///   - tickLimit: see `RouterLimits.workPerTick`.
    ///   - sharedWork: see `RouterLimits.workPerConnection`.
    init(tickLimit: Int, sharedWork: Int) {
        precondition(tickLimit > 0 && sharedWork > 0, "a connection could spend nothing")
        self.tickLimit = tickLimit
        self.sharedWork = sharedWork
        share = tickLimit
    }

    /// Whether the tick accepts no further frame.
    @inline(__always)
    var isTickSpent: Bool { spent >= tickLimit }

    /// Adds a cost, in units of `WorkCost`, to the work of this tick.
    @inline(__always)
    mutating func charge(_ cost: Int) {
        assert(cost >= 0, "work costs something")
        spent &+= cost
    }

    /// What an account may spend in this round, unless it rests; none or less if it is overdrawn.
    @inline(__always)
    func credit(of account: WorkAccount) -> Int {
        // Rounds beyond those that repay the largest debt make no difference.
        let rounds = min(Int(round &- account.round), Int(Int32.max) / share + 2)
        return min(share, Int(account.credit) + rounds * share)
    }

    /// Takes a cost, which is already part of `spent`, out of an account.
    ///
    /// - Parameters:
    ///   - account: the account of the connection.
    ///   - cost: in units of `WorkCost`.
    ///   - time: the present time.
    mutating func settle(_ account: inout WorkAccount, cost: Int, at time: MonotonicTime) {
        assert(cost >= 0, "work costs something")
        if cost == 0 { return }
        enter(&account, credit: credit(of: account) - cost)
        let debt = -Int(account.credit)
        // A smaller debt is ordinary: the last frame of a share overdraws it a little.
        if debt > share / 2 {
            // Only for the new part: a rest for the earlier debt is counted already.
            let rest = Int64(min(cost, debt) / Self.debtPerRest)
            account.restedAt = max(account.restedAt, time.rawValue &* 1_000) + rest
        }
    }

    /// Counts a connection that has frames and must wait among the active ones of this round.
    ///
    /// Otherwise the connection that it waits for would seem to be alone, and get the whole work of
    /// the next round.
    mutating func wait(_ account: inout WorkAccount) {
        enter(&account, credit: credit(of: account))
    }

    /// Keeps the rest of a producer whose session ends, so that its next session continues it:
    /// otherwise connecting again would cancel debts.
    mutating func keepRest(_ producer: ProducerID, account: WorkAccount, at time: MonotonicTime) {
        if account.restUntil <= time { return }
        let missing = producer.index + 1 - keptRests.count
        if missing > 0 { keptRests.append(contentsOf: repeatElement(0, count: missing)) }
        keptRests[producer.index] = max(keptRests[producer.index], account.restedAt)
    }

    /// Continues the rest of a producer whose new session begins.
    mutating func continueRest(_ producer: ProducerID, account: inout WorkAccount) {
        if producer.index >= keptRests.count { return }
        account.restedAt = max(account.restedAt, keptRests[producer.index])
    }

    /// Counts an account's connection as active in this round, and sets the account's credit.
    private mutating func enter(_ account: inout WorkAccount, credit: Int) {
        if account.round != round { activeCount += 1 }
        account.credit = Int32(clamping: credit)
        account.round = round
    }

    /// Begins the next tick, and decides what a connection may spend in it: everything, if only one
    /// has been active lately; otherwise so little that the others wait only briefly.
    ///
    /// - Parameter time: the present time.
    mutating func beginRound(at time: MonotonicTime) {
        if activeCount > 1 { sharedAt = time }
        share = time - sharedAt < Self.activeTime ? sharedWork : tickLimit
        activeCount = 0
        spentBefore = spent
        spent = 0
        round &+= 1
    }
}

/// What a connection has left of its share of the work; see `WorkMeter`.
struct WorkAccount: BitwiseCopyable {
    /// What was left in `round`, in units of `WorkCost`; below zero if the account is overdrawn.
    fileprivate(set) var credit = Int32.max
    /// The round in which the account was last used.
    fileprivate(set) var round: UInt32 = 0
    /// When the rests for all debts so far end, in µs of the monotonic clock.
    fileprivate var restedAt: Int64 = 0

    /// The time until which nothing may be spent; rests of less than a millisecond are put off
    /// until they add up to more.
    var restUntil: MonotonicTime { MonotonicTime(rawValue: (restedAt - 1) / 1_000) }
}
