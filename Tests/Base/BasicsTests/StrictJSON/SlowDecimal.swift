/// A decimal number of any length as a list of digits, with the arithmetic of the schoolbook.
struct SlowDecimal {
    let isNegative: Bool
    /// From the highest, which is not 0; empty for zero.
    let digits: [UInt8]
    /// The value is the digits, as an integer, times ten to this power.
    let exponent: Int

    /// Takes a number that follows JSON's grammar.
    init(_ text: [UInt8]) {
        isNegative = text.first == UInt8(ascii: "-")
        let unsigned = isNegative ? text.dropFirst() : text[...]
        let parts = unsigned.split(
            separator: UInt8(ascii: "e"),
            maxSplits: 1,
            omittingEmptySubsequences: false
        ).flatMap {
            $0.split(separator: UInt8(ascii: "E"), maxSplits: 1, omittingEmptySubsequences: false)
        }
        var power = 0
        if parts.count == 2 {
            let written = String(decoding: parts[1], as: UTF8.self)
            // Beyond any document's length it does not matter how much.
            let most = 1_000_000_000_000
            power = Int(written).map { min(max($0, -most), most) } ?? most
            if written.hasPrefix("-") { power = -abs(power) }
        }
        let halves = parts[0].split(
            separator: UInt8(ascii: "."),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        let fraction = halves.count == 2 ? Array(halves[1]) : []
        let all = Array(halves[0]) + fraction
        digits = all.drop { $0 == UInt8(ascii: "0") }.map { $0 - UInt8(ascii: "0") }
        exponent = power - fraction.count
    }

    var isZero: Bool { digits.isEmpty }

    /// The power of ten of the first digit.
    var magnitude: Int { digits.count - 1 + exponent }

    /// Whether a double can hold it without becoming infinite, and it is not absurdly small.
    var isInRange: Bool {
        isZero || (magnitude >= -400 && magnitude <= 308 && !reaches(Self.infinity))
    }

    /// 2^1024 - 2^970, the least number that is rounded to infinity.
    static let infinity = """
        17976931348623158079372897140530341507993413271003782693617377898044496829276475\
        09466490179775872070963302864166928879109465555478519404026306574886715058206819\
        08902000708383676273854845817711531764475730270069855571366959622842914819860834\
        936475292719074168444365510704342711559699508093042880177904174497792
        """

    private func reaches(_ limit: String) -> Bool {
        let other = SlowDecimal(Array(limit.utf8))
        if magnitude != other.magnitude { return magnitude > other.magnitude }
        let length = max(digits.count, other.digits.count)
        return !padded(to: length).lexicographicallyPrecedes(other.padded(to: length))
    }

    private func padded(to length: Int) -> [UInt8] {
        digits + Array(repeating: 0, count: length - digits.count)
    }

    /// Equality of the values, whatever they are written like.
    static func == (left: SlowDecimal, right: SlowDecimal) -> Bool {
        if left.isZero || right.isZero { return left.isZero && right.isZero }
        if left.isNegative != right.isNegative || left.magnitude != right.magnitude { return false }
        let length = max(left.digits.count, right.digits.count)
        return left.padded(to: length) == right.padded(to: length)
    }

    /// The value if it is an integer of 64 bits.
    var int64: Int64? {
        if isZero { return 0 }
        if magnitude < 0 || magnitude > 18 { return nil }
        let whole = padded(to: max(digits.count, magnitude + 1))
        if whole.dropFirst(magnitude + 1).contains(where: { $0 != 0 }) { return nil }
        let text = whole.prefix(magnitude + 1).map { String($0) }.joined()
        return Int64((isNegative ? "-" : "") + text)
    }
}
