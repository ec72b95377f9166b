internal import Glibc

/// A source of numbers that a seed determines.
///
/// SplitMix64 (Guy Steele, Doug Lea and Christine Flood, "Fast Splittable Pseudorandom Number
/// Generators", OOPSLA 2014).
struct FleetRandom: RandomNumberGenerator {
    private var state: UInt64

    /// - Parameters:
    ///   - seed: of the fleet.
    ///   - stream: numbers of different streams have nothing to do with each other.
    init(_ seed: UInt64, stream: UInt64) {
        state = seed
        let first = next()
        state = first ^ (stream &* 0x9e37_79b9_7f4a_7c15)
        _ = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// From 0 to below 1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// With an exponential distribution of a mean.
    mutating func exponential(mean: Double) -> Double { -mean * log(1 - unit()) }
}

extension ValuePool {
    /// A value, as often as any other.
    func draw(_ random: inout FleetRandom) -> JSONValue {
        switch self {
        case .numbered(let prefix, let count):
            .text(prefix + String(Int.random(in: 0..<count, using: &random)))
        case .texts(let texts): .text(texts[Int.random(in: 0..<texts.count, using: &random)])
        case .integers(let range): .integer(Int64.random(in: range, using: &random))
        }
    }
}

extension JSONValue {
    /// With values drawn for all variables.
    func drawn(from pools: [String: ValuePool], _ random: inout FleetRandom) -> JSONValue {
        if let variable { return pools[String(variable)]?.draw(&random) ?? self }
        switch self {
        case .list(let values): return .list(values.map { $0.drawn(from: pools, &random) })
        case .object(let members):
            // In the order of the names, so that a seed gives the same values again.
            var drawn = members
            for name in members.keys.sorted() {
                drawn[name] = members[name]!.drawn(from: pools, &random)
            }
            return .object(drawn)
        case .null, .truth, .integer, .number, .text: return self
        }
    }
}

extension [String: ValuePool] {
    /// The same pools, each with one value only: it stands wherever its variable does.
    func drawn(_ random: inout FleetRandom) -> [String: ValuePool] {
        var drawn = self
        for name in keys.sorted() {
            switch self[name]!.draw(&random) {
            case .integer(let integer): drawn[name] = .integers(integer...integer)
            case .text(let text): drawn[name] = .texts([text])
            case .null, .truth, .number, .list, .object: break
            }
        }
        return drawn
    }
}
