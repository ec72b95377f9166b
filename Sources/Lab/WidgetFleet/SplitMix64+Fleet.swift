internal import DataStructures
internal import Glibc
internal import StrictJSON

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
            .string(prefix + String(Int.random(in: 0..<count, using: &random)))
        case .texts(let texts): .string(texts[Int.random(in: 0..<texts.count, using: &random)])
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
        case .object(var members):
            for index in members.indices {
                members[index].value = members[index].value.drawn(from: pools, &random)
            }
            return .object(members)
        case .null, .boolean, .number, .string: return self
        }
    }
}

extension [String: ValuePool] {
    /// The same pools, each with one value only: it stands wherever its variable does.
    func drawn(_ random: inout SplitMix64) -> [String: ValuePool] {
        var drawn = self
        for name in keys.sorted() {
            switch self[name]!.draw(&random) {
            case .number(let text):
                if let integer = Int64(text) { drawn[name] = .integers(integer...integer) }
            case .string(let text): drawn[name] = .texts([text])
            case .null, .boolean, .list, .object: break
            }
        }
        return drawn
    }
}
