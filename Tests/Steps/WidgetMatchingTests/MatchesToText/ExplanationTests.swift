import Basics
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("Why a push concerns a widget, or not")
struct ExplanationTests {
    private func explain(
        _ pattern: String?,
        _ configuration: String,
        _ payload: String
    ) throws -> MatchExplanation {
        func tree(_ json: String) throws(JSONError) -> JSONValue {
            try json.withByteView { bytes throws(JSONError) in try JSONValue(parsing: bytes) }
        }
        let push = PushText(payload)
        return RuleExplainer.explain(
            rule: try pattern.map { try EventPattern($0) },
            kindName: "com.mygame.dragon-watch",
            configuration: try tree(configuration).members,
            payload: try tree(push.payload),
            kinds: push.kinds
        )
    }

    private static let watch =
        #"{"event":[{"prefix":"dra"}],"place":{"region":["${configuration.region}"]}}"#

    // MARK: - Matches

    @Test("A match names for every condition the value that passes and the test that it passes")
    func match() throws {
        let explanation = try explain(
            Self.watch,
            #"{"region":["coast","north"]}"#,
            #"{"event":"dragon","place":{"region":["marsh","north"]},"more":1}"#
        )
        #expect(explanation.isMatch)
        #expect(explanation.failedCount == 0)
        #expect(explanation.conditions.map(\.path) == ["event", "place.region"])
        #expect(explanation.conditions.map(\.passingValue) == [#""dragon""#, #""north""#])
        #expect(explanation.conditions[1].value == #"["marsh","north"]"#)
        #expect(
            explanation.sentence
                == #"matches: event: "dragon" passes prefix "dra"; place.region: "#
                + #""north" passes "${configuration.region}" = ["coast","north"]."#
        )
    }

    @Test("Without a rule every parameter is a condition on the field of its name")
    func withoutRule() throws {
        let configuration = #"{"guild":"silver","level":30}"#
        let match = try explain(nil, configuration, #"{"level":3e1,"guild":"silver"}"#)
        #expect(match.isMatch)
        let miss = try explain(nil, configuration, #"{"level":31,"guild":"silver"}"#)
        #expect(miss.failedCount == 1)
        #expect(miss.firstFailure?.path == "level")
        #expect(miss.firstFailure?.test == #""${configuration.level}" = 30"#)
    }

    // MARK: - Misses

    @Test("A miss names the first condition that fails, with both values, and counts the others")
    func miss() throws {
        let near = try explain(
            Self.watch,
            #"{"region":"north"}"#,
            #"{"event":"dragon","place":{"region":"coast"}}"#
        )
        #expect(!near.isMatch)
        #expect(near.isNearMiss)
        #expect(
            near.sentence == #"does not match: place.region: the push has "coast", the rule wants "#
                + #""${configuration.region}" = "north"."#
        )
        let far = try explain(Self.watch, #"{"region":"north"}"#, #"{"place":7}"#)
        #expect(far.failedCount == 2)
        #expect(!far.isNearMiss)
        #expect(far.conditions.map(\.value) == ["missing", "missing"])
        #expect(
            far.sentence
                == #"does not match: event: the push lacks it, the rule wants prefix "dra"; "#
                + "1 more condition fails."
        )
    }

    @Test("Parameters that are missing are named, wherever the rule names them")
    func missingParameter() throws {
        let explanation = try explain(
            #"{"event":["dragon","${configuration.event}"],"hp":[1]}"#,
            "{}",
            #"{"event":"dragon","hp":1}"#
        )
        #expect(explanation.isNearMiss)
        #expect(explanation.conditions[0].notes == ["the widget has no parameter event"])
        let choice = try explain(
            #"{"$or":[{"hp":[1]},{"place":{"region":["${configuration.region}"]}}]}"#,
            "{}",
            #"{"hp":1}"#
        )
        #expect(choice.isNearMiss)
        #expect(choice.sentence.contains("the widget has no parameter region"))
    }

    @Test(
        "Values of the widget that their place cannot use are named",
        arguments: [
            (#"{"prefix":"${configuration.p}"}"#, "3", "3 is not a string"),
            (#"{"wildcard":"${configuration.p}"}"#, #""a**""#, #""a**" is not a wildcard"#),
            (#"{"regexp":"${configuration.p}"}"#, #""(""#, #""(" is not a regular expression"#),
            (#"{"cidr":"${configuration.p}"}"#, #""x""#, #""x" is not a block of addresses"#),
            (#"{"numeric":["<","${configuration.p}"]}"#, #"[7,"7"]"#, #""7" is not a number"#),
            (#"{"anything-but":{"prefix":"${configuration.p}"}}"#, "true", "true is not a string"),
        ]
    )
    func unusable(alternative: String, value: String, note: String) throws {
        let explanation = try explain(
            #"{"f":[\#(alternative)]}"#,
            #"{"p":\#(value)}"#,
            #"{"f":"x"}"#
        )
        let notes = explanation.conditions[0].notes
        #expect(notes.count == 1)
        #expect(notes.first?.hasPrefix("the parameter p is of no use here: \(note)") == true)
        #expect(explanation.sentence.contains(note))
    }

    @Test("Narrowing by kinds is a condition of its own")
    func narrowing() throws {
        let event = #"{"event":"dragon","place":{"region":"north"}}"#
        let other = try explain(Self.watch, #"{"region":"north"}"#, "@x \(event)")
        #expect(other.isNearMiss)
        #expect(other.firstFailure?.path == "kinds")
        #expect(other.firstFailure?.value == #"["x"]"#)
        let own = "@x,com.mygame.dragon-watch \(event)"
        #expect(try explain(Self.watch, #"{"region":"north"}"#, own).isMatch)
        let unnamed = try explain(nil, "{}", "{}")
        #expect(unnamed.isNearMiss)
        #expect(
            unnamed.sentence == "does not match: kinds: the push lacks it, the rule wants the kind "
                + #""com.mygame.dragon-watch"."#
        )
        #expect(try explain(nil, "{}", "@com.mygame.dragon-watch {}").isMatch)
    }

    // MARK: - Choices and lists

    @Test("A choice is one condition, and the pattern that comes closest is reported")
    func choice() throws {
        let pattern = #"""
            {"hp":[1],"$or":[{"a":[1],"b":[2],"c":[3]},{"a":[1],"d":{"e":[4]}}]}
            """#
        let miss = try explain(pattern, "{}", #"{"hp":1,"a":1}"#)
        #expect(miss.isNearMiss)
        #expect(miss.firstFailure?.path == "$or")
        #expect(
            miss.firstFailure?.branches.map { $0.map(\.holds) } == [
                [true, false, false], [true, false],
            ]
        )
        #expect(
            miss.sentence == "does not match: $or: none of 2 patterns holds; the closest fails at "
                + "d.e: the push lacks it, the rule wants 4."
        )
        let match = try explain(pattern, "{}", #"{"hp":1,"a":1,"d":{"e":4}}"#)
        #expect(match.isMatch)
        #expect(
            match.sentence == "matches: hp: 1 passes 1; $or: a: 1 passes 1 and d.e: 4 passes 4."
        )
    }

    @Test("Of a list of objects the one that comes closest is reported")
    func list() throws {
        let pattern = #"{"trains":{"line":["U8"],"late":[true]}}"#
        let miss = try explain(
            pattern,
            "{}",
            #"{"trains":[{"line":"U7"},{"line":"U8","late":false},{"late":true,"line":"U9"}]}"#
        )
        #expect(miss.isNearMiss)
        #expect(miss.conditions.map(\.path) == ["trains[1].line", "trains[1].late"])
        #expect(miss.sentence.contains("none of 3 objects of trains passes everything"))
        let match = try explain(pattern, "{}", #"{"trains":[0,{"line":"U8","late":true}]}"#)
        #expect(match.isMatch)
        #expect(match.conditions[0].path == "trains[1].line")
    }

    // MARK: - Words

    @Test(
        "Every test has its words",
        arguments: [
            (#""x""#, #""x""#), ("3e1", "3e1"), ("null", "null"),
            (#"{"suffix":{"equals-ignore-case":"x"}}"#, #"suffix (ignoring case) "x""#),
            (
                #"{"numeric":[">",1,"<=","${configuration.p}"]}"#,
                #"> 1 and <= "${configuration.p}" = 7"#
            ),
            (#"{"exists":true}"#, "any value"), (#"{"exists":false}"#, "no such field"),
            (#"{"anything-but":["x",1]}"#, #"anything but "x" or 1"#),
            (#"{"all-of":["x",{"prefix":"y"}]}"#, #"all of "x" and prefix "y""#),
            (#"{"all-of":"${configuration.p}"}"#, #"all of "${configuration.p}" = 7"#),
            (#""x",{"cidr":"10.0.0.0/8"}"#, #""x" or cidr "10.0.0.0/8""#),
        ]
    )
    func words(alternatives: String, words: String) throws {
        let explanation = try explain(#"{"f":[\#(alternatives)]}"#, #"{"p":7}"#, #"{"f":[]}"#)
        #expect(explanation.conditions[0].test == words)
    }

    @Test("Names that could be misread are quoted, and long values are cut")
    func readable() throws {
        let long = String(repeating: "é", count: 100)
        let explanation = try explain(
            #"{"a.b":{"":{"c d":["x"]}}}"#,
            "{}",
            #"{"a.b":{"":{"c d":"\#(long)"}}}"#
        )
        let condition = explanation.conditions[0]
        #expect(condition.path == #""a.b".""."c d""#)
        #expect(condition.value.count == 64)
        #expect(condition.value.hasSuffix("…"))
    }

    @Test(
        "The explanation and the naive matcher agree",
        arguments: 101...108 as ClosedRange<UInt64>
    )
    func agreement(seed: UInt64) throws {
        var generator = ModelGenerator(seed: seed)
        var matchCount = 0
        for _ in 0..<400 {
            let kind = ModelKind(
                app: 0,
                name: "k1",
                rule: generator.happens(onceIn: 8) ? nil : generator.pattern()
            )
            let widget = generator.widget([kind])
            let payload = generator.payload()
            let expected = ModelMatcher.concerns(payload, of: 0, widget, kind)
            let explanation = RuleExplainer.explain(
                rule: kind.rule,
                kindName: kind.name,
                configuration: JSONValue(.object(widget.parameters)).members,
                payload: JSONValue(payload),
                kinds: payload.kindNames
            )
            let disagreement = Disagreement(kind: kind, widget: widget, payload: payload)
            #expect(explanation.isMatch == expected, "seed \(seed): \(disagreement)")
            #expect(explanation.isMatch == (explanation.firstFailure == nil), "seed \(seed)")
            #expect(!explanation.sentence.isEmpty)
            matchCount += expected ? 1 : 0
        }
        #expect((20..<200).contains(matchCount), "seed \(seed)")
    }
}

extension JSONValue {
    /// A value of the model.
    fileprivate init(_ value: ModelValue) {
        self =
            switch value {
            case .string(let text): .string(text)
            case .number(let number): .number(number.plain)
            case .boolean(let value): .boolean(value)
            case .null: .null
            case .list(let elements): .list(elements.map { JSONValue($0) })
            case .object(let members):
                .object(members.map { Member(name: $0.name, value: JSONValue($0.value)) })
            }
    }
}
