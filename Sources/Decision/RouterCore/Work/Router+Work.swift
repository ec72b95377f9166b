package import Basics

/// The work of the loop: who pays for it, and who has to wait; see `WorkMeter`.
extension Router {
    /// Charges a connection, if it is still open, for work that continues after its frames were
    /// taken: for what that is expected to cost, by what its frames have cost lately.
    mutating func charge(_ cost: Int, to connection: ConnectionSlot) {
        outbox.work.charge(cost)
        if connection.isNone { return }
        outbox.work.settle(
            &sessions.connections[connection].work,
            in: sessions.connections[connection].group,
            cost: sessions.connections[connection].work.expectation(of: cost),
            at: state.reloads.clock.now.monotonic
        )
    }

    /// Counts work that the driver does for a connection that has sent no frames yet.
    package mutating func charge(_ cost: Int) { outbox.work.charge(cost) }

    /// What a connection may spend of this tick's work, in units of `WorkCost`.
    package var workShare: Int { outbox.work.share }

    /// The number of connections that can have a whole share of this tick's work; nil if the tick
    /// before did not use up its work, so that there is enough for all.
    package var sharesOfTick: Int? {
        outbox.work.wasTickSpent ? max(1, limits.workPerTick / outbox.work.share) : nil
    }

    /// Whether a connection has used up its share of the work or rests, so that its frames wait for
    /// further rounds.
    package func isOverdrawn(_ connection: ConnectionSlot) -> Bool {
        isResting(connection)
            || outbox.work.credit(
                of: sessions.connections[connection].work,
                in: sessions.connections[connection].group
            ) <= 0
    }

    /// When a connection's frames are accepted again after costly ones; nil if they are accepted
    /// now.
    package func restEnd(_ connection: ConnectionSlot) -> MonotonicTime? {
        isResting(connection) ? sessions.connections[connection].work.restUntil : nil
    }

    @inline(__always)
    func isResting(_ connection: ConnectionSlot) -> Bool {
        sessions.connections[connection].work.restUntil > state.reloads.clock.now.monotonic
    }

    /// Counts a connection whose frames have to wait among those that share the next round's work.
    package mutating func waits(_ connection: ConnectionSlot) {
        outbox.work.wait(
            &sessions.connections[connection].work,
            in: sessions.connections[connection].group
        )
    }

    // MARK: - Measured work

    /// Lets a connection share the work with others of its group from now on.
    package mutating func join(_ group: WorkGroup, on connection: ConnectionSlot) {
        sessions.connections[connection].group = group
    }

    /// What it costs to write the answers to what a callback has brought, in units of `WorkCost`:
    /// that is done later, in the tick.
    private static var answersWork: Int { WorkCost.read / 2 }

    /// Replaces the estimated cost of the driver's present callback by what it has cost so far. The
    /// connection that pays may have been closed in this callback.
    package mutating func measured(_ time: Nanoseconds, of connection: ConnectionSlot) {
        let answers = outbox.work.unmeasured.estimates > 0 ? Self.answersWork : 0
        outbox.work.measure(
            Int(time.rawValue) + answers,
            of: &sessions.connections[connection].work,
            in: sessions.connections[connection].group,
            at: state.reloads.clock.now.monotonic
        )
    }

    /// Replaces the estimated cost of the driver's present callback by what was measured, of work
    /// that a group pays alone.
    package mutating func measured(_ time: Nanoseconds, of group: WorkGroup) {
        outbox.work.measure(Int(time.rawValue), in: group)
    }

    /// Replaces the estimated cost of the driver's present callback by what was measured, of work
    /// that the group of a connection pays alone.
    package mutating func measured(_ time: Nanoseconds, ofGroupOf connection: ConnectionSlot) {
        measured(time, of: sessions.connections[connection].group)
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
            &sessions.reportWork[app, default: WorkAccount()],
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
