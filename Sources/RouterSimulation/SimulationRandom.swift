/// SplitMix64 (Steele, Lea, Flood 2014), one small state for each device: what a device does by
/// itself depends on nothing but the seed, so that runs in different modes are of the same day.
struct SimulationRandom: BitwiseCopyable {
    private var state: UInt64

    /// A stream of its own for each number.
    init(seed: UInt64, stream: UInt64) {
        state = Self.mixed(seed &* 0x9e37_79b9_7f4a_7c15 ^ Self.mixed(stream &+ 1))
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return Self.mixed(state)
    }

    /// A number from 0 up to `bound`, without it.
    mutating func below(_ bound: Int64) -> Int64 {
        Self.scaled(next(), bound)
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

    static func mixed(_ value: UInt64) -> UInt64 {
        var word = value
        word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
        return word ^ word >> 31
    }

    /// A hash's place in 0 up to `bound`, without it.
    static func scaled(_ hash: UInt64, _ bound: Int64) -> Int64 {
        Int64(hash.multipliedFullWidth(by: UInt64(bound)).high)
    }
}
