internal import DataStructures
package import DurableStore
internal import ReloadModel
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
    /// The number of accepted pushes whose producers are not known any more.
    package let namelessPushes: UInt64
    /// What was read and is not kept, by kind.
    package let lost: SalvageLosses

    /// Reads what there is.
    ///
    /// - Throws: `io` if the store cannot be read.
    package init(_ view: StoreView) throws(StoreError) {
        var losses: [StoreError] = []
        var salvage = StateSalvage()
        try view.visitTable { key, body in
            do throws(StoreError) {
                try salvage.add(key, body: body)
            } catch {
                losses.append(
                    StoreError(error.code, message: "table record \(key): \(error.message)")
                )
            }
        } damage: {
            losses.append($0)
        }
        try view.visitRecords(after: 0) { record in
            do throws(StoreError) {
                try salvage.add(record)
            } catch {
                losses.append(
                    StoreError(
                        error.code,
                        message: "journal record \(record.position): \(error.message)"
                    )
                )
            }
        }
        var router = Router(
            catalog: AppCatalog(apps: []),
            limits: RouterLimits(),
            seed: view.description.decisionSeed,
            secrets: RouterSecrets(namesFrom: 0)
        )
        router.beginFollowing()
        var accepted: [[UInt8]] = []
        for body in try salvage.bodies() {
            do throws(StoreError) {
                try body.withByteView { body throws(StoreError) in try router.follow(body) }
                accepted.append(body)
            } catch {
                losses.append(error)
            }
        }
        bodies = accepted
        counts = router.storedCounts
        self.losses = losses
        namelessPushes = salvage.namelessPushes
        lost = salvage.lost
    }
}
