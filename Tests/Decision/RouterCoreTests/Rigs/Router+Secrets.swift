import Basics
import RouterCore

extension Router {
    /// A router whose tables have a key that is drawn here.
    ///
    /// So whatever two routers are compared for in a test, they are compared under different keys.
    /// Sessions have the same names for one seed.
    init(
        catalog: AppCatalog,
        limits: RouterLimits,
        seed: UInt64,
        partition: Partition = .only
    ) {
        var random = SystemRandomNumberGenerator()
        self.init(
            catalog: catalog,
            limits: limits,
            seed: DecisionSeed(seed),
            partition: partition,
            secrets: RouterSecrets(hashKey: HashKey(using: &random), namesFrom: seed)
        )
    }
}
