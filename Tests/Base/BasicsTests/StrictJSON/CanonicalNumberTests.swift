import Basics
import TestSupport
import Testing

@Suite struct CanonicalNumberTests {
    /// The canonical bytes, written into a buffer of the size that is promised to be enough, and
    /// with a mark behind it that must stay.
    private func canonical(_ text: String) -> [UInt8] {
        let capacity = text.utf8.count + 16
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: capacity + 8, alignment: 8)
        defer { unsafe buffer.deallocate() }
        unsafe buffer.storeBytes(of: 0x5a5a_5a5a, toByteOffset: capacity, as: UInt32.self)
        let count = text.withByteView { unsafe CanonicalNumber.write($0, into: buffer) }
        #expect(count <= capacity)
        let mark = unsafe buffer.loadUnaligned(fromByteOffset: capacity, as: UInt32.self)
        #expect(mark == 0x5a5a_5a5a, "written beyond the buffer: \(text)")
        return unsafe ByteView(base: buffer, count: count).array
    }

    private func integer(_ value: Int64) -> [UInt8] {
        [UInt8(ascii: "i")] + (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private func decimal(_ isNegative: Bool, _ digits: String, _ exponent: Int32) -> [UInt8] {
        [UInt8(ascii: "d"), isNegative ? 1 : 0]
            + (0..<4).map { UInt8(truncatingIfNeeded: exponent >> ($0 * 8)) } + Array(digits.utf8)
    }

    @Test("Integers of 64 bits have one form, however they are written")
    func integers() {
        for text in ["30", "30.0", "3e1", "3E+1", "0.3e2", "300e-1", "30.000", "0.00030e5"] {
            #expect(canonical(text) == integer(30), "\(text)")
        }
        for text in ["0", "-0", "0.0", "-0e5", "0e99999999999999999999", "0.000e-7"] {
            #expect(canonical(text) == integer(0), "\(text)")
        }
        #expect(canonical("-1") == integer(-1))
        #expect(canonical("9007199254740993") == integer(9_007_199_254_740_993))
        #expect(canonical("9223372036854775807") == integer(.max))
        #expect(canonical("9223372036854775807.0") == integer(.max))
        #expect(canonical("-9223372036854775808") == integer(.min))
        #expect(canonical("-922337203685477580.8e1") == integer(.min))
        #expect(canonical("1e18") == integer(1_000_000_000_000_000_000))
    }

    @Test("Every other number is its digits and a power of ten")
    func decimals() {
        #expect(canonical("9223372036854775808") == decimal(false, "9223372036854775808", 0))
        #expect(canonical("-9223372036854775809") == decimal(true, "9223372036854775809", 0))
        #expect(canonical("1e19") == decimal(false, "1", 19))
        #expect(canonical("1.50") == decimal(false, "15", -1))
        #expect(canonical("-0.00250e-3") == decimal(true, "25", -7))
        #expect(canonical("100.001") == decimal(false, "100001", -3))
        #expect(canonical("1e-400") == decimal(false, "1", -400))
    }

    @Test("Equal values have equal forms and different values have different ones")
    func againstSlowDecimal() {
        let seed: UInt64 = 42
        var random = SeededGenerator(seed: seed)
        for round in 0..<8_000 {
            let left = FuzzTests.number(&random)
            let right = variant(of: left, &random)
            let (one, other) = (SlowDecimal(Array(left.utf8)), SlowDecimal(Array(right.utf8)))
            #expect(
                (canonical(left) == canonical(right)) == (one == other),
                "seed \(seed), round \(round): \(left) and \(right)"
            )
            if let value = one.int64 {
                #expect(canonical(left) == integer(value), "\(left)")
            } else {
                #expect(canonical(left).first == UInt8(ascii: "d"), "\(left)")
            }
        }
    }

    /// The same value written in another way, or one that differs a little.
    private func variant(of text: String, _ random: inout SeededGenerator) -> String {
        let decimal = SlowDecimal(Array(text.utf8))
        var digits = decimal.digits.map { String($0) }.joined()
        if digits.isEmpty { digits = "0" }
        var exponent = decimal.exponent
        let zeros = random.below(4)
        digits += String(repeating: "0", count: zeros)
        exponent -= zeros
        if random.below(4) == 0 { exponent += random.below(3) - 1 }
        if random.below(4) == 0 { digits = String(digits.dropLast()) + String(random.below(10)) }
        if digits.isEmpty { digits = "0" }
        let isNegative = decimal.isNegative != (random.below(8) == 0)
        let split = random.below(digits.count)
        var body = digits
        if split > 0 {
            body = String(digits.dropLast(split)) + "." + String(digits.suffix(split))
            exponent += split
        }
        // What the grammar forbids, a zero in front of other digits, does not come about: the
        // first digit is none unless it is the only one.
        return (isNegative ? "-" : "") + body + (exponent == 0 ? "" : "e\(exponent)")
    }

    @Test("Thousands of digits are compared to the last one")
    func long() {
        let digits = "1" + String(repeating: "4", count: 5_000)
        #expect(canonical(digits + "e-5000") == canonical("1." + digits.dropFirst()))
        #expect(canonical(digits + "1e-5000") != canonical(digits + "2e-5000"))
        #expect(canonical("0." + String(repeating: "0", count: 300) + "1") == canonical("1e-301"))
    }
}
