internal import Basics
internal import Credentials
internal import LibuvLoop
internal import Platform
internal import RouterCore

/// Who pays for the present callback of the loop.
enum CallbackPayer {
    /// No peer has caused it. What it has estimated counts.
    case none
    /// A connection, of whose input it takes care, and its group.
    case connection(ConnectionSlot)
    /// The group of a connection, because each connection needs as much once.
    case groupOf(ConnectionSlot)
    /// A group, of a connection without a slot.
    case group(WorkGroup)
    /// A connection of the listener for publishers over HTTP, and its group.
    case client(PublishClient)
    /// An operator, by the group of all that have the operator's name, and that group.
    case `operator`(WorkGroup)
}

/// Who pays for the loop's work: every callback is measured, and paid for by the connection that
/// has caused it, and by all together that have its credential or, before it has shown one, come
/// from its network. So whatever a peer finds to be costly, its next frames wait longer for it.
extension Core {
    /// Lets the payer of a callback that has ended, or else a group, pay what it has cost, in place
    /// of what was estimated.
    func callbackEnded(after time: Nanoseconds, otherwise group: WorkGroup?) {
        var payer = payer
        if case .none = payer, let group { payer = .group(group) }
        let paid = max(.zero, time - unpaidTime)
        self.payer = .none
        unpaidTime = .zero
        if case .none = payer { return router.countEstimates() }
        charge(paid, to: payer)
        limitWork()
    }

    /// Stops reading input in this tick if the work that the tick may do is used up.
    func limitWork() {
        if router.isBusy { loop.takesInput = false }
    }

    /// Lets a payer pay for work, in place of what was estimated since the last measurement.
    private func charge(_ time: Nanoseconds, to payer: CallbackPayer) {
        switch payer {
        case .none: router.countEstimates()
        case .connection(let slot): router.measured(time, of: slot)
        case .groupOf(let slot): router.measured(time, ofGroupOf: slot)
        case .group(let group): router.measured(time, of: group)
        case .client(let client):
            router.measured(time, of: &client.work, in: client.group)
        case .operator(let group):
            router.measured(time, of: &operators[group, default: WorkAccount()], in: group)
        }
    }

    /// Does a part of the present callback for which another pays than for the rest: a part of what
    /// a tick does for several. If the whole callback has a payer, that pays.
    func part<Value>(paidBy payer: CallbackPayer, body: () -> Value) -> Value {
        guard case .none = self.payer else { return body() }
        if case .none = payer { return body() }
        router.countEstimates()
        self.payer = payer
        let begin = loop.meter.mark
        let value = body()
        self.payer = .none
        charge(loop.meter.time(since: begin), to: payer)
        return value
    }

    /// Whether a payer has to wait before more is done for it; remembers it as one who waits, or
    /// sets `restEnd` to when it has rested, if that is earlier.
    func mustWait(_ payer: CallbackPayer, restEnd: inout MonotonicTime?) -> Bool {
        guard let (account, group) = account(of: payer) else { return false }
        if let end = router.restEnd(account) {
            restEnd = min(restEnd ?? .max, end)
            return true
        }
        if !router.isOverdrawn(account, in: group) { return false }
        switch payer {
        case .client(let client): router.waits(&client.work, in: group)
        default: router.waits(&operators[group, default: WorkAccount()], in: group)
        }
        scheduleTick()
        return true
    }

    /// The account of a payer and its group; nil if it waits in other ways.
    func account(of payer: CallbackPayer) -> (account: WorkAccount, group: WorkGroup)? {
        switch payer {
        case .client(let client): (client.work, client.group)
        case .operator(let own): (operators[own] ?? WorkAccount(), own)
        case .none, .connection, .groupOf, .group: nil
        }
    }

    /// Sets who pays for the present callback, unless that is known.
    func pay(_ payer: CallbackPayer) {
        if case .none = self.payer { self.payer = payer }
    }

    /// Lets a connection pay for the present callback, unless its payer is known.
    func pay(_ slot: ConnectionSlot) {
        if !slot.isNone { pay(.connection(slot)) }
    }

    /// Performs a tick, for which neither the payer of the present callback pays nor a connection
    /// that the tick accepts. Who has caused a part of it pays for that (`part`).
    func unpaid(_ body: () -> Void) {
        let payer = payer
        self.payer = .none
        defer { self.payer = payer }
        if case .none = payer { return body() }
        let unmeasured = router.unmeasuredWork
        let begin = ExactTime.now
        body()
        unpaidTime += ExactTime.now - begin
        router.unmeasuredWork = unmeasured
    }
}

extension WorkGroup {
    /// The group of an app's pushes by APNs.
    init(ofPushesOf app: String) {
        var hasher = Hasher()
        hasher.combine("apns")
        hasher.combine(app)
        self.init(hash: hasher.finalize())
    }

    /// The group of the connections from a network that have not shown a credential.
    init(of network: PeerNetwork) { self.init(hash: network.hashValue) }

    /// The group of all connections that a credential, listed at `entry`, has let in; of an open
    /// role, there is no credential.
    init?(of entry: CredentialTable.Entry) {
        guard let id = entry.credential?.id else { return nil }
        var hasher = Hasher()
        hasher.combine(entry.app)
        hasher.combine(entry.role)
        hasher.combine(id)
        self.init(hash: hasher.finalize())
    }
}
