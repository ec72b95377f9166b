internal import Basics
internal import Glibc

extension SplitMix64 {
    /// A number from 0 to below 1, uniformly distributed.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A number with an exponential distribution.
    mutating func exponential(mean: Double) -> Double { -mean * log(1 - unit()) }
}

extension ValuePool {
    /// Draws a value; all are equally likely.
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
    /// The value with all variables in it replaced by drawn values.
    func drawn(from pools: [String: ValuePool], using random: inout SplitMix64) -> JSONValue {
        if let variable { return pools[String(variable)]?.draw(&random) ?? self }
        switch self {
        case .list(let values): return .list(values.map { $0.drawn(from: pools, using: &random) })
        case .object(var members):
            for index in members.indices {
                members[index].value = members[index].value.drawn(from: pools, using: &random)
            }
            return .object(members)
        case .null, .boolean, .number, .string: return self
        }
    }
}

extension [String: ValuePool] {
    /// Draws one value for each variable. The result is pools with that value alone, so that a
    /// variable has the same value wherever it occurs.
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
