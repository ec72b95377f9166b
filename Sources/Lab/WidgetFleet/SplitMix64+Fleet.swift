internal import ByteStorage
internal import Glibc

extension SplitMix64 {
    /// From 0 to below 1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// With an exponential distribution of a mean.
    mutating func exponential(mean: Double) -> Double { -mean * log(1 - unit()) }
}

extension ValuePool {
    /// A value, as often as any other.
    func draw(_ random: inout SplitMix64) -> JSONValue {
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
    func drawn(from pools: [String: ValuePool], _ random: inout SplitMix64) -> JSONValue {
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
    func drawn(_ random: inout SplitMix64) -> [String: ValuePool] {
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
