internal import Basics

/// What simulated devices draw from their random streams.
///
/// Each device has its own stream. So what it does of its own accord depends only on the seed, and
/// runs in different modes simulate the same day.
extension SplitMix64 {
    /// Draws a number from 0 up to, but not including, `bound`.
    mutating func below(_ bound: Int64) -> Int64 {
        Int64(below(Int(bound)))
    }

    /// Draws a number in `range`, both ends included.
    mutating func within(_ range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    /// Returns true with this probability, in per cent.
    mutating func perCent(_ share: Int64) -> Bool { below(100) < share }

    /// Draws the index of a weight, with a probability in proportion to the weight.
    mutating func choice(_ weights: [Int64]) -> Int {
        var rest = below(weights.reduce(0, +))
        for (index, weight) in weights.enumerated() {
            if rest < weight { return index }
            rest -= weight
        }
        return weights.count - 1
    }
}
