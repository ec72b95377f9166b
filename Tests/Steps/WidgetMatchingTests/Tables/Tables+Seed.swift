import Basics

@testable import WidgetMatching

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
