internal import Basics
package import DurableStore
package import RouterCore
package import StoreFormat

/// A trial start: restores a router from a store, checks that all its tables agree with each other,
/// and discards it. It detects records that are whole but contradict each other.
package struct RecoveryTrial {
    /// How many apps, devices, widgets and producers the restored router has.
    package let counts: StoredCounts

    /// Restores the router with read access to a store, which a running router may use meanwhile.
    ///
    /// - Throws: the error with which `serve` would refuse the store; `corrupt` too if the router's
    ///   tables contradict each other in a way that a start does not look for.
    package init(_ view: StoreView) throws(StoreError) {
        var router = Router.empty(for: view)
        let worker = WorkerThread()
        defer { worker.close() }
        _ = try router.recover(from: view, worker: worker, checksAll: true)
        counts = router.storedCounts
    }
}

extension Router {
    /// A router without state that reads a store on trial.
    static func empty(for view: StoreView) -> Router {
        Router(
            catalog: AppCatalog(apps: []),
            limits: RouterLimits(),
            seed: view.description.decisionSeed,
            secrets: RouterSecrets(namesFrom: 0)
        )
    }
}
