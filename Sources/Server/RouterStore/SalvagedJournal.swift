internal import Basics
package import DurableStore
package import RouterCore
package import StoreFormat

/// The journal of a new store, made from what can be read of a store of which no state is whole;
/// see `StateSalvage`.
package struct SalvagedJournal {
    /// The bodies of its records.
    package let bodies: [[UInt8]]
    /// How many apps, devices, widgets and producers a router has that follows it.
    package let counts: StoredCounts
    /// Why single records are left out, one sentence each.
    package let losses: [StoreError]
    /// The number of accepted pushes of which it is not known whose they are.
    package let namelessPushes: UInt64
    /// What was read and is not kept, by kind.
    package let lost: SalvageLosses

    /// Reads what there is.
    ///
    /// - Throws: `io` if the store cannot be read.
    package init(_ view: StoreView) throws(StoreError) {
        var losses: [StoreError] = []
        var salvage = StateSalvage()
        try view.visitTable {
            salvage.add($0, body: $1)
        } damage: {
            losses.append($0)
        }
        salvage.beginJournal(at: view.segments.first)
        try view.visitRecords(after: 0) { salvage.add($0) }
        salvage.endJournal(at: view.lastKnownPosition)
        var accepted: [[UInt8]] = []
        var router = try Self.router(of: view, after: accepted)
        let found = try salvage.bodies()
        losses += salvage.problems
        for body in found {
            do throws(StoreError) {
                try body.withByteView { body throws(StoreError) in try router.follow(body) }
                accepted.append(body)
            } catch {
                losses.append(error)
                // Without the first body, the others have no meaning.
                if accepted.isEmpty { break }
                // What was applied of it must have no effect on the bodies that follow.
                if !StateSalvage.isOneInput(body) {
                    router = try Self.router(of: view, after: accepted)
                }
            }
        }
        bodies = accepted
        counts = router.storedCounts
        self.losses = losses
        namelessPushes = salvage.namelessPushes
        lost = salvage.lost
    }

    /// Makes a router that has followed a journal.
    private static func router(
        of view: StoreView,
        after bodies: [[UInt8]]
    ) throws(StoreError) -> Router {
        var router = Router.empty(for: view)
        router.beginFollowing()
        for body in bodies {
            try body.withByteView { body throws(StoreError) in try router.follow(body) }
        }
        return router
    }
}
