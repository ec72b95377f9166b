import Basics
import TestSupport
import Testing

@Suite struct FuzzTests {
    @Test("Mutated documents get the reference's verdict", arguments: 1...UInt64(8))
    func mutated(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var harness = Harness()
        for round in 0..<2_500 {
            var bytes =
                random.below(2) == 0
                ? Array(random.pick(Corpus.valid).utf8) : Self.document(&random)
            for _ in 0..<random.below(4) { Self.mutate(&bytes, &random) }
            let depthLimit = 32
            let expected = ReferenceValidator.outcome(bytes, depthLimit: depthLimit)
            let outcome = harness.scan(bytes)
            let context: Comment = "seed \(seed), round \(round): \(printable(bytes))"
            switch (outcome, expected) {
            case (.refused(.notJSON, let offset), .refused(.notJSON, _)):
                #expect(offset >= 0 && offset <= bytes.count, context)
            default:
                // The first difference ends the test: one seed gives the same one again.
                try #require(outcome == expected, context)
            }
        }
    }

    @Test("Random bytes never crash the scanner and get the reference's verdict")
    func random() throws {
        let seed: UInt64 = 0x5eed
        var random = SeededGenerator(seed: seed)
        var harness = Harness()
        let alphabet = Array("{{}}[]\"\"\":,,0019-+.eE\\\\nurtfbalse \u{1}é€😀".utf8) + [0x80, 0xff]
        for round in 0..<10_000 {
            let bytes =
                Array("{\"".utf8) + (0..<random.below(24)).map { _ in random.pick(alphabet) }
            let expected = ReferenceValidator.outcome(bytes)
            let outcome = harness.scan(bytes)
            try #require(
                outcome.code == expected.code && outcome.events == expected.events,
                "seed \(seed), round \(round): \(printable(bytes))"
            )
        }
    }

    @Test(
        "Exponents that nearly fill or overflow 64 bits get the reference's verdict",
        arguments: [
            "1000E9223372036854775807", "0.001E9223372036854775807", "1E-9223372036854775808",
            "0.1e-9223372036854775808", "100000000000000001E0000000000000000009223372036854775807",
            "0e9223372036854775807", "1e9223372036854775808", "1e-99999999999999999999",
        ]
    )
    func exponents(number: String) {
        var harness = Harness()
        let bytes = Array("{\"a\":\(number)}".utf8)
        #expect(harness.scan(bytes) == ReferenceValidator.outcome(bytes))
    }

    // MARK: - Making documents

    /// A random valid document, with repeated keys here and there left to the reference to find.
    static func document(_ random: inout SeededGenerator) -> [UInt8] {
        object(&random, depth: 1 + random.below(4))
    }

    private static func object(_ random: inout SeededGenerator, depth: Int) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        // Seldom more than the 16 keys from which on keys are hashed.
        let count = random.below(12) == 0 ? 15 + random.below(40) : random.below(6)
        for index in 0..<count {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += space(&random) + key(&random, index) + space(&random) + [UInt8(ascii: ":")]
            bytes += space(&random) + value(&random, depth: depth - 1) + space(&random)
        }
        return bytes + [UInt8(ascii: "}")]
    }

    private static func value(_ random: inout SeededGenerator, depth: Int) -> [UInt8] {
        switch random.below(depth > 0 ? 7 : 5) {
        case 0: return Array(random.pick(["true", "false", "null"]).utf8)
        case 1, 2: return Array(number(&random).utf8)
        case 3, 4: return string(&random)
        case 5: return object(&random, depth: depth)
        default:
            let elements = (0..<random.below(5)).map { _ in value(&random, depth: depth - 1) }
            return [UInt8(ascii: "[")] + Array(elements.joined(separator: [UInt8(ascii: ",")]))
                + [UInt8(ascii: "]")]
        }
    }

    private static func key(_ random: inout SeededGenerator, _ index: Int) -> [UInt8] {
        if random.below(40) == 0 { return Array("\"k1\"".utf8) }
        let names = [
            "k\(index)", "\\u006b\(index)", "character-\(index)", "é\(index)", "\(index)-key",
        ]
        return Array("\"\(random.pick(names))\"".utf8)
    }

    private static func string(_ random: inout SeededGenerator) -> [UInt8] {
        let pieces = [
            "a", "elf-42", "12345678", "\\n", "\\\"", "\\\\", "\\/", "\\u0041", "\\ud83d\\ude00",
            "é",
            "€", "😀", " ", "\u{7f}", "{", "]", ",",
        ]
        let text = (0..<random.below(8)).map { _ in random.pick(pieces) }.joined()
        return Array("\"\(text)\"".utf8)
    }

    static func number(_ random: inout SeededGenerator) -> String {
        var text = random.below(3) == 0 ? "-" : ""
        let digits = random.below(10) == 0 ? 1 + random.below(25) : 1 + random.below(4)
        text += String(1 + random.below(9))
        for _ in 1..<digits + 1 { text += String(random.below(10)) }
        if random.below(3) == 0 { text += "." + String(random.below(10_000)) }
        if random.below(3) == 0 {
            text += random.pick(["e", "E"]) + random.pick(["", "+", "-"])
            text += String(random.below(random.pick([4, 30, 320, 410])))
        }
        return text
    }

    private static func space(_ random: inout SeededGenerator) -> [UInt8] {
        random.below(4) == 0
            ? (0..<random.below(4)).map { _ in random.pick([0x20, 0x0a, 0x0d, 0x09]) } : []
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let at = random.below(bytes.count)
        switch random.below(7) {
        case 0: bytes[at] = UInt8(random.below(256))
        case 1: bytes[at] ^= 1 << UInt8(random.below(8))
        case 2: bytes.remove(at: at)
        case 3: bytes.insert(random.pick(Array("{}[]\":,\\0-.eEtfnu \u{0}\u{1f}".utf8)), at: at)
        case 4: bytes.removeSubrange(at..<min(bytes.count, at + random.below(6)))
        case 5:
            let end = min(bytes.count, at + 1 + random.below(12))
            bytes.insert(contentsOf: bytes[at..<end], at: random.below(bytes.count))
        default: bytes.insert(contentsOf: [UInt8(0x80 | random.below(128))], at: at)
        }
    }
}
