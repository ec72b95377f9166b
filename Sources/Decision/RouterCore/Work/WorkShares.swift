internal import Basics

/// Divides the work of ticks among accounts.
///
/// Deficit round robin (Shreedhar and Varghese, SIGCOMM 1995): each tick is a round, in which an
/// account may spend its share. What a frame costs is known only afterwards, so a connection may
/// overdraw its share by one frame. It pays that back with the shares of the rounds that follow,
/// and its next frames wait until it has:
///
///     round      1               2       3       4
///     share    +100            +100    +100    +100
///     credit    100 ─► −240    −140     −40      60
///               frame of 340   none is accepted  next frame
///
/// Credit does not accumulate: an account has one share at most, however long it has been silent.
/// Rounds follow each other at once while a connection waits, so one that is alone is hardly
/// slowed.
///
/// A debt is also paid in time. All other connections wait while one frame is worked on. If the
/// next such frame were accepted as soon as they have had their rounds, they would spend most of
/// their time waiting. So a connection whose debt is more than half a share rests: none of its
/// frames is accepted for eight times as long as the work on its debt took.
struct WorkShares {
    /// What an account may spend in this round.
    private(set) var share: Int
    /// What all together may spend in a round.
    private let tickLimit: Int
    /// What an account may spend at least while several are, or lately were, active.
    private let leastShare: Int
    /// Whether several active accounts may spend all of the tick together, even if each then may
    /// spend more than `leastShare`.
    private let dividesTick: Bool
    /// For how long after a round with several accounts the work is shared.
    ///
    /// Rounds follow each other so fast that one connection that sends without pause would be alone
    /// in most of them.
    private static var activeTime: Milliseconds { .milliseconds(10) }
    /// Units of debt for which an account rests one microsecond: so it rests eight times as long as
    /// the work took.
    private static var debtPerRest: Int { 125 }
    /// Numbers the rounds, and wraps around.
    private var round: UInt32 = 1
    /// Accounts that have spent anything in this round, or have had to wait in it.
    private var activeCount = 0
    /// When the last round with several accounts was, and how many they were.
    private var sharedAt = MonotonicTime.longAgo
    private var sharedCount = 2

    init(tickLimit: Int, leastShare: Int, dividesTick: Bool = false) {
        self.tickLimit = tickLimit
        self.leastShare = leastShare
        self.dividesTick = dividesTick
        share = tickLimit
    }

    /// What an account may spend in this round, unless it rests; none or less if it is overdrawn.
    @inline(__always)
    func credit(of account: WorkAccount) -> Int {
        // Rounds beyond those that repay the largest debt make no difference.
        let rounds = min(Int(round &- account.round), Int(Int32.max) / share + 2)
        return min(share, Int(account.credit) + rounds * share)
    }

    /// Takes a cost out of an account; a negative one is added to it.
    mutating func spend(_ cost: Int, of account: inout WorkAccount) {
        enter(&account, credit: credit(of: account) - cost)
    }

    /// Lets an account rest that is overdrawn by much after work of this cost.
    mutating func rest(_ account: inout WorkAccount, after cost: Int, at time: MonotonicTime) {
        let debt = -Int(account.credit)
        // A smaller debt is ordinary: the last frame of a share overdraws it a little.
        if debt <= share / 2 { return }
        // Only for the new part: a rest for the earlier debt is counted already.
        let rest = Int64(min(cost, debt) / Self.debtPerRest)
        account.restedAt = max(account.restedAt, time.rawValue &* 1_000) + rest
    }

    /// Counts an account whose work has to wait among the active ones of this round.
    mutating func wait(_ account: inout WorkAccount) {
        enter(&account, credit: credit(of: account))
    }

    /// Counts an account as active in this round, and sets its credit.
    private mutating func enter(_ account: inout WorkAccount, credit: Int) {
        if account.round != round { activeCount += 1 }
        // The others of a group do not pay for one of them for longer than a tick.
        account.credit = Int32(clamping: dividesTick ? max(credit, -tickLimit) : credit)
        account.round = round
    }

    /// Begins the next round, and decides what an account may spend in it: everything, if only one
    /// has been active lately; otherwise so little that the others wait only briefly.
    mutating func beginRound(at time: MonotonicTime) {
        if activeCount > 1 {
            sharedAt = time
            sharedCount = activeCount
        }
        let part = dividesTick ? max(leastShare, tickLimit / sharedCount) : leastShare
        share = time - sharedAt < Self.activeTime ? part : tickLimit
        activeCount = 0
        round &+= 1
    }
}

/// What a connection or a group has left of its share of the work; see `WorkShares`.
package struct WorkAccount: BitwiseCopyable, Sendable {
    /// What was left in `round`, in units of `WorkCost`; below zero if the account is overdrawn.
    fileprivate(set) var credit = Int32.max
    /// The round in which the account was last used.
    fileprivate(set) var round: UInt32 = 0
    /// When the rests for all debts so far end, in µs of the monotonic clock.
    var restedAt: Int64 = 0
    /// How many times as much as estimated its work has cost lately, at least once.
    private var ratio: Float = 1

    /// An account of which nothing was spent.
    package init() {}

    /// The time until which nothing may be spent; rests of less than a millisecond are put off
    /// until they add up to more.
    var restUntil: MonotonicTime { MonotonicTime(rawValue: (restedAt - 1) / 1_000) }

    /// The estimated work that a credit is for: what that is expected to cost uses it up.
    func estimate(of credit: Int) -> Int {
        ratio == 1 ? credit : Int((Double(credit) / Double(ratio)).rounded(.up))
    }

    /// What estimated work is expected to cost.
    func expectation(of estimate: Int) -> Int {
        ratio == 1 ? estimate : Int((Double(estimate) * Double(ratio)).rounded(.up))
    }

    /// Learns what estimated work has cost. Work of a whole share counts as much as all before it.
    mutating func compare(estimate: Int, with cost: Int, share: Int) {
        if estimate <= 0 { return }
        let weight = min(0.5, Float(estimate) / Float(share) / 2)
        ratio += (min(Self.ratioLimit, Float(cost) / Float(estimate)) - ratio) * weight
        ratio = max(1, ratio)
    }

    /// The largest ratio: beyond, so little is begun at once that it makes no difference.
    private static var ratioLimit: Float { 16 }
}

/// A number by which connections are grouped that one credential has let in or, before they have
/// shown one, that come from one network. All of a group together share the work with other groups.
///
/// The driver makes it by hashing with a secret key (stochastic fairness queueing, 1990): so a
/// table of fixed size is enough for however many there are. Two that have the same number share a
/// group, each of them at the other's expense, until the process ends.
package struct WorkGroup: Hashable, BitwiseCopyable, Sendable {
    /// The number; below `limit`, or any other for none.
    let rawValue: UInt16
    /// The number of groups. Beyond: some share one.
    package static var limit: Int { 4_096 }
    /// No group.
    package static var none: WorkGroup { WorkGroup(rawValue: .max) }

    private init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The group of a hash.
    package init(hash: Int) { rawValue = UInt16(hash & (Self.limit - 1)) }

    var isNone: Bool { self == .none }
    var index: Int { Int(rawValue) }
}
