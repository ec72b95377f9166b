internal import Basics

/// Counts the work of a tick, and divides it among the connections and among the groups of
/// connections (`WorkShares`).
///
/// What a frame costs is estimated while it is worked on (`WorkCost`), which decides only how much
/// is begun at once. A driver that measures its work then replaces the estimates of a callback by
/// what it has cost (`measure`): so what the estimates do not foresee is paid all the same. Without
/// a measurement, as in a simulation, the estimates count.
struct WorkMeter {
    /// Work of this tick, in units of `WorkCost`.
    private(set) var spent = 0
    /// Work of the tick before.
    private(set) var spentBefore = 0
    /// What a measurement is to replace: the estimates since the last one.
    var unmeasured: UnmeasuredWork {
        get { UnmeasuredWork(estimates: spent &- measuredSpent, settled: settled) }
        set {
            measuredSpent = spent &- newValue.estimates
            settled = newValue.settled
        }
    }
    /// What `spent` was at the last measurement; below zero if a tick has begun since.
    private var measuredSpent = 0
    /// The part of these estimates that an account and its group have paid.
    private var settled = 0
    /// Whether the tick before has used all the work that a tick may do.
    var wasTickSpent: Bool { spentBefore >= tickLimit }
    /// What a connection may spend in this round.
    var share: Int { connections.share }
    /// Work after which a tick accepts no further frame.
    private let tickLimit: Int
    private var connections: WorkShares
    /// Divides the work among groups of connections; if several are active, each may have its part
    /// of the tick, and at least as much as a connection.
    private var groups: WorkShares
    private var groupAccounts: ContiguousArray<WorkAccount>
    /// When the rest of a producer's last session ends, by the producer's number, in µs of the
    /// monotonic clock; bounded by the limit of producers.
    private var keptRests: ContiguousArray<Int64> = []

    /// Makes a meter before its first tick; see `RouterLimits.workPerTick` and
    /// `RouterLimits.workPerConnection`.
    init(tickLimit: Int, sharedWork: Int) {
        precondition(tickLimit > 0 && sharedWork > 0, "a connection could spend nothing")
        self.tickLimit = tickLimit
        connections = WorkShares(tickLimit: tickLimit, leastShare: sharedWork)
        groups = WorkShares(tickLimit: tickLimit, leastShare: sharedWork, dividesTick: true)
        groupAccounts = ContiguousArray(repeating: WorkAccount(), count: WorkGroup.limit)
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

    /// What an account may spend in this round, unless it rests; none or less if it is overdrawn,
    /// or its group is.
    @inline(__always)
    func credit(of account: WorkAccount, in group: WorkGroup = .none) -> Int {
        let credit = connections.credit(of: account)
        if group.isNone { return credit }
        return min(credit, groups.credit(of: groupAccounts[group.index]))
    }

    /// The estimated work that an account may begin at once: its credit, less if its work has cost
    /// more than was estimated lately.
    func estimate(for account: WorkAccount, in group: WorkGroup = .none) -> Int {
        account.estimate(of: credit(of: account, in: group))
    }

    /// Takes a cost in units of `WorkCost`, which is already part of `spent`, out of an account and
    /// its group. If it `isMeasured`, `measure` replaces it, which also decides whether the account
    /// rests.
    mutating func settle(
        _ account: inout WorkAccount,
        in group: WorkGroup = .none,
        cost: Int,
        isMeasured: Bool = false,
        at time: MonotonicTime
    ) {
        assert(cost >= 0, "work costs something")
        if cost == 0 { return }
        // A connection that has done what its credit is estimated to be for has to wait: its
        // further frames are offered again only if it is overdrawn.
        let expected = isMeasured ? account.expectation(of: cost) : cost
        connections.spend(expected, of: &account)
        if !group.isNone { groups.spend(expected, of: &groupAccounts[group.index]) }
        if isMeasured {
            settled += expected
        } else {
            connections.rest(&account, after: cost, at: time)
        }
    }

    /// Replaces the estimates since the last measurement by what was measured, in ns, which are the
    /// units of `WorkCost`; the account pays, and its group.
    mutating func measure(
        _ cost: Int,
        of account: inout WorkAccount,
        in group: WorkGroup,
        at time: MonotonicTime
    ) {
        account.compare(estimate: unmeasured.estimates, with: cost, share: share)
        connections.spend(cost - settled, of: &account)
        connections.rest(&account, after: cost, at: time)
        measure(cost, in: group)
    }

    /// Replaces the estimates since the last measurement by what was measured, of work that a group
    /// pays alone.
    mutating func measure(_ cost: Int, in group: WorkGroup) {
        assert(cost >= 0, "work costs something")
        if !group.isNone { groups.spend(cost - settled, of: &groupAccounts[group.index]) }
        spent = max(0, measuredSpent + cost)
        estimatesCount()
    }

    /// Lets the estimates since the last measurement count: no peer has caused that work.
    mutating func estimatesCount() {
        measuredSpent = spent
        settled = 0
    }

    /// Counts a connection that has frames and must wait among the active ones of this round.
    ///
    /// Otherwise the connection that it waits for would seem to be alone, and get the whole work of
    /// the next round.
    mutating func wait(_ account: inout WorkAccount, in group: WorkGroup = .none) {
        connections.wait(&account)
        if !group.isNone { groups.wait(&groupAccounts[group.index]) }
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

    /// Begins the next tick, and decides what a connection and a group may spend in it.
    mutating func beginRound(at time: MonotonicTime) {
        connections.beginRound(at: time)
        groups.beginRound(at: time)
        spentBefore = spent
        spent = 0
        measuredSpent = 0
    }
}

/// Estimates that a measurement of the driver's present callback is to replace.
package struct UnmeasuredWork: BitwiseCopyable, Sendable {
    /// All of them, in units of `WorkCost`.
    let estimates: Int
    /// The part that an account and its group have paid.
    let settled: Int
}
