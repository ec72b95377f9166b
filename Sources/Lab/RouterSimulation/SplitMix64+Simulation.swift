internal import DataStructures

/// What a simulated device draws.
///
/// Each has a stream of its own: what it does by itself depends on nothing but the seed, so that runs
/// in different modes are of the same day.
extension SplitMix64 {
    /// A number from 0 up to `bound`, without it.
    mutating func below(_ bound: Int64) -> Int64 {
        Int64(below(Int(bound)))
    }

    /// A number from `range`, its ends included.
    mutating func within(_ range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    mutating func perCent(_ share: Int64) -> Bool { below(100) < share }

    /// The number of one of the weights, as often as it weighs.
    mutating func choice(_ weights: [Int64]) -> Int {
        var rest = below(weights.reduce(0, +))
        for (index, weight) in weights.enumerated() {
            if rest < weight { return index }
            rest -= weight
        }
        return weights.count - 1
    }
}
