import TestSupport

/// A decimal number of any length: ± digits × 10^exponent, with no zero at the digits' ends.
struct ModelNumber: Equatable {
    private(set) var isNegative: Bool
    /// From the first that is not zero to the last, 0 to 9 each; none for zero.
    private(set) var digits: [UInt8]
    private(set) var exponent: Int

    init(_ digits: Int, _ exponent: Int) {
        self.init("\(digits)e\(exponent)")
    }

    /// Reads a number that is written as JSON has it.
    init(_ text: String) {
        let halves = text.lowercased().split(separator: "e")
        let parts = halves[0].split(separator: ".")
        let fraction = parts.count > 1 ? parts[1] : ""
        isNegative = text.hasPrefix("-")
        digits = "\(parts[0])\(fraction)".utf8.filter { $0 != 0x2d }.map { $0 - 0x30 }
        exponent = (halves.count > 1 ? Int(halves[1])! : 0) - fraction.utf8.count
        while digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        digits = Array(digits.drop { $0 == 0 })
        if digits.isEmpty {
            isNegative = false
            exponent = 0
        }
    }

    static func < (left: ModelNumber, right: ModelNumber) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        return left.isNegative
            ? right.hasSmallerMagnitude(than: left) : left.hasSmallerMagnitude(than: right)
    }

    private func hasSmallerMagnitude(than other: ModelNumber) -> Bool {
        if digits.isEmpty || other.digits.isEmpty { return !other.digits.isEmpty }
        let power = digits.count + exponent
        let otherPower = other.digits.count + other.exponent
        if power != otherPower { return power < otherPower }
        return digits.lexicographicallyPrecedes(other.digits)
    }

    /// The number in one form, whatever its size.
    var plain: String {
        let digits = digits.isEmpty ? "0" : digits.map(String.init).joined()
        return "\(isNegative ? "-" : "")\(digits)\(exponent == 0 ? "" : "e\(exponent)")"
    }

    /// One of the many spellings of the number.
    func spelled(_ random: inout SeededGenerator) -> String {
        let sign = isNegative || digits.isEmpty && random.below(4) == 0 ? "-" : ""
        let plain = digits.isEmpty ? "0" : digits.map(String.init).joined()
        switch random.below(3) {
        case 0 where (0..<6).contains(exponent):
            let tail = String(repeating: "0", count: exponent)
            return sign + plain + tail + (random.below(2) == 0 ? ".00" : "")
        case 1:
            // A point behind the first digit, and the exponent to make up for it.
            let rest = plain.dropFirst() + String(repeating: "0", count: random.below(3))
            let power = digits.isEmpty ? 3 : exponent + plain.count - 1
            return "\(sign)\(plain.prefix(1)).\(rest.isEmpty ? "0" : rest)e\(power)"
        default:
            let shift = digits.isEmpty ? 0 : random.below(4)
            let zeros = String(repeating: "0", count: shift)
            let power = exponent - shift
            return "\(sign)\(plain)\(zeros)E\(power < 0 ? "" : "+")\(power)"
        }
    }
}
