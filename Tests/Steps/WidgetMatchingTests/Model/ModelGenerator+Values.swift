import Basics
import TestSupport

extension ModelGenerator {
    mutating func scalar() -> ModelValue {
        switch random.below(14) {
        case 0..<7: .string(text())
        case 7..<10: .number(number())
        case 10..<12: .boolean(random.below(2) == 0)
        default: .null
        }
    }

    mutating func number() -> ModelNumber {
        switch random.below(9) {
        case 0: ModelNumber(0, 0)
        case 1: ModelNumber(15, -1 - random.below(2))
        case 2: ModelNumber(-7, random.below(3) - 1)
        case 3: ModelNumber(9_007_199_254_740_992 + random.below(2), random.below(2) * 30)
        case 4: ModelNumber("12345678901234567890123456789\(random.below(3))")
        case 5: ModelNumber(1, one([-300, -7, 18, 19, 20, 300]))
        default: ModelNumber(1 + random.below(4), random.below(2))
        }
    }

    // MARK: - Texts

    /// Letters of which several are one when case is ignored.
    private static let foldingLetters: [String] = [
        "k", "K", "\u{212a}", "s", "S", "\u{17f}", "σ", "Σ", "\u{3c2}", "é", "É", "e\u{301}",
        "ß", "\u{1e9e}", "İ", "ı", "i", "I",
    ]
    private static let oddTexts = [
        "1", "true", "null", "a value of more than sixteen bytes", "é🧝", "*", "a*b", "a\\b", "\n",
        "\u{0}", "a.b", "${", "30",
    ]
    private static let addresses = [
        "10.0.0.1", "10.1.2.3", "192.168.0.255", "0.0.0.0", "255.255.255.255", "::", "::1",
        "2001:db8::1", "2001:0DB8:0:0:0:0:0:1", "2001:db9::", "::ffff:10.0.0.1", "1:2:3:4:5:6:7:8",
        "1::8", "10.0.0.01", "10.0.0", "10.0.0.256", "10.0.0.1.", ":::", "1::2::3", "fe80::1%eth0",
        "2001:db8::1::", "12345::", "::ffff:10.0.0.300", " 10.0.0.1",
    ]
    private static let blocks = [
        "10.0.0.0/8", "10.1.2.3/8", "10.0.0.1/32", "10.0.0.0/31", "0.0.0.0/0", "192.168.0.0/16",
        "192.168.0.128/25", "::/0", "2001:db8::/32", "2001:db8::ffff/127", "::ffff:0:0/96",
        "::1/128", "2001:db8::/33", "::ffff:10.9.9.9/104",
    ]
    static let badBlocks = [
        "10.0.0.0/33", "10.0.0/8", "::/129", "a", "", "10.0.0.0/", "/8", "::g/1",
    ]

    /// A short text: mostly a few letters, and an address at times.
    mutating func text() -> String {
        if prefersAddresses() { return one(Self.addresses) }
        if happens(onceIn: 40) { return run(90) + one(["", "b", "ba", "aba"]) }
        switch random.below(16) {
        case 0..<5: return one(["", "a", "b", "ab", "ba"])
        case 5..<8: return many(random.below(5)) { $0.one(["a", "b", "a", "B"]) }.joined()
        case 8..<12: return many(1 + random.below(2)) { $0.one(Self.foldingLetters) }.joined()
        case 12..<14: return one(Self.addresses)
        default: return one(Self.oddTexts)
        }
    }

    /// A letter up to so many times: wildcards nearly match such a text in many places.
    private mutating func run(_ most: Int) -> String {
        String(repeating: "a", count: 1 + random.below(most))
    }

    mutating func block() -> String { one(Self.blocks) }

    /// A wildcard that is well formed.
    mutating func glob() -> String {
        if happens(onceIn: 8) {
            return one(["*", "a*", ""]) + run(12) + one(["b*a", "*", "b", "*a"])
        }
        let parts = ["a", "b", "B", "é", "k", "*", "*", "\\*", "\\\\", "*"]
        var text = ""
        var isAfterStar = false
        for part in many(random.below(5), { $0.one(parts) }) {
            if !(isAfterStar && part == "*") { text += part }
            isAfterStar = part == "*"
        }
        return text
    }

    // MARK: - Regular expressions

    mutating func regexp() -> String { expression(depth: 0).text }

    private mutating func expression(depth: Int) -> ModelRegexp {
        switch random.below(depth < 3 ? 10 : 4) {
        case 0..<4: return .characters(characters())
        case 4..<7: return .sequence(many(random.below(4)) { $0.expression(depth: depth + 1) })
        case 7: return .choice(many(2 + random.below(2)) { $0.expression(depth: depth + 1) })
        default:
            let least = random.below(3)
            return .repeated(
                expression(depth: depth + 1),
                least: least,
                most: random.below(2) == 0 ? nil : max(1, least + random.below(3))
            )
        }
    }

    private mutating func characters() -> ModelCharacters {
        switch random.below(14) {
        case 0..<5: .one(one(["a", "b"]))
        case 5: .one(one(["k", "é", "*", "\\", ".", "\n", "-"]))
        case 6, 7: .dot
        case 8: one([.letters, .digits, .not(.letters), .not(.digits)])
        case 9: .not(.union([.one(one(["a", "b", "]", "-"])), .one("^")]))
        case 10: .range(one(["a", "0"]), one(["a", "c", "é"]))
        case 11: .union([.range("0", "9"), .one("."), .one("-")])
        default: .union([.one("a"), one([.one("b"), .letters, .one("\\"), .not(.digits)])])
        }
    }
}
