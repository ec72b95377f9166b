import Basics
import WidgetMatching

extension HashKey {
    /// A key that a seed determines.
    init(seed: UInt64) {
        self.init(low: seed, high: 1)
    }
}

extension WidgetMatcher {
    init(seed: UInt64) {
        self.init(hashKey: HashKey(seed: seed))
    }
}
