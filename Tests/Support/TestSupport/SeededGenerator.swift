internal import Basics

/// The same seed gives the same test, everywhere.
package struct SeededGenerator: RandomNumberGenerator {
    private var numbers: SplitMix64

    package init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    package mutating func next() -> UInt64 { numbers.next() }

    /// A number from 0 up to `bound`, without it.
    package mutating func below(_ bound: Int) -> Int {
        Int(next() % UInt64(bound))
    }

    /// One of the elements.
    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
