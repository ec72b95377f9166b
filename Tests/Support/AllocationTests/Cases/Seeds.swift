import Basics
import ChangeDetection
import RouterCore
import WidgetMatching

extension Router {
    /// A router with secrets that a seed determines.
    init(catalog: AppCatalog, limits: RouterLimits, seed: UInt64) {
        self.init(
            catalog: catalog,
            limits: limits,
            seed: DecisionSeed(seed),
            secrets: RouterSecrets(hashKey: HashKey(low: seed, high: 1), namesFrom: seed)
        )
    }
}

extension WidgetMatcher {
    /// A matcher with a key that a seed determines.
    init(seed: UInt64) {
        self.init(hashKey: HashKey(low: seed, high: 1))
    }
}
