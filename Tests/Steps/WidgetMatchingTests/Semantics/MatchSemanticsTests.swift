import Basics
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("What a rule matches")
struct MatchSemanticsTests {
    static let character = EventPattern(["character": [.parameter("character")]])

    @Test("A widget is found by the value that its configuration has")
    func byConfiguredValue() throws {
        var harness = MatcherHarness(rule: Self.character)
        let elf = try harness.insert(#"{"character":"elf-42"}"#)
        let orc = try harness.insert(#"{"character":"orc-7"}"#)
        let first = try harness.match(#"{"event":"damage","character":"elf-42","amount":25}"#)
        #expect(first == [elf])
        let second = try harness.match(#"{"character":"orc-7"}"#)
        #expect(second == [orc])
        let third = try harness.match(#"{"character":"elf-4"}"#)
        #expect(third == [])
    }

    @Test(
        "Values are equal only if their types are",
        arguments: [
            (#""30""#, #""30""#, true), (#""30""#, "30", false), ("30", #""30""#, false),
            ("30", "30.0", true), ("30", "3e1", true), ("3.0E+1", "300e-1", true),
            ("-0", "0", true), ("0", "0.0e5", true),
            ("9007199254740993", "9007199254740992", false),
            ("12345678901234567890123", "12345678901234567890123.0", true),
            ("12345678901234567890123", "12345678901234567890124", false),
            ("0.1", "1e-1", true), ("1.5", "1.50", true), ("1.5", "-1.5", false),
            ("true", "true", true), ("true", "false", false), ("true", #""true""#, false),
            ("false", "0", false), ("false", "null", false), (#""""#, #""""#, true),
            (#""""#, "null", false), (#""null""#, "null", false),
        ]
    )
    func typedEquality(configured: String, pushed: String, expected: Bool) throws {
        let found = try MatcherHarness.matches(
            Self.character,
            #"{"character":\#(configured)}"#,
            #"{"character":\#(pushed)}"#
        )
        #expect(found == expected)
    }

    @Test(
        "A literal of a rule matches its own type and value",
        arguments: [
            (PatternTest.string("x"), #""x""#, true), (.string("x"), #""y""#, false),
            (.number("30"), "3e1", true), (.number("30"), #""30""#, false),
            (.number("3e1"), "30.0", true), (.number("0.50"), "5e-1", true),
            (.boolean(true), "true", true), (.boolean(true), "false", false),
            (.boolean(false), "false", true), (.null, "null", true), (.null, "false", false),
            (.null, #""null""#, false), (.string("null"), "null", false),
        ]
    )
    func literals(alternative: PatternTest, pushed: String, expected: Bool) throws {
        let found = try MatcherHarness.matches(
            EventPattern(["f": [alternative]]),
            "{}",
            #"{"f":\#(pushed)}"#
        )
        #expect(found == expected)
    }

    @Test("Text is compared decoded, however it is escaped, in payload, configuration and name")
    func escapes() throws {
        #expect(
            try MatcherHarness.matches(
                Self.character,
                #"{"char\u0061cter":"\u0065lf \ud83e\udddd"}"#,
                #"{"\u0063haracter":"elf \uD83E\uDDDD"}"#
            )
        )
        #expect(
            try MatcherHarness.matches(
                Self.character,
                #"{"character":"elf 🧝\/"}"#,
                #"{"character":"elf \ud83e\uddDD/"}"#
            )
        )
        #expect(
            try !MatcherHarness.matches(
                Self.character,
                #"{"character":"\u0000"}"#,
                #"{"character":""}"#
            )
        )
    }

    @Test("Text that only looks the same, by Unicode normalisation, is not the same")
    func normalisation() throws {
        let composed = "caf\u{e9}"
        let decomposed = "cafe\u{301}"
        #expect(
            try !MatcherHarness.matches(
                Self.character,
                #"{"character":"\#(composed)"}"#,
                #"{"character":"\#(decomposed)"}"#
            )
        )
    }

    @Test("Alternatives are or; fields are and")
    func alternativesAndFields() throws {
        let rule = EventPattern([
            "event": [.string("dragon"), .string("damage"), .parameter("event")],
            "region": [.parameter("region")],
        ])
        var harness = MatcherHarness(rule: rule)
        let north = try harness.insert(#"{"region":"north","event":[]}"#)
        let south = try harness.insert(#"{"region":"south","event":"rain"}"#)
        let matches = try harness.match([
            #"{"event":"dragon","region":"north"}"#, #"{"event":"damage","region":"south"}"#,
            #"{"event":"rain","region":"north"}"#, #"{"event":"rain","region":"south"}"#,
            #"{"event":"dragon"}"#, #"{"region":"north"}"#, "{}",
        ])
        #expect(matches == [[north], [south], [], [south], [], [], []])
    }

    @Test("A literal that repeats the widget's own value does not report the widget twice")
    func repeatedAlternative() throws {
        let rule = EventPattern(["f": [.string("x"), .parameter("p"), .string("x")]])
        var harness = MatcherHarness(rule: rule)
        let widget = try harness.insert(#"{"p":["x","x","y"]}"#)
        let matches = try harness.match(#"{"f":["x","y","x"]}"#)
        #expect(matches == [widget])
    }

    // MARK: - Lists

    @Test(
        "A list in the configuration means any of its values",
        arguments: [
            (#"["a","b"]"#, #""a""#, true), (#"["a","b"]"#, #""b""#, true),
            (#"["a","b"]"#, #""c""#, false), (#"[]"#, #""a""#, false), (#"[]"#, "null", false),
            (#"[1,"1",true]"#, "1.0", true), (#"[1,"1",true]"#, "true", true),
            (#"[1,"1"]"#, "true", false), (#"[30,30.0,3e1]"#, "30", true),
        ]
    )
    func configuredLists(list: String, pushed: String, expected: Bool) throws {
        let found = try MatcherHarness.matches(
            Self.character,
            #"{"character":\#(list)}"#,
            #"{"character":\#(pushed)}"#
        )
        #expect(found == expected)
    }

    @Test(
        "A list in the payload matches if one of its elements does",
        arguments: [
            (#"["a"]"#, true), (#"["b","a"]"#, true), (#"["a","a"]"#, true), (#"["b"]"#, false),
            (#"[]"#, false), (#"[["a"]]"#, true), (#"[["b"],["a"]]"#, true),
            (#"[["b"],[[]]]"#, false), (#"[["b"],"a"]"#, true),
            (#"[{"character":"a"}]"#, false), (#"{"character":"a"}"#, false),
            (#"[null,1,true,{"x":["a"]},"a"]"#, true),
        ]
    )
    func pushedLists(list: String, expected: Bool) throws {
        let found = try MatcherHarness.matches(
            Self.character,
            #"{"character":"a"}"#,
            #"{"character":\#(list)}"#
        )
        #expect(found == expected)
    }

    @Test("A widget that several elements lead to is reported once", arguments: [2, 9, 40, 500])
    func manyElements(count: Int) throws {
        let values = (0..<count).map { #""v\#($0)""# }.joined(separator: ",")
        for rule in [Self.character, nil] {
            var harness = MatcherHarness(rule: rule)
            let widget = try harness.insert(#"{"character":[\#(values)]}"#)
            let single = try harness.insert(#"{"character":"v1"}"#)
            let matches = try harness.match([
                #"{"character":[\#(values),\#(values)]}"#, #"{"character":[\#(values)]}"#,
                #"{"character":"v0"}"#,
            ])
            #expect(matches == [[widget, single], [widget, single], [widget]])
        }
    }

    // MARK: - Paths

    @Test(
        "A path leads through objects, and through any object of a list",
        arguments: [
            (#"{"a":{"b":{"c":"x"}}}"#, true), (#"{"a":{"b":{"c":["y","x"]}}}"#, true),
            (#"{"a":[{"b":{"c":"x"}}]}"#, true), (#"{"a":[{"b":1},{"b":{"c":"x"}}]}"#, true),
            (#"{"a":[{"b":[{"c":"y"},{"c":"x"}]}]}"#, true), (#"{"a":[[{"b":{"c":"x"}}]]}"#, true),
            (#"{"a":{"b":"x"}}"#, false), (#"{"a":{"b":{"c":{"d":"x"}}}}"#, false),
            (#"{"b":{"c":"x"}}"#, false), (#"{"c":"x"}"#, false), (#"{"a":{"c":"x"}}"#, false),
            (#"{"a":{"a":{"b":{"c":"x"}}}}"#, false), (#"{"a.b.c":"x"}"#, false),
            (#"{"a":{"x":{"b":{"c":"x"}},"b":{"c":"x"}}}"#, true),
            (#"{"a":{"b":{"c":[["x"]]}}}"#, true), (#"{"a":[{"b":[[{"c":"x"}]]}]}"#, true),
            (#"{"a":[["b",{"c":"x"}]]}"#, false),
        ]
    )
    func paths(payload: String, expected: Bool) throws {
        let rule = EventPattern(["a.b.c": [.parameter("p")]])
        #expect(try MatcherHarness.matches(rule, #"{"p":"x"}"#, payload) == expected)
    }

    @Test("A field can be looked at itself and be on the way to another")
    func fieldOnTheWay() throws {
        var harness = MatcherHarness()
        harness.install([
            ("outer", EventPattern(["a": [.parameter("p")]])),
            ("inner", EventPattern(["a.b": [.parameter("p")]])),
        ])
        let outer = try harness.insert(#"{"p":"x"}"#, kind: 0)
        let inner = try harness.insert(#"{"p":"x"}"#, kind: 1)
        let matches = try harness.match([
            #"{"a":"x"}"#, #"{"a":{"b":"x"}}"#, #"{"a":["x",{"b":"x"}]}"#, #"{"a":{"a":"x"}}"#,
        ])
        #expect(matches == [[outer], [inner], [outer, inner], []])
    }

    // MARK: - Parameters that are missing, and no rule

    @Test("A widget that lacks the only alternative's parameter is stored and matches nothing")
    func missingParameter() throws {
        for configuration in ["{}", #"{"Character":"x"}"#, #"{"character":[]}"#] {
            let payload = #"@k {"character":["x",null,""]}"#
            #expect(try !MatcherHarness.matches(Self.character, configuration, payload))
        }
        // Even where another alternative would hold.
        let rule = EventPattern(["a": [.parameter("p"), .string("x")], "b": [.string("y")]])
        #expect(try !MatcherHarness.matches(rule, "{}", #"{"a":"x","b":"y"}"#))
        #expect(try MatcherHarness.matches(rule, #"{"p":[]}"#, #"{"a":"x","b":"y"}"#))
        let both = EventPattern(["a": [.parameter("p")], "b": [.string("y")]])
        #expect(try !MatcherHarness.matches(both, "{}", #"{"a":"x","b":"y"}"#))
    }

    @Test("Parameters that the rule does not name do not matter")
    func otherParameters() throws {
        let configuration = #"{"colour":"red","character":"x","size":[],"deep":3}"#
        #expect(
            try MatcherHarness.matches(
                Self.character,
                configuration,
                #"{"character":"x","colour":"blue"}"#
            )
        )
    }

    @Test("Without a rule every parameter must equal the field of its name")
    func withoutRule() throws {
        let cases: [(String, String, Bool)] = [
            (#"{"guild":"g"}"#, #"{"guild":"g","more":1}"#, true),
            (#"{"guild":"g"}"#, #"{"guild":"h"}"#, false),
            (#"{"guild":"g","level":30}"#, #"{"level":3e1,"guild":["x","g"]}"#, true),
            (#"{"guild":"g","level":30}"#, #"{"guild":"g"}"#, false),
            (#"{"guild":["g","h"],"on":true}"#, #"{"on":true,"guild":"h"}"#, true),
            (#"{"guild":["g","h"],"on":true}"#, #"{"on":false,"guild":"h"}"#, false),
            (#"{"guild":"g","none":[]}"#, #"{"guild":"g","none":[]}"#, false),
            (#"{"guild":"g"}"#, #"{"a":{"guild":"g"}}"#, false),
        ]
        for (configuration, payload, expected) in cases {
            let found = try MatcherHarness.matches(nil, configuration, payload)
            #expect(found == expected, "\(configuration) and \(payload)")
        }
    }

    @Test("Apps do not see each other's fields and kinds")
    func apps() throws {
        var harness = MatcherHarness()
        let rule = Self.character
        harness.matcher.install(apps: [
            .init(app: 3, kinds: [.init(kind: 0, name: "k", rule: rule)]),
            .init(app: 5, kinds: [.init(kind: 1, name: "k", rule: nil)]),
        ])
        let ruled = try harness.insert(#"{"character":"x"}"#, kind: 0)
        let plain = try harness.insert(#"{"character":"x"}"#, kind: 1)
        let payload = #"@k {"character":"x"}"#
        #expect(try harness.match(payload, app: 3) == [ruled])
        #expect(try harness.match(payload, app: 5) == [plain])
        #expect(try harness.match(payload, app: 4) == [])
    }
}
