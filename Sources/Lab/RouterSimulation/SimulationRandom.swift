internal import ByteStorage

/// One small state for each device: what a device does by itself depends on nothing but the seed,
/// so that runs in different modes are of the same day.
struct SimulationRandom: BitwiseCopyable {
    private var numbers: SplitMix64

    /// A stream of its own for each number.
    init(seed: UInt64, stream: UInt64) {
        let own = SplitMix64.mixed(stream &+ 1)
        numbers = SplitMix64(seed: SplitMix64.mixed(seed &* 0x9e37_79b9_7f4a_7c15 ^ own))
    }

    /// A number from 0 up to `bound`, without it.
    mutating func below(_ bound: Int64) -> Int64 {
        Self.scaled(numbers.next(), bound)
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

    /// A hash's place in 0 up to `bound`, without it.
    static func scaled(_ hash: UInt64, _ bound: Int64) -> Int64 {
        Int64(SplitMix64.scaled(hash, Int(bound)))
    }
}
