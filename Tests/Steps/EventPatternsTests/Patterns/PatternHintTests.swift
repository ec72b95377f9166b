import Basics
import Testing

@testable import EventPatterns

@Suite("Hints about patterns")
struct PatternHintTests {
    private func hints(_ text: String) throws -> [String] {
        try Array(text.utf8).withByteView { view throws(PatternError) in
            try PatternParser.parse(view)
        }.hints
    }

    @Test(arguments: [
        "^goal-[0-9]+$", "^a", "a$", "(^a|b)", "a|b$", "(a$)", "x(a|^b)", "^", "$", "^^", "a$$",
        "^*a", "(a|b$)+", #"\\^a|^b"#, "[a-z]$",
    ])
    func `Anchors of other languages have a hint`(_ expression: String) throws {
        let found = try hints(#"{"e":[{"regexp":"\#(expression)"}]}"#)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("e: in the regular expression ") == true)
    }

    @Test(arguments: [
        "a", "goal-[0-9]+", "[^a]", "[$]", #"\\^a"#, "a^b", "a$b", "5[$]", "[a$]", "(a)[^$]",
        "a$*b",
    ])
    func `Characters that stand where no anchor can are meant`(_ expression: String) throws {
        #expect(try hints(#"{"e":[{"regexp":"\#(expression)"}]}"#) == [])
    }

    @Test func `A hint has the path of its condition`() throws {
        let found = try hints(
            #"""
            {"a":{"b":[{"all-of":[{"regexp":"^x"},{"prefix":"^"}]}]},
             "$or":[{"c":[{"regexp":"y$"}]},{"d":["^z$"]}],
             "w":[{"regexp":"${configuration.re}"}]}
            """#
        )
        #expect(found.map { $0.prefix { $0 != " " } } == ["a.b:", "c:"])
    }

    @Test func `What is looked for in the object itself is named`() throws {
        let text = Array(#"{"a":{"x":[1]},"$or":[{"c":[1]},{"d.e":[1],"a":[2]}]}"#.utf8)
        let pattern = try text.withByteView { view throws(PatternError) in
            try PatternParser.parse(view)
        }
        #expect(pattern.memberNames == ["a", "c", "d.e", "a"])
    }
}
