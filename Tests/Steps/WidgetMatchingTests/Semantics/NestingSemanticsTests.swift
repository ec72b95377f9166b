import Basics
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("Nested fields and choices")
struct NestingSemanticsTests {
    private func matches(_ pattern: String, _ payload: String) throws -> Bool {
        try MatcherHarness.matches(pattern, "{}", payload)
    }

    @Test(
        "Conditions on a list's objects must all hold for the same object",
        arguments: [
            (#"[{"line":"U8","late":true}]"#, true),
            (#"[{"line":"U8","late":false},{"line":"U7","late":true}]"#, false),
            (#"[{"line":"U7"},{"line":"U8","late":true},{}]"#, true),
            (#"[{"line":["U7","U8"],"late":true}]"#, true), (#"{"line":"U8","late":true}"#, true),
            (#"[[{"line":"U8","late":true}]]"#, true), (#"["U8",true]"#, false),
            (#"[[{"line":"U8"}],[[{"late":true}]]]"#, false),
            (#"[{"line":"U8"},{"late":true}]"#, false), ("[]", false), ("null", false),
            (#"[7,{"line":"U8","late":true},"x"]"#, true),
        ]
    )
    func consistency(trains: String, expected: Bool) throws {
        let pattern = #"{"trains":{"line":["U8"],"late":[true]}}"#
        #expect(try matches(pattern, #"{"trains":\#(trains)}"#) == expected)
    }

    @Test("Lists within lists of objects keep to their own objects")
    func deepConsistency() throws {
        let pattern = #"{"a":{"x":["1"],"b":{"y":["2"],"c":{"z":["3"],"w":["4"]}}}}"#
        let inner = #"{"y":"2","c":[{"z":"3"},{"w":"4"},{"z":"3","w":"4"}]}"#
        #expect(try matches(pattern, #"{"a":[{"x":"1","b":[{"y":"0"},\#(inner)]}]}"#))
        #expect(try !matches(pattern, #"{"a":[{"x":"1","b":[{"y":"2"}]},{"b":[\#(inner)]}]}"#))
        let torn = #"{"y":"2","c":[{"z":"3"},{"w":"4"}]}"#
        #expect(try !matches(pattern, #"{"a":[{"x":"1","b":[\#(torn)]}]}"#))
        let elsewhere = #"[{"y":"2"},{"c":[{"z":"3","w":"4"}]}]"#
        #expect(try !matches(pattern, #"{"a":{"x":"1","b":\#(elsewhere)}}"#))
    }

    @Test("Choices on a list's objects are about one object too")
    func consistentChoices() throws {
        let pattern = #"{"a":{"k":["v"],"$or":[{"x":[1]},{"y":[2]}]}}"#
        #expect(try matches(pattern, #"{"a":[{"k":"v","x":0},{"k":"v","y":2}]}"#))
        #expect(try !matches(pattern, #"{"a":[{"k":"v","x":0},{"k":"w","y":2}]}"#))
        let outside = #"{"$or":[{"a":{"k":["v"],"x":[1]}},{"a":{"k":["v"],"y":[2]}}]}"#
        #expect(try matches(outside, #"{"a":[{"k":"w","x":1},{"k":"v","y":2}]}"#))
        #expect(try !matches(outside, #"{"a":[{"k":"w","x":1},{"y":2},{"k":"v"}]}"#))
    }

    @Test(
        "What is no object counts as one without members",
        arguments: [
            nil, "null", "7", #""x""#, "[]", #"["x",7]"#, "[[]]", "{}", #"{"c":1}"#, #"[{"c":1}]"#,
            "[1,{}]", #"[{"b":1},{}]"#, #"[[{"b":1},{}]]"#, "[[[7]]]",
        ] as [String?]
    )
    func absentObjects(value: String?) throws {
        let payload = value.map { #"{"a":\#($0)}"# } ?? "{}"
        #expect(try matches(#"{"a":{"b":[{"exists":false}]}}"#, payload))
        #expect(try matches(#"{"a":{"b":{"c":[{"exists":false},1]}}}"#, payload))
        #expect(try !matches(#"{"a":{"b":[{"anything-but":["z"]}],"c":["z"]}}"#, payload))
    }

    @Test("An object that has the field makes it exist, and a list of only such ones")
    func presentObjects() throws {
        let pattern = #"{"a":{"b":[{"exists":false}]}}"#
        for value in [#"{"b":null}"#, #"[{"b":1}]"#, #"[{"b":1},7,{"b":[]}]"#] {
            #expect(try !matches(pattern, #"{"a":\#(value)}"#), "\(value)")
        }
    }

    @Test("A name with a dot is one name, and no path")
    func dottedNames() throws {
        let dotted = #"{"a.b":["x"]}"#
        let nested = #"{"a":{"b":["x"]}}"#
        #expect(try matches(dotted, #"{"a.b":"x"}"#))
        #expect(try !matches(dotted, #"{"a":{"b":"x"}}"#))
        #expect(try matches(nested, #"{"a":{"b":"x"}}"#))
        #expect(try !matches(nested, #"{"a.b":"x"}"#))
        #expect(try matches(nested, #"{"a.b":"y","a":{"b":"x"}}"#))
        #expect(try matches(#"{"a.b":{"c.d":["x"]}}"#, #"{"a.b":{"c.d":"x"},"a":{"b":1}}"#))
    }

    @Test("A field's own tests and those of its members are of the same value")
    func fieldAndMembers() throws {
        var harness = MatcherHarness()
        harness.install([
            ("scalar", try EventPattern(#"{"a":["x"]}"#)),
            ("member", try EventPattern(#"{"a":{"b":["x"]}}"#)),
            ("presence", try EventPattern(#"{"a":[{"exists":true}]}"#)),
        ])
        for number in 0..<3 as Range<UInt32> {
            let kind = KindID(index: Int(number))
            #expect(try harness.insert("{}", kind: kind) == WidgetID(rawValue: number))
        }
        let matches = try harness.match([
            #"{"a":"x"}"#, #"{"a":{"b":"x"}}"#, #"{"a":["x",{"b":"x"}]}"#, #"{"a":[["x"]]}"#, "{}",
        ])
        #expect(matches == [[0, 2], [1, 2], [0, 1, 2], [0, 2], []])
    }

    // MARK: - $or

    @Test(
        "$or wants one of its patterns, and stands beside other fields",
        arguments: [
            (#"{"on":true,"a":1}"#, true), (#"{"on":true,"b":2,"c":3}"#, true),
            (#"{"on":true,"b":2}"#, false), (#"{"on":true,"c":3}"#, false), (#"{"a":1}"#, false),
            (#"{"on":true}"#, false), (#"{"on":true,"a":1,"b":2,"c":3}"#, true),
            (#"{"on":true,"$or":[{"a":1}]}"#, false),
        ]
    )
    func choices(payload: String, expected: Bool) throws {
        let pattern = #"{"on":[true],"$or":[{"a":[1]},{"b":[2],"c":[3]}]}"#
        #expect(try matches(pattern, payload) == expected)
    }

    @Test("$or within $or within $or")
    func nestedChoices() throws {
        let pattern = #"""
            {"$or":[{"a":[1],"$or":[{"b":[1]},{"c":[1],"$or":[{"d":[1]},{"e":{"$or":[{"f":[1]},
            {"g":[1]}]}}]}]},{"h":[{"exists":true}],"i":[{"exists":false}]}]}
            """#
        let cases: [(String, Bool)] = [
            (#"{"a":1,"b":1}"#, true), (#"{"a":1,"c":1}"#, false), (#"{"a":1,"c":1,"d":1}"#, true),
            (#"{"a":1,"c":1,"e":{"g":1}}"#, true), (#"{"a":1,"c":1,"g":1}"#, false),
            (#"{"a":1,"e":{"g":1}}"#, false), (#"{"h":null}"#, true), (#"{"h":1,"i":1}"#, false),
            (#"{"b":1,"c":1,"d":1}"#, false), (#"{"a":2,"b":1,"h":[],"x":0}"#, true),
        ]
        for (payload, expected) in cases {
            #expect(try matches(pattern, payload) == expected, "\(payload)")
        }
    }

    @Test("A choice of which several patterns hold reports the widget once")
    func severalBranches() throws {
        let rule = try EventPattern(
            #"{"$or":[{"a":["${configuration.p}","x"]},{"a":[{"prefix":"x"}]},{"b":["x"]}]}"#
        )
        var harness = MatcherHarness(rule: rule)
        let widget = try harness.insert(#"{"p":["x","xy"]}"#)
        #expect(try harness.match(#"{"a":["x","xy","x"],"b":["x","x"]}"#) == [widget])
    }

    @Test("Twelve choices of three side by side are not multiplied out")
    func parallelChoices() throws {
        let fields = (0..<12).map { number in
            #""f\#(number)":{"$or":[{"x":[\#(number)]},{"y":["${configuration.y}"]},{"z":[true]}]}"#
        }
        let rule = try EventPattern("{\(fields.joined(separator: ","))}")
        var harness = MatcherHarness(rule: rule)
        let widget = try harness.insert(#"{"y":"own"}"#)
        let other = try harness.insert(#"{"y":"other"}"#)
        func payload(_ member: (Int) -> String) -> String {
            "{\((0..<12).map { #""f\#($0)":{\#(member($0))}"# }.joined(separator: ","))}"
        }
        let matches = try harness.match([
            payload { #""x":\#($0)"# },
            payload { _ in #""y":"own""# },
            payload { [#""x":\#($0)"#, #""y":"own""#, #""z":true"#][$0 % 3] },
            payload { $0 == 11 ? #""z":false"# : #""z":true"# },
            payload { $0 == 0 ? #""y":"other""# : #""z":true"# },
        ])
        #expect(matches == [[widget, other], [widget], [widget], [], [other]])
        harness.matcher.remove(widget)
        harness.matcher.remove(other)
        harness.install([])
        #expect(MatcherUsage(harness.matcher) == .empty)
    }
}
