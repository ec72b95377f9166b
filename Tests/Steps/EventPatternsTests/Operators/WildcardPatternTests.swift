import Basics
import Glibc
import TestSupport
import Testing

@testable import EventPatterns

@Suite struct WildcardPatternTests {
    private func matches(_ pattern: [UInt8], _ value: [UInt8]) -> Bool {
        pattern.withByteView { pattern in
            value.withByteView { WildcardPattern.matches(pattern, value: $0) }
        }
    }

    private func matches(_ pattern: String, _ value: String) -> Bool {
        matches(Array(pattern.utf8), Array(value.utf8))
    }

    private func runs(_ pattern: [UInt8]) -> [[UInt8]] {
        pattern.withByteView { WildcardPattern.runs(of: $0) }
    }

    private func runs(_ pattern: String) -> [String] {
        runs(Array(pattern.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    private func problem(_ pattern: String) -> String? {
        pattern.withByteView { WildcardPattern.problem($0) }
    }

    @Test("A star is any run of bytes, and everything else is itself")
    func stars() {
        #expect(matches("", ""))
        #expect(!matches("", "a"))
        #expect(matches("*", ""))
        #expect(matches("*", "anything"))
        #expect(matches("a*c", "ac"))
        #expect(matches("a*c", "abcbc"))
        #expect(!matches("a*c", "abcb"))
        #expect(matches("*a*", "bab"))
        #expect(!matches("*a*", "bcb"))
        #expect(!matches("a*a", "a"))
        #expect(matches("*.png", "x.png.png"))
        #expect(matches("grün*", "grünlich"))
        #expect(!matches("?", "a"))
    }

    @Test("A backslash makes a star or a backslash plain")
    func escapes() {
        #expect(matches(#"\*"#, "*"))
        #expect(!matches(#"\*"#, "a"))
        #expect(matches(#"\\"#, #"\"#))
        #expect(matches(#"*\**"#, "a*b"))
        #expect(!matches(#"*\**"#, "ab"))
        #expect(matches(#"\\*"#, #"\anything"#))
        #expect(!matches(#"\\\*"#, #"\a"#))
    }

    @Test("What is wrong with a pattern is said with its place")
    func problems() throws {
        for pattern in ["", "*", "a*b*c", #"\*\\*\*"#, #"*\**"#] {
            #expect(problem(pattern) == nil, "\(pattern)")
        }
        #expect(try #require(problem("ab**c")).contains("byte 2"))
        #expect(try #require(problem("**")).contains("Two stars"))
        #expect(try #require(problem(#"a\bc"#)).contains("byte 1"))
        #expect(try #require(problem(#"abc\"#)).contains("ends in a backslash"))
        #expect(problem(#"\\\"#) != nil)
        #expect(problem(String(repeating: "a", count: 1_024)) == nil)
        #expect(try #require(problem(String(repeating: "a", count: 1_025))).contains("1025"))
    }

    @Test("The parts without stars are returned, unescaped")
    func parts() {
        #expect(runs("abc") == ["abc"])
        #expect(runs("*") == ["", ""])
        #expect(runs("a*bcd*ef") == ["a", "bcd", "ef"])
        #expect(runs(#"\*\*x*\\y"#) == ["**x", #"\y"#])
        #expect(runs(#"a*\*\**bcd*"#) == ["a", "**", "bcd", ""])
        #expect(runs("ab*cd") == ["ab", "cd"])
        #expect(runs("") == [""])
    }

    @Test("Only a star that is not escaped is one")
    func escapedStars() {
        #expect(runs(#"\*a"#) == ["*a"])
        #expect(runs(#"\\*a"#) == [#"\"#, "a"])
        #expect(runs(#"b\**a"#) == ["b*", "a"])
        #expect(runs(#"b\\\*a"#) == [#"b\*a"#])
    }

    @Test("Random patterns match what the slow matcher matches")
    func againstSlowMatcher() {
        let seed: UInt64 = 5_501
        var random = SeededGenerator(seed: seed)
        var found = 0
        for round in 0..<60_000 {
            let pattern = pattern(&random)
            let value = (0..<random.below(10)).map { _ in Array(#"aab*\"#.utf8)[random.below(5)] }
            let slow = SlowWildcard(pattern)
            let expected = slow.matches(value)
            if expected { found += 1 }
            let context =
                "seed \(seed), round \(round): \(String(decoding: pattern, as: UTF8.self))"
            #expect(matches(pattern, value) == expected, "\(context) on \(value)")
            #expect(runs(pattern) == slow.literals, "\(context)")
        }
        #expect(found > 5_000, "seed \(seed): the run matches too little to mean anything")
    }

    private func pattern(_ random: inout SeededGenerator) -> [UInt8] {
        var pattern: [UInt8] = []
        for _ in 0..<random.below(8) {
            switch random.below(7) {
            case 0, 1: pattern += Array("a".utf8)
            case 2: pattern += Array("b".utf8)
            case 3: pattern += Array(#"\*"#.utf8)
            case 4: pattern += Array(#"\\"#.utf8)
            default:
                // No two in a row.
                if SlowWildcard(pattern).literals.count == 1 || pattern.last != UInt8(ascii: "*")
                    || pattern.suffix(2) == Array(#"\*"#.utf8)[...]
                {
                    pattern += Array("*".utf8)
                }
            }
        }
        return pattern.withByteView { WildcardPattern.problem($0) } == nil ? pattern : []
    }

    /// How many times the usual number of rounds are tried; more for a long search.
    private static let rounds =
        getenv("RELOAD_ROUTER_MODEL_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 1

    @Test("Runs that nearly stand in many places are found where the quadratic matcher finds them")
    func againstQuadraticMatcher() {
        let seed: UInt64 = 8_801
        var random = SeededGenerator(seed: seed)
        var found = 0
        for round in 0..<60_000 * Self.rounds {
            // Long runs of few letters: borders of all lengths, and many places to try.
            let runs = (0..<1 + random.below(4)).map { _ in letters(&random, 1 + random.below(9)) }
            let edges = (random.below(2) == 0 ? "*" : "", random.below(2) == 0 ? "*" : "")
            let pattern = Array((edges.0 + runs.joined(separator: "*") + edges.1).utf8)
            let value = Array(letters(&random, random.below(round % 4 == 0 ? 400 : 60)).utf8)
            let isMatch = QuadraticWildcard.matches(pattern, value)
            if isMatch { found += 1 }
            let context =
                "seed \(seed), round \(round): \(String(decoding: pattern, as: UTF8.self))"
            #expect(matches(pattern, value) == isMatch, "\(context) on \(value)")
            let isRest = QuadraticWildcard.matches(Array("*".utf8) + pattern, value)
            if pattern.first == UInt8(ascii: "*") { continue }
            let rest = pattern.withByteView { pattern in
                value.withByteView { value in
                    var search = WildcardSearch()
                    return search.matches(pattern, value: value)
                }
            }
            #expect(rest == isRest, "\(context) after a star, on \(value)")
        }
        #expect(found > 3_000, "seed \(seed): the run matches too little to mean anything")
    }

    /// Letters of which one is frequent; now and then one that is escaped.
    private func letters(_ random: inout SeededGenerator, _ count: Int) -> String {
        var text = ""
        for _ in 0..<count { text += random.below(6) == 0 ? "b" : "a" }
        return text
    }

    @Test("A run that nearly stands everywhere is looked for in time that grows with the text")
    func nearlyEverywhere() {
        // Quadratic, this takes minutes: 480 comparisons at each of a million places.
        let run = String(repeating: "a", count: 480)
        let pattern = Array("a*a\(run)b*a\(run)c*\\\\a".utf8)
        var value = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
        for _ in 0..<3 { #expect(!matches(pattern, value)) }
        value += Array("b\(run)aac\\a".utf8)
        #expect(matches(pattern, value))
        #expect(!matches(pattern, value + Array("b".utf8)))
    }

    @Test("A pattern of a thousand bytes ends on a long value that it nearly matches")
    func manyStars() {
        let pattern = Array(String(repeating: "a*", count: 500).utf8) + Array("b".utf8)
        let value = [UInt8](repeating: UInt8(ascii: "a"), count: 64 << 10)
        #expect(!matches(pattern, value))
        #expect(matches(pattern, value + Array("b".utf8)))
    }
}
