import Basics

@testable import WidgetMatching

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

extension ValueTable {
    init(seed: UInt64) {
        self.init(ProductHash(HashKey(seed: seed)))
    }
}

extension KeySpaces {
    init(seed: UInt64) {
        self.init(ProductHash(HashKey(seed: seed)))
    }
}

extension NameTable {
    init(seed: UInt64) {
        self.init(HashKey(seed: seed))
    }
}

extension Vocabulary {
    init(seed: UInt64) {
        self.init(hashKey: HashKey(seed: seed), product: ProductHash(HashKey(seed: seed)))
    }
}
