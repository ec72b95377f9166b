import Basics
import TestSupport
import Testing

/// The model judges the matcher; these judge the model, by hand.
@Suite("The naive matcher itself")
struct ModelTests {
    @Test("Numbers compare by value, however long they are")
    func numbers() {
        let ascending = [
            "-1e30", "-12345678901234567890", "-2", "-1.5", "-1e-300", "0", "1e-300", "0.1", "0.11",
            "1", "1.5", "9.99", "10", "9007199254740992", "9007199254740993",
            "12345678901234567890122", "12345678901234567890123", "1e300",
        ].map { ModelNumber($0) }
        for (position, left) in ascending.enumerated() {
            for (other, right) in ascending.enumerated() {
                #expect((left < right) == (position < other), "\(left.plain), \(right.plain)")
                #expect((left == right) == (position == other), "\(left.plain), \(right.plain)")
            }
        }
        for same in ["30", "30.0", "3e1", "3.0E+1", "300e-1", "0.03e3"] {
            #expect(ModelNumber(same) == ModelNumber(30, 0), "\(same)")
        }
        #expect(ModelNumber("-0") == ModelNumber("0.00e7"))
        var random = SeededGenerator(seed: 9)
        for number in ascending {
            for _ in 0..<20 {
                let text = number.spelled(&random)
                #expect(ModelNumber(text) == number, "\(text) for \(number.plain)")
            }
        }
    }

    @Test(
        "Wildcards",
        arguments: [
            ("", "", true), ("", "a", false), ("*", "", true), ("*", "ab", true),
            ("a*", "a", true), ("a*", "ba", false), ("*b", "aab", true), ("a*b", "ab", true),
            ("a*b", "aXbb", true), ("a*b*c", "abbc", true), ("a*b*c", "acb", false),
            (#"\*"#, "*", true), (#"\*"#, "a", false), (#"\\*"#, #"\a"#, true),
            (#"a\**"#, "a*b", true), ("*é", "xé", true),
        ]
    )
    func globs(pattern: String, text: String, expected: Bool) {
        #expect(ModelGlob(pattern)?.matches(text) == expected)
    }

    @Test("What is no wildcard", arguments: ["**", "a**b", #"\"#, #"\a"#, #"*\"#])
    func badGlobs(pattern: String) {
        #expect(ModelGlob(pattern) == nil)
    }

    @Test(
        "Regular expressions",
        arguments: [
            ("", "", true), ("", "a", false), ("ab", "ab", true), ("ab", "abc", false),
            ("a|bc", "bc", true), ("a|bc", "ac", false), ("(a|b)*", "abba", true),
            ("(a|b)*", "abc", false), ("a{2}", "aa", true), ("a{2}", "aaa", false),
            ("a{2,}", "aaaa", true), ("a{0,1}b", "b", true), ("(a*)*b", "aaab", true),
            ("a?a?aa", "aa", true), (".", "\n", false), (".", "é", true), ("[a-c]+", "abcd", false),
            ("[^a-c]", "d", true), ("[^a]", "a", false), ("[-a]", "-", true), ("[a-]", "-", true),
            (#"\p{L}+"#, "éß", true), (#"\P{L}"#, "1", true), (#"\p{Nd}"#, "7", true),
            (#"[\p{Nd}b]+"#, "1b2", true), (#"\.\*"#, ".*", true), ("a|", "", true),
            ("^a", "^a", true), ("a$", "a$", true), ("()", "", true),
            ("((a){1,2}){2}", "aaa", true),
        ]
    )
    func regexps(pattern: String, text: String, expected: Bool) {
        #expect(ModelRegexpReader.read(pattern)?.matches(text) == expected)
    }

    @Test(
        "What is not a regular expression",
        arguments: [
            "(", ")", "a)", "*", "+a", "a**", "[", "[]", "]", "a{", "a{}", "a{2,1}", "{", "}",
            #"\"#, #"\d"#, #"\a"#, #"\p{Foo}"#, "[a-b-c]", "[b-a]", "a{,2}",
        ]
    )
    func badRegexps(pattern: String) {
        #expect(ModelRegexpReader.read(pattern) == nil)
    }

    @Test("An expression that is printed and read again matches the same texts")
    func printedRegexps() throws {
        var generator = ModelGenerator(seed: 5)
        for _ in 0..<300 {
            let text = generator.regexp()
            let read = try #require(ModelRegexpReader.read(text), "\(text)")
            #expect(read.text == text || ModelRegexpReader.read(read.text) != nil, "\(text)")
            for _ in 0..<10 {
                let subject = generator.text()
                let again = ModelRegexpReader.read(read.text)?.matches(subject)
                #expect(read.matches(subject) == again, "\(text) and \(subject)")
            }
        }
    }

    @Test(
        "Blocks of addresses",
        arguments: [
            ("10.1.2.3", "10.0.0.0/8", true), ("11.1.2.3", "10.0.0.0/8", false),
            ("10.1.2.3", "10.9.9.9/8", true), ("1.2.3.4", "0.0.0.0/0", true),
            ("::1", "0.0.0.0/0", false), ("1.2.3.4", "::/0", false),
            ("::ffff:1.2.3.4", "::ffff:0:0/96", true), ("::ffff:1.2.3.4", "1.2.3.4/32", false),
            ("2001:DB8::1", "2001:db8::/32", true),
            ("2001:db8:0:0:0:0:0:1", "2001:db8::1/128", true),
            ("01.2.3.4", "0.0.0.0/0", false), ("1.2.3", "0.0.0.0/0", false),
            ("1.2.3.4", "1.2.3.4/33", false), ("fe80::1%eth0", "::/0", false),
            ("1::2::3", "::/0", false), (":::", "::/0", false), ("1:2", "::/0", false),
            ("1:2:3:4:5:6:7:8", "1:2:3:4::/64", true), ("1::", "1::/16", true),
            ("192.168.0.200", "192.168.0.128/25", true),
            ("192.168.0.100", "192.168.0.128/25", false),
        ]
    )
    func addresses(address: String, block: String, expected: Bool) {
        #expect(ModelAddress.isInside(address, block) == expected)
    }

    @Test("Folding makes letters one that differ in case, and no others")
    func folding() {
        for (left, right) in [
            ("K\u{212a}k", "kkk"), ("Sſs", "sss"), ("ΣΣ", "σς"), ("É", "é"), ("ẞ", "ß"),
        ] {
            #expect(ModelCaseFolding.folded(left) == ModelCaseFolding.folded(right), "\(left)")
        }
        for (left, right) in [("ß", "ss"), ("İ", "i"), ("ı", "i"), ("É", "E\u{301}")] {
            #expect(ModelCaseFolding.folded(left) != ModelCaseFolding.folded(right), "\(left)")
        }
    }
}
