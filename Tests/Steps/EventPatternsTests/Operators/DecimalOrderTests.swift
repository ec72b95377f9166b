import Basics
import EventPatterns
import TestSupport
import Testing

@Suite struct DecimalOrderTests {
    private func compare(_ left: String, _ right: String) -> Int {
        SlowNumber.canonical(left).withByteView { a in
            SlowNumber.canonical(right).withByteView { b in DecimalOrder.compare(a, to: b).signum()
            }
        }
    }

    private func key(_ text: String) -> UInt64 {
        SlowNumber.canonical(text).withByteView { DecimalOrder.key($0) }
    }

    /// Checks the order and what the keys promise of a pair.
    private func check(_ left: String, _ right: String, _ comment: String = "") {
        let (one, other) = (SlowNumber(left), SlowNumber(right))
        let order = SlowNumber.compare(one, other)
        #expect(compare(left, right) == order, "\(left) and \(right) \(comment)")
        #expect(compare(right, left) == -order, "\(right) and \(left) \(comment)")
        let (first, second) = (key(left), key(right))
        if order < 0 {
            #expect(first <= second, "the keys of \(left) and \(right) \(comment)")
        } else if order > 0 {
            #expect(first >= second, "the keys of \(left) and \(right) \(comment)")
        } else {
            #expect(first == second, "the keys of \(left) and \(right) \(comment)")
        }
        if order != 0, one.significantDigits <= 15, other.significantDigits <= 15 {
            #expect(first != second, "\(left) and \(right) share a key \(comment)")
        }
    }

    /// Numbers in ascending order, each one next to something that is easily got wrong.
    private static let ascending: [String] = [
        "-1.7976931348623157e308", "-1" + String(repeating: "0", count: 300) + "1", "-1e300",
        "-9223372036854775809", "-9223372036854775808", "-9223372036854775807.5",
        "-9223372036854775807", "-9007199254740993", "-9007199254740992", "-9007199254740991",
        "-1000000000000001", "-1000000000000000", "-999999999999999.5", "-999999999999999",
        "-10.5", "-10", "-9.9", "-1.000000000000001", "-1", "-0.999999999999999999", "-1e-399",
        "-1e-400", "0", "1e-400", "1.5e-400", "9.99e-400", "1e-399", "0.1", "0.10000000000000001",
        "0.5", "0.99999999999999", "1", "1.00000000000001", "1.00000000000001000000001", "9",
        "9.5", "10", "11", "99", "100", "999999999999999", "999999999999999.1",
        "1000000000000000", "1000000000000000.5", "1000000000000001", "9007199254740991",
        "9007199254740992", "9007199254740992.5", "9007199254740993", "9223372036854775806.9",
        "9223372036854775807", "9223372036854775807.1", "9223372036854775808",
        "18446744073709551615", "1e20", "1e300", "1" + String(repeating: "0", count: 299) + "1.5",
        "1e308", "1.00000000000000000001e308", "1.7976931348623157e308",
    ]

    @Test("Neighbouring numbers are distinguished, with their keys in the same order")
    func neighbours() {
        for left in Self.ascending.indices {
            for right in Self.ascending.indices {
                let (one, other) = (Self.ascending[left], Self.ascending[right])
                #expect(compare(one, other) == (left - right).signum(), "\(one) and \(other)")
                check(one, other)
            }
        }
    }

    @Test("The order of random spellings is that of the schoolbook")
    func randomSpellings() {
        let seed: UInt64 = 7_301
        var random = SeededGenerator(seed: seed)
        for round in 0..<3_000 {
            let left = spelling(&random)
            let right = random.below(3) == 0 ? neighbour(of: left, &random) : spelling(&random)
            check(left, right, "seed \(seed), round \(round)")
        }
    }

    @Test("Numbers of hundreds of digits are compared to the last one")
    func longNumbers() {
        let digits = "4" + String(repeating: "27", count: 200)
        check(digits + "1e-401", digits + "2e-401")
        check("-" + digits + "1e-401", "-" + digits + "2e-401")
        check(digits + "e-401", digits + "0001e-405")
        check(digits + "e-401", digits + "000e-404")
        #expect(compare(digits + "1e-401", digits + "2e-401") == -1)
        #expect(compare("-" + digits + "1e-401", "-" + digits + "2e-401") == 1)
    }

    @Test("A zero with a sign is a zero")
    func zeros() {
        #expect(compare("-0", "0") == 0)
        #expect(compare("-0.0e5", "0") == 0)
        #expect(key("-0") == distance(0, 0))
    }

    @Test("The key is the power of the first digit and fifteen digits")
    func keyLayout() {
        #expect(key("1") == distance(401, 100_000_000_000_000))
        #expect(key("-1") == 0 &- distance(401, 100_000_000_000_000))
        #expect(key("12.5") == distance(402, 125_000_000_000_000))
        #expect(key("9223372036854775807") == distance(419, 922_337_203_685_477))
        #expect(key("1e-400") == distance(1, 100_000_000_000_000))
    }

    /// The key of a positive number.
    private func distance(_ biasedPower: UInt64, _ digits: UInt64) -> UInt64 {
        1 << 63 | biasedPower << 50 | digits
    }

    @Test("Powers beyond the range stay in order at its ends")
    func beyondTheRange() {
        #expect(compare("1e-700", "2e-600") == -1)
        #expect(compare("-1e-700", "-2e-600") == 1)
        #expect(compare("2e600", "1e700") == -1)
        #expect(key("0") < key("1e-500"))
        #expect(key("1e-500") < key("1e-400"))
        #expect(key("9.9e308") < key("1e309"))
        #expect(key("-1e309") < key("-9.9e308"))
    }

    private func digits(_ count: Int, _ random: inout SeededGenerator) -> String {
        // Few different digits: so that long prefixes are shared.
        String((0..<count).map { _ in Character("\([0, 0, 1, 9][random.below(4)])") })
    }

    private func spelling(_ random: inout SeededGenerator) -> String {
        let lengths = [1, 2, 5, 14, 15, 16, 18, 19, 20, 40]
        var text = random.below(3) == 0 ? "-" : ""
        text += ["0", "1", "1", "9"][random.below(4)]
        if !text.hasSuffix("0") { text += digits(lengths[random.below(lengths.count)], &random) }
        if random.below(2) == 0 {
            text += "." + digits(lengths[random.below(lengths.count)], &random)
        }
        if random.below(2) == 0 {
            let exponents = [-390, -20, -15, -2, -1, 0, 1, 2, 3, 15, 18, 19, 250]
            text += "e\(exponents[random.below(exponents.count)])"
        }
        return text
    }

    /// The same number with another last digit, or written in another way.
    private func neighbour(of text: String, _ random: inout SeededGenerator) -> String {
        let parts = text.split(separator: "e")
        var digits = String(parts[0])
        let exponent = parts.count == 2 ? "e" + parts[1] : ""
        if random.below(2) == 0 {
            digits += (digits.contains(".") ? "" : ".") + "000"
        } else if digits.count > 2 {
            digits = digits.dropLast() + ["0", "1", "5"][random.below(3)]
        }
        return digits + exponent
    }
}
