internal import Credentials
internal import DataStructures
package import LibuvLoop
internal import Platform
internal import ReloadModel
internal import RouterCore
package import Times

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
    case client(PublishConnection)
}

/// Who pays for the loop's work: every callback is measured, and paid for by the connection that
/// has caused it, and by all together that have its credential or, before it has shown one, come
/// from its network. So whatever a peer finds to be costly, its next frames wait longer for it.
extension Server {
    /// Lets the payer of a callback that has ended pay what it has cost, in place of what was
    /// estimated.
    package func hook(_ hook: LoopHook, measured time: Nanoseconds) {
        let time = max(.zero, time - thisTick.unpaid)
        let payer = thisTick.payer
        thisTick.payer = .none
        thisTick.unpaid = .zero
        switch payer {
        case .none: return router.countEstimates()
        case .connection(let slot): router.measured(time, of: slot)
        case .groupOf(let slot): router.measured(time, ofGroupOf: slot)
        case .group(let group): router.measured(time, of: group)
        case .client(let connection):
            router.measured(time, of: &connection.work, in: connection.group)
        }
        limitWork()
    }

    /// Lets a connection pay for the present callback, unless its payer is known.
    func pay(_ slot: ConnectionSlot) {
        if case .none = thisTick.payer, !slot.isNone { thisTick.payer = .connection(slot) }
    }

    /// Performs a tick, for which neither the payer of the present callback pays nor a connection
    /// that the tick accepts.
    func unpaid(_ body: () -> Void) {
        let payer = thisTick.payer
        defer { thisTick.payer = payer }
        guard case .none = payer else {
            let unmeasured = router.unmeasuredWork
            let begin = ExactTime.now
            body()
            thisTick.unpaid += ExactTime.now - begin
            router.unmeasuredWork = unmeasured
            return
        }
        body()
    }
}

extension WorkGroup {
    /// The group of the connections from a network that have not shown a credential.
    init(of network: PeerNetwork) { self.init(hash: network.hashValue) }

    /// The group of all connections that a credential has let in.
    ///
    /// - Parameter entry: where it is listed; of an open role, there is no credential.
    init?(of entry: CredentialTable.Entry) {
        guard let id = entry.credential?.id else { return nil }
        var hasher = Hasher()
        hasher.combine(entry.app)
        hasher.combine(entry.role)
        hasher.combine(id)
        self.init(hash: hasher.finalize())
    }
}
