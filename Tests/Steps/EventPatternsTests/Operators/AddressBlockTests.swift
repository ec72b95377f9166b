import Basics
import EventPatterns
import TestSupport
import Testing

@Suite struct AddressBlockTests {
    private func block(_ text: String) -> AddressBlock? {
        text.withByteView { AddressBlock($0) }
    }

    private func contains(_ text: String, _ address: String) throws -> Bool {
        let range = try #require(block(text), "\(text)")
        let read = try #require(address.withByteView { IPAddress($0) }, "\(address)")
        return range.contains(read)
    }

    @Test("A block has its first and its last address, and not their neighbours")
    func edges() throws {
        #expect(try contains("10.0.0.0/8", "10.0.0.0"))
        #expect(try contains("10.0.0.0/8", "10.255.255.255"))
        #expect(try !contains("10.0.0.0/8", "9.255.255.255"))
        #expect(try !contains("10.0.0.0/8", "11.0.0.0"))
        #expect(try contains("192.0.2.128/25", "192.0.2.255"))
        #expect(try !contains("192.0.2.128/25", "192.0.2.127"))
        #expect(try contains("192.0.2.1/32", "192.0.2.1"))
        #expect(try !contains("192.0.2.1/32", "192.0.2.0"))
        #expect(try contains("2001:db8::/32", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"))
        #expect(try !contains("2001:db8::/32", "2001:db9::"))
        #expect(try contains("2001:db8::/64", "2001:db8::ffff:ffff:ffff:ffff"))
        #expect(try !contains("2001:db8::/64", "2001:db8:0:1::"))
        #expect(try contains("2001:db8::/65", "2001:db8::7fff:ffff:ffff:ffff"))
        #expect(try !contains("2001:db8::/65", "2001:db8::8000:0:0:0"))
        #expect(try contains("::1/128", "::1"))
        #expect(try !contains("::1/128", "::"))
    }

    @Test("A prefix of no bits has every address of its family and none of the other")
    func everything() throws {
        #expect(try contains("0.0.0.0/0", "255.255.255.255"))
        #expect(try contains("203.0.113.9/0", "0.0.0.0"))
        #expect(try contains("::/0", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"))
        #expect(try !contains("0.0.0.0/0", "::"))
        #expect(try !contains("::/0", "0.0.0.0"))
        #expect(try !contains("1.2.3.4/32", "::ffff:1.2.3.4"))
    }

    @Test("Bits after the prefix are dropped")
    func hostBits() {
        #expect(block("10.1.2.3/8") == block("10.0.0.0/8"))
        #expect(block("2001:db8::1/32") == block("2001:db8::/32"))
        #expect(block("10.1.2.3/8")?.address.high == 0x0a00_0000_0000_0000)
        #expect(block("10.1.2.3/8")?.prefixLength == 8)
        #expect(block("10.0.0.0/8") != block("10.0.0.0/9"))
    }

    @Test(
        "What is no block is refused",
        arguments: [
            "", "/", "/8", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "::/129", "::/1000", "::",
            "10.0.0.0/08", "10.0.0.0/00", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/ 8",
            "10.0.0.0/8 ", "10.0.0.0/8/8", "10.0.0/8", "fe80::1%eth0/64", "10.0.0.0/255.0.0.0",
            "10.0.0.0/a", "1.2.3.4/999",
        ]
    )
    func refusals(text: String) {
        #expect(block(text) == nil)
    }

    @Test("A block has just the addresses that share its first bits")
    func sharedBits() throws {
        let seed: UInt64 = 3_141
        var random = SeededGenerator(seed: seed)
        for round in 0..<20_000 {
            let isIPv6 = random.below(2) == 0
            let one = bits(isIPv6, &random)
            // Another one that differs from some bit on, if at all.
            let shared = random.below(one.count + 1)
            let other = one.enumerated().map { $0 < shared ? $1 : random.below(2) == 0 }
            let length = random.below(one.count + 1)
            let expected = one.prefix(length) == other.prefix(length)
            let held = try contains("\(text(one))/\(length)", text(other))
            #expect(
                held == expected,
                "seed \(seed), round \(round): \(text(one))/\(length), \(text(other))"
            )
        }
    }

    private func bits(_ isIPv6: Bool, _ random: inout SeededGenerator) -> [Bool] {
        (0..<(isIPv6 ? 128 : 32)).map { _ in random.below(2) == 0 }
    }

    private func text(_ bits: [Bool]) -> String {
        let width = bits.count == 32 ? 8 : 16
        let parts = stride(from: 0, to: bits.count, by: width).map { start in
            bits[start..<(start + width)].reduce(0) { $0 * 2 + ($1 ? 1 : 0) }
        }
        return width == 8
            ? parts.map { String($0) }.joined(separator: ".")
            : parts.map { String($0, radix: 16) }.joined(separator: ":")
    }
}
