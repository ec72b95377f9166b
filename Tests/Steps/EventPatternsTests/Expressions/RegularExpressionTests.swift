import Basics
import TestSupport
import Testing

@testable import EventPatterns

@Suite struct RegularExpressionTests {
    private func matches(_ text: String, _ value: String) throws -> Bool {
        let expression = try text.withByteView { (view) throws(RegularExpressionError) in
            try RegularExpression(view)
        }
        var scratch = RegexScratch()
        return value.withByteView { expression.matches($0, using: &scratch) }
    }

    private func compiled(_ text: String) throws(RegularExpressionError) -> RegularExpression {
        try text.withByteView { (view) throws(RegularExpressionError) in
            try RegularExpression(view)
        }
    }

    /// Checks which values are matched and which are not.
    private func check(
        _ text: String,
        _ matching: [String],
        not others: [String],
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        for value in matching {
            #expect(try matches(text, value), "\(text) on \(value)", sourceLocation: location)
        }
        for value in others {
            #expect(try !matches(text, value), "\(text) on \(value)", sourceLocation: location)
        }
    }

    @Test("An expression matches the whole value or not at all")
    func wholeValue() throws {
        try check("abc", ["abc"], not: ["", "ab", "abcd", "xabc", "abd"])
        try check("", [""], not: ["a"])
        try check("a|b", ["a", "b"], not: ["", "ab", "c"])
        try check("a|", ["a", ""], not: ["b"])
        try check("ab|cd", ["ab", "cd"], not: ["abd", "acd"])
        try check("(a|b)c", ["ac", "bc"], not: ["a", "abc"])
        try check("()", [""], not: ["a"])
    }

    @Test("Quantifiers count as they say")
    func quantifiers() throws {
        try check("a*", ["", "a", "aaaa"], not: ["b", "ab"])
        try check("a+", ["a", "aaaa"], not: ["", "b"])
        try check("a?", ["", "a"], not: ["aa"])
        try check("a{2}", ["aa"], not: ["a", "aaa", ""])
        try check("a{2,}", ["aa", "aaaaa"], not: ["a"])
        try check("a{1,3}", ["a", "aa", "aaa"], not: ["", "aaaa"])
        try check("a{0}", [""], not: ["a"])
        try check("a{0,}", ["", "aa"], not: ["b"])
        try check("a{002}", ["aa"], not: ["a"])
        try check("(ab){2,3}c", ["ababc", "abababc"], not: ["abc", "ababababc", "abab"])
        try check("(){1000000}a{1}", ["a"], not: ["", "aa"])
        try check("(((){999999}){999999}){999999}b", ["b"], not: ["", "bb"])
        try check("(a{0}){999999999999999999999,}", [""], not: ["a"])
        try check("(a*)*(b?)+", ["", "aab", "abb"], not: ["ba"])
    }

    @Test("Classes take what they list, or all but that")
    func classes() throws {
        try check("[abc]", ["a", "b", "c"], not: ["", "d", "ab"])
        try check("[a-c]", ["a", "b", "c"], not: ["d", "-"])
        try check("[^a-c]", ["d", "ü", "🙂", "\n"], not: ["a", "c", ""])
        try check("[-a]", ["-", "a"], not: ["b"])
        try check("[a-]", ["-", "a"], not: ["b"])
        try check("[--]", ["-"], not: ["a"])
        try check("[^-a-c-]", ["d"], not: ["-", "b"])
        try check("[^^]", ["a"], not: ["^"])
        try check("[a^]", ["^", "a"], not: ["b"])
        try check("[\\-\\]\\[\\\\\\^]", ["-", "]", "[", "\\", "^"], not: ["a"])
        try check("[.*+?(){}|$]", [".", "*", "+", "?", "(", ")", "{", "}", "|", "$"], not: ["a"])
        try check("[α-ω]", ["α", "π"], not: ["Α", "a"])
        try check("[😀-😂]", ["😁"], not: ["😃", "a"])
        try check("[\\n-\\r]", ["\n", "\r", "\u{b}"], not: ["\t"])
        try check("[a-zc-d0]", ["a", "c", "x", "z", "0"], not: ["1", "A"])
        try check("[α-ωβ-γ]", ["α", "ψ"], not: ["Α"])
        try check("[c-ea-d]{2}", ["ae", "dd"], not: ["af"])
    }

    @Test("A dot takes any character but the line feed and the carriage return")
    func dot() throws {
        try check(".", ["a", "ü", "🙂", "\t", "\u{2028}", "\u{85}", "\0"], not: ["\n", "\r", ""])
        try check("..", ["e\u{301}"], not: ["é"])
    }

    @Test("Escapes are plain characters, and so are ^ and $")
    func escapes() throws {
        try check("\\(\\)\\*\\+\\-\\.\\?\\[\\\\\\]\\^\\{\\|\\}", ["()*+-.?[\\]^{|}"], not: [""])
        try check("\\n\\r\\t", ["\n\r\t"], not: ["nrt"])
        try check("^a$", ["^a$"], not: ["a"])
        try check("a,-b", ["a,-b"], not: ["ab"])
        try check("\u{1}\0", ["\u{1}\0"], not: [""])
    }

    @Test("The examples of the RFC are matched as it says")
    func examples() throws {
        try check("[ab]{3}", ["aba", "bbb"], not: ["ab", "abab", "abc"])
        try check("\\p{Nd}+", ["123", "٣"], not: ["", "½", "a"])
        try check("19[0-9][0-9]|20[0-9][0-9]", ["1999", "2024"], not: ["1899", "202", "20244"])
        try check(
            "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}(:[0-9]{2}){2}(\\.[0-9]+)?Z",
            ["2023-10-01T12:00:00Z", "2023-10-01T12:00:00.25Z"],
            not: ["2023-10-01", "2023-10-01T12:00Z", "2023-10-01T12:00:00+00"]
        )
        try check("\\p{Lu}\\p{Ll}*", ["Anna", "Élan", "Ω"], not: ["anna", "ANNA", "A1"])
    }

    @Test(
        "Each general category has its characters",
        arguments: [
            ("Lu", "AÉΩ", "aǅ1"), ("Ll", "aéω", "Aª"), ("Lt", "ǅᾈ", "Aa"), ("Lm", "ʰˇ々", "a"),
            ("Lo", "ªא日", "a々"), ("L", "Aaǅʰ日", "1_\u{301}"), ("Mn", "\u{301}\u{5b0}", "a"),
            ("Mc", "\u{903}\u{93e}", "\u{301}"), ("Me", "\u{20dd}", "\u{301}"),
            ("M", "\u{301}\u{903}\u{20dd}", "a"), ("Nd", "09٣", "½Ⅷ"), ("Nl", "Ⅷ〇", "8"),
            ("No", "½²", "2"), ("N", "8Ⅷ½", "a"), ("Pc", "_‿", "-"), ("Pd", "-–", "_"),
            ("Ps", "([{", ")"), ("Pe", ")]}", "("), ("Pi", "«“", "»"), ("Pf", "»”", "«"),
            ("Po", "!.,@*", "-"), ("P", "_-()«»!", "+a"), ("Sm", "+<=>|~×", "-"),
            ("Sc", "$€", "+"), ("Sk", "^`´", "~"), ("So", "©🙂", "+"), ("S", "+$^©", "a!"),
            ("Zs", " \u{a0}\u{3000}", "\t\u{2028}"), ("Zl", "\u{2028}", " "),
            ("Zp", "\u{2029}", " "), ("Z", " \u{2028}\u{2029}", "\t"), ("Cc", "\t\0\u{85}", " "),
            ("Cf", "\u{ad}\u{200b}", "\t"), ("Co", "\u{e000}", "\u{200b}"),
            ("Cn", "\u{378}\u{10ffff}", "\u{e000}a"), ("C", "\t\u{ad}\u{e000}\u{378}", "a "),
        ]
    )
    func categories(name: String, members: String, others: String) throws {
        for scalar in members.unicodeScalars {
            #expect(try matches("\\p{\(name)}", String(scalar)), "U+\(scalar.value)")
            #expect(try !matches("\\P{\(name)}", String(scalar)), "U+\(scalar.value)")
            #expect(try matches("[!-\\-\\p{\(name)}]", String(scalar)), "U+\(scalar.value)")
        }
        for scalar in others.unicodeScalars {
            #expect(try !matches("\\p{\(name)}", String(scalar)), "U+\(scalar.value)")
            #expect(try matches("\\P{\(name)}", String(scalar)), "U+\(scalar.value)")
            #expect(try matches("[^\\p{\(name)}]", String(scalar)), "U+\(scalar.value)")
        }
    }

    @Test(
        "What is no expression is refused where it goes wrong",
        arguments: [
            ("(", 0), ("ab(c", 2), (")", 0), ("a)b", 1), ("(a))", 3), ("*", 0), ("a|*", 2),
            ("(+a)", 1), ("a**", 2), ("a+?", 2), ("a{2}{3}", 4), ("?", 0), ("{2}", 0), ("a{", 2),
            ("a{}", 2), ("a{,2}", 2), ("a{2", 1), ("a{2,", 4), ("a{2,x}", 4), ("a{3,2}", 1),
            ("a{-1}", 2), ("a{1 }", 1), ("]", 0), ("a}", 1), ("[", 0), ("[a", 0), ("[]", 1),
            ("[]a]", 1), ("[^]", 2), ("[a-", 2), ("[b-a]", 1), ("[a-b-c]", 4), ("[--a]", 2),
            ("[a--]", 3), ("[a[b]", 2), ("[a-[b]]", 3), ("[\\p{L}-z]", 6), ("[a-\\p{L}]", 3),
            ("[\\d]", 1), ("\\", 0), ("a\\", 1), ("\\d", 0), ("\\w", 0), ("\\s", 0), ("\\b", 0),
            ("\\1", 0), ("\\x41", 0), ("\\u0041", 0), ("\\$", 0), ("\\/", 0), ("\\ü", 0),
            ("\\p", 0), ("\\pL", 0), ("\\p{", 0), ("\\p{L", 0), ("\\p{}", 3), ("\\p{Lx}", 3),
            ("\\p{Cs}", 3), ("\\p{IsLatin}", 3), ("\\p{l}", 3), ("\\p{LuLl}", 3), ("(?:a)", 1),
            ("(?i)a", 1), ("(?=a)", 1), ("ü(", 2),
        ]
    )
    func refusals(text: String, offset: Int) throws {
        let error = #expect(throws: RegularExpressionError.self, "\(text)") {
            _ = try compiled(text)
        }
        #expect(error?.offset == offset, "\(text): \(error?.reason ?? "")")
        #expect(error?.reason.hasSuffix(".") == true)
    }

    @Test("Size and nesting have limits")
    func limits() throws {
        let limit = PatternLimits.regexpInstructions
        for text in [
            "(((a{1,50}){1,50}){1,50})", "a{\(limit)}", "(a|b){1000000}", "(a{9}){99999999999}",
            "((((((a?){0,50}){0,50}){0,50}){0,50}){0,50}){0,50}",
        ] {
            let error = #expect(throws: RegularExpressionError.self) { _ = try compiled(text) }
            #expect(error?.reason.contains("4096") == true, "\(text)")
        }
        // All but the last instruction, which matches.
        #expect(try compiled("a{\(limit - 1)}").instructionCount == limit)
        let long = PatternLimits.expressionBytes
        #expect(try compiled(String(repeating: "a", count: long)).instructionCount == long + 1)
        #expect(throws: RegularExpressionError.self) {
            _ = try compiled(String(repeating: "a", count: long + 1))
        }
        let depth = RegularExpression.nestingLimit
        let open = String(repeating: "(", count: depth)
        let close = String(repeating: ")", count: depth)
        #expect(try matches(open + "a" + close + "(b)", "ab"))
        for text in ["(" + open + "a" + close + ")", String(repeating: "(", count: 1_000)] {
            let error = #expect(throws: RegularExpressionError.self) { _ = try compiled(text) }
            #expect(error?.offset == depth)
        }
    }

    @Test(
        "The bytes that every match begins with are known",
        arguments: [
            ("", ""), ("abc", "abc"), ("ab*", "a"), ("a+", "a"), ("a?b", ""), ("(ab){2}c?", "abab"),
            ("a|b", ""), ("ü[.]x(y|z)", "ü.x"), ("[ab]c", ""), ("a.", "a"),
            ("a()b", "ab"), ("a{2,}", "aa"), ("a{0}b", "b"), ("\\.\\*", ".*"), ("((a)(b))c", "abc"),
        ]
    )
    func prefixes(text: String, prefix: String) throws {
        #expect(try compiled(text).literalPrefix == Array(prefix.utf8), "\(text)")
    }

    @Test("Random expressions match what the slow matcher matches")
    func againstSlowMatcher() throws {
        let seed: UInt64 = 8_807
        var random = SeededGenerator(seed: seed)
        var scratch = RegexScratch()
        var (found, missed) = (0, 0)
        for round in 0..<4_000 {
            let slow = SlowRegex.random(&random, depth: 4)
            let expression = try compiled(slow.text)
            for _ in 0..<10 {
                let value = (0..<random.below(7)).map { _ in
                    ["a", "a", "b", "b", "c", "ü", "\n"][random.below(7)]
                }.joined()
                let expected = slow.matches(value)
                if expected { found += 1 } else { missed += 1 }
                let held = value.withByteView { expression.matches($0, using: &scratch) }
                let context = "seed \(seed), round \(round)"
                #expect(held == expected, "\(context): \(slow.text) on \(value.debugDescription)")
                let prefix = String(decoding: expression.literalPrefix, as: UTF8.self)
                #expect(!expected || value.hasPrefix(prefix), "\(context): the prefix \(prefix)")
            }
        }
        #expect(found > 4_000 && missed > 4_000, "seed \(seed): \(found) found, \(missed) missed")
    }

    @Test("Nested quantifiers end on long values")
    func nestedQuantifiers() throws {
        let letters = String(repeating: "a", count: 50_000)
        for text in ["(a*)*b", "(a|a)*b", "((a+)+)+b", "(a?){30}a*b", "(a|aa)+b"] {
            #expect(try !matches(text, letters), "\(text)")
            #expect(try matches(text, letters + "b"), "\(text)")
        }
    }

    @Test("A scratch serves one expression after another and grows only for larger ones")
    func scratch() throws {
        var scratch = RegexScratch()
        let (small, large) = (try compiled("a*b"), try compiled("(a|b){500}c"))
        #expect(scratch.byteCount == 0)
        scratch.reserve(instructions: large.instructionCount)
        let held = scratch.byteCount
        #expect(held >= large.instructionCount * 14)
        let value = String(repeating: "ab", count: 250)
        for _ in 0..<3 {
            #expect((value + "c").withByteView { large.matches($0, using: &scratch) })
            #expect("aab".withByteView { small.matches($0, using: &scratch) })
            #expect(value.withByteView { !large.matches($0, using: &scratch) })
            #expect("aaba".withByteView { !small.matches($0, using: &scratch) })
        }
        #expect(scratch.byteCount == held)
        #expect(large.byteCount >= large.instructionCount * 8)
    }
}
