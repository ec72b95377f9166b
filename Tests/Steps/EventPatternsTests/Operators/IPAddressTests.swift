import Basics
import EventPatterns
import TestSupport
import Testing

@Suite struct IPAddressTests {
    private func address(_ text: String) -> IPAddress? {
        text.withByteView { IPAddress($0) }
    }

    /// The address as a list of octets.
    private func octets(_ address: IPAddress) -> [UInt8] {
        let all = [address.high, address.low].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
        }
        return address.isIPv6 ? all : Array(all.prefix(4))
    }

    @Test("Four octets lie in the top of the first word")
    func version4() throws {
        let read = try #require(address("10.1.2.255"))
        #expect(!read.isIPv6)
        #expect(read.high == 0x0a01_02ff_0000_0000)
        #expect(read.low == 0)
        #expect(address("0.0.0.0")?.high == 0)
        #expect(address("255.255.255.255")?.high == 0xffff_ffff_0000_0000)
    }

    @Test(
        "IPv6 addresses are read as RFC 4291 has them",
        arguments: [
            ("::", 0, 0),
            ("::1", 0, 1),
            ("1::", 0x0001_0000_0000_0000, 0),
            ("1:2:3:4:5:6:7:8", 0x0001_0002_0003_0004, 0x0005_0006_0007_0008),
            ("1:2:3:4:5:6:7::", 0x0001_0002_0003_0004, 0x0005_0006_0007_0000),
            ("::2:3:4:5:6:7:8", 0x0000_0002_0003_0004, 0x0005_0006_0007_0008),
            ("1::8", 0x0001_0000_0000_0000, 8),
            ("2001:db8::1", 0x2001_0db8_0000_0000, 1),
            ("2001:DB8::ffff:0:1", 0x2001_0db8_0000_0000, 0x0000_ffff_0000_0001),
            ("::ffff:1.2.3.4", 0, 0x0000_ffff_0102_0304),
            ("64:ff9b::192.0.2.33", 0x0064_ff9b_0000_0000, 0x0000_0000_c000_0221),
            ("1:2:3:4:5:6:1.2.3.4", 0x0001_0002_0003_0004, 0x0005_0006_0102_0304),
            ("::1.2.3.4", 0, 0x0102_0304),
            ("0000:0000:0000:0000:0000:0000:255.255.255.255", 0, 0xffff_ffff),
            ("0001:0::08", 0x0001_0000_0000_0000, 8),
        ] as [(String, UInt64, UInt64)]
    )
    func version6(text: String, high: UInt64, low: UInt64) throws {
        let read = try #require(address(text), "\(text)")
        #expect(read.isIPv6)
        #expect(read.high == high)
        #expect(read.low == low)
    }

    @Test(
        "What is no address is refused",
        arguments: [
            "", "1", "1.2", "1.2.3", "1.2.3.4.5", "1.2.3.4.", ".1.2.3.4", "1..2.3", "01.2.3.4",
            "1.2.3.00", "1.2.3.256", "1.2.3.999", "1.2.3.1000", "1.2.3.-4", "1.2.3.+4", "a.b.c.d",
            "0x1.2.3.4", " 1.2.3.4", "1.2.3.4 ", "1.2.3.4/8", ":", ":::", "1:", "1:2", ":1",
            "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::",
            "::1:2:3:4:5:6:7:8", "1:2:3:4::5:6:7:8", "12345::", "g::", "::g", "1:2:3:4:5:6:7:",
            "::1:", "::1.2.3", "::1.2.3.4.5", "::1.2.3.256", "::01.2.3.4", "1.2.3.4::",
            "::1.2.3.4:5", "1:2:3:4:5:6:7:1.2.3.4", "fe80::1%eth0", "::%0", "1::2 ",
            "0:0:0:0:0:0:0:0:0", "::-1", "::+1", "::0x1", "1:::2", "1.2.3.4:", "..::", "[::1]",
            "\u{661}.2.3.4", "1.2.3.4\0", "0000:0000:0000:0000:0000:0000:0255.255.255.255",
        ]
    )
    func refusals(text: String) {
        #expect(address(text) == nil)
    }

    @Test("Addresses of any spelling are read as the slow parser reads them")
    func roundTrips() {
        let seed: UInt64 = 9_117
        var random = SeededGenerator(seed: seed)
        var read = 0
        for round in 0..<20_000 {
            var text = random.below(3) == 0 ? version4(&random) : version6(&random)
            if random.below(2) == 0 { text = damaged(text, &random) }
            let expected = SlowAddress.octets(text)
            if expected != nil { read += 1 }
            #expect(
                address(text).map(octets) == expected,
                "seed \(seed), round \(round): \(text)"
            )
        }
        #expect(read > 8_000, "seed \(seed): the run reads too little to mean anything")
    }

    private func version4(_ random: inout SeededGenerator) -> String {
        (0..<4).map { _ in String([random.below(256), 0, 9, 255][random.below(4)]) }
            .joined(separator: ".")
    }

    private func version6(_ random: inout SeededGenerator) -> String {
        let endsInVersion4 = random.below(3) == 0
        let count = endsInVersion4 ? 6 : 8
        var groups = (0..<count).map { _ in
            let group = String([random.below(65_536), 0, 1][random.below(3)], radix: 16)
            return random.below(4) == 0
                ? String(repeating: "0", count: 4 - group.count) + group : group
        }
        if endsInVersion4 { groups.append(version4(&random)) }
        if random.below(2) == 0 { return groups.joined(separator: ":") }
        let start = random.below(count)
        let end = start + 1 + random.below(count - start)
        return groups[..<start].joined(separator: ":") + "::"
            + groups[end...].joined(separator: ":")
    }

    /// The text with a character more, fewer or other than before.
    private func damaged(_ text: String, _ random: inout SeededGenerator) -> String {
        var characters = Array(text)
        let position = random.below(characters.count)
        let other = Array("0123456789abf:.g% ")[random.below(18)]
        switch random.below(3) {
        case 0: characters.remove(at: position)
        case 1: characters.insert(other, at: position)
        default: characters[position] = other
        }
        return String(characters)
    }
}
