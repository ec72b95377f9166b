package import Basics

/// The work of the loop: who pays for it, and who has to wait; see `WorkMeter`.
extension Router {
    /// Counts work that the driver does for a connection that has sent no frames yet.
    package mutating func charge(_ cost: Int) { outbox.work.charge(cost) }

    /// What a connection may spend of this tick's work, in units of `WorkCost`.
    package var workShare: Int { outbox.work.share }

    /// The number of connections that can have a whole share of this tick's work; nil if the tick
    /// before did not use up its work, so that there is enough for all.
    package var sharesOfTick: Int? {
        outbox.work.wasTickSpent ? max(1, limits.workPerTick / outbox.work.share) : nil
    }

    // MARK: - Measured work

    /// What it costs to write the answers to what a callback has brought, in units of `WorkCost`:
    /// that is done later, in the tick.
    static var answersWork: Int { WorkCost.read / 2 }

    /// Replaces the estimated cost of the driver's present callback by what was measured, of work
    /// that a group pays alone.
    package mutating func measured(_ time: Nanoseconds, of group: WorkGroup) {
        outbox.work.measure(Int(time.rawValue), in: group)
    }

    /// Replaces the estimated cost of the driver's present callback by what was measured, of work
    /// that an account of the driver's pays.
    package mutating func measured(
        _ time: Nanoseconds,
        of account: inout WorkAccount,
        in group: WorkGroup
    ) {
        outbox.work.measure(
            Int(time.rawValue),
            of: &account,
            in: group,
            at: state.reloads.clock.now.monotonic
        )
    }

    /// Charges the devices of an app that report for what a report has cost (`report` with
    /// `isMeasured`).
    package mutating func measured(_ time: Nanoseconds, ofReports app: String) {
        guard let app = try? declaredApp(app) else { return }
        outbox.work.settle(
            &reports.work[app, default: WorkAccount()],
            cost: Int(time.rawValue),
            at: state.reloads.clock.now.monotonic
        )
    }

    /// The estimates of the driver's present callback that `measured` would replace.
    package var unmeasuredWork: UnmeasuredWork {
        get { outbox.work.unmeasured }
        set { outbox.work.unmeasured = newValue }
    }

    /// Lets the estimates of the driver's present callback count, because no peer has caused it.
    package mutating func countEstimates() { outbox.work.estimatesCount() }

    /// Whether an account of the driver's has used up its share of the work, or its group has.
    package func isOverdrawn(_ account: WorkAccount, in group: WorkGroup) -> Bool {
        outbox.work.credit(of: account, in: group) <= 0
    }

    /// Whether a group has used up its share of the work.
    package func isOverdrawn(_ group: WorkGroup) -> Bool { isOverdrawn(WorkAccount(), in: group) }

    /// When an account of the driver's has rested; nil if it does not rest.
    package func restEnd(_ account: WorkAccount) -> MonotonicTime? {
        account.restUntil > state.reloads.clock.now.monotonic ? account.restUntil : nil
    }

    /// Counts an account of the driver's that has to wait among those that share the next round.
    package mutating func waits(_ account: inout WorkAccount, in group: WorkGroup) {
        outbox.work.wait(&account, in: group)
    }
}
