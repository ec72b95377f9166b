package import DurableStore
internal import ReloadModel
package import RouterCore
package import StoreFormat

/// A router made of a store, as a start would make it, and forgotten: records can be whole and yet
/// contradict each other.
package struct RecoveryTrial {
    /// What the router has.
    package let counts: StoredCounts

    /// - Parameter view: a router may use the store meanwhile.
    /// - Throws: why `serve` would refuse the store.
    package init(_ view: StoreView) throws(StoreError) {
        var router = Router(
            catalog: AppCatalog(apps: []),
            limits: RouterLimits(),
            seed: view.facts.decisionSeed,
            secrets: RouterSecrets(namesFrom: 0)
        )
        let worker = WorkerThread()
        defer { worker.close() }
        _ = try router.recover(from: view, worker: worker)
        counts = router.storedCounts
    }
}
