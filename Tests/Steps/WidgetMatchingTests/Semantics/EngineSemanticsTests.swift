import Basics
import TestSupport
import Testing

@testable import WidgetMatching

/// Where the ways in which widgets are found could differ from what a rule means.
@Suite("What a rule means, however its widgets are found")
struct EngineSemanticsTests {
    /// Whether each payload concerns the only widget, which must be reported once.
    private func verify(
        _ pattern: String,
        _ configuration: String,
        _ cases: [(payload: String, expected: Bool)]
    ) throws {
        var harness = MatcherHarness(rule: try EventPattern(pattern))
        let widget = try harness.insert(configuration)
        let found = try harness.match(cases.map(\.payload))
        for (position, (payload, expected)) in cases.enumerated() {
            #expect(
                found[position] == (expected ? [widget] : []),
                "\(pattern) with \(configuration) and \(payload)"
            )
        }
        harness.matcher.remove(widget)
        harness.install([])
        #expect(MatcherUsage(harness.matcher) == .empty)
    }

    @Test("One field named directly, in a nested pattern and under $or must pass each time")
    func sameFieldTwice() throws {
        let pattern = #"""
            {"a":{"b":["${configuration.p}"],"$or":[{"b":["x"]},{"b":["y"],"c":[1]}]},
            "$or":[{"a":{"b":["x","y"]}},{"d":[1]}]}
            """#
        try verify(
            pattern,
            #"{"p":["x","y","z"]}"#,
            [
                (#"{"a":{"b":"x"}}"#, true), (#"{"a":{"b":"y"}}"#, false),
                (#"{"a":{"b":"y","c":1}}"#, true), (#"{"a":{"b":"z"},"d":1}"#, false),
                (#"{"a":{"b":["z","x"]},"d":1}"#, true),
                // The nested pattern asks one element for all, the $or outside any other one.
                (#"{"a":[{"b":"z","c":1},{"b":"x"}]}"#, true),
                (#"{"a":[{"b":"y"},{"c":1}]}"#, false),
                (#"{"a":[{"b":"y"},{"c":1}],"d":1}"#, false),
            ]
        )
    }

    @Test("all-of beside equalities that make a key together")
    func allOfInKeys() throws {
        try verify(
            #"{"a":[{"all-of":["x","${configuration.p}"]}],"b":["${configuration.q}"],"c":[1]}"#,
            #"{"p":["y","z"],"q":["m","n"]}"#,
            [
                (#"{"a":["x","y"],"b":"m","c":1}"#, true),
                (#"{"a":["z","x"],"b":"n","c":1}"#, true),
                (#"{"a":["y","z"],"b":"m","c":1}"#, false), (#"{"a":"x","b":"m","c":1}"#, false),
                (#"{"a":["x","y"],"b":"o","c":1}"#, false), (#"{"a":["x","y"],"b":"m"}"#, false),
                (#"{"a":["x","y","z","x"],"b":["n","m"],"c":[1,1.0]}"#, true),
            ]
        )
    }

    @Test("Equalities within lists of objects hold for one element, and the rest outside of it")
    func keysAcrossElements() throws {
        try verify(
            #"""
            {"l":{"a":["${configuration.p}"],"b":["${configuration.q}"]},
            "m":["${configuration.p}"]}
            """#,
            #"{"p":[1,2],"q":[3,4]}"#,
            [
                (#"{"l":[{"a":1},{"b":3}],"m":1}"#, false),
                (#"{"l":[{"a":1,"b":5},{"a":5,"b":3},{"a":2,"b":4}],"m":[9,1]}"#, true),
                (#"{"l":{"a":1,"b":3},"m":2}"#, true), (#"{"l":[{"a":1,"b":3}]}"#, false),
                (#"{"l":[{"a":1,"b":3}],"m":[[1]]}"#, true),
                (#"{"l":[[{"a":1,"b":3}]],"m":1}"#, true),
                (#"{"l":[[{"a":1}],[{"b":3}]],"m":1}"#, false),
                (#"{"l":[[{"a":1},{"b":3}]],"m":[[[2]],1]}"#, false),
                (#"{"l":[{"a":[7,1],"b":[3,3]},{"a":1,"b":3}],"m":1}"#, true),
                (#"{"l":[1,"x",null,{"a":1,"b":3}],"m":1}"#, true),
            ]
        )
    }

    @Test("Lists of objects within lists of objects")
    func nestedLists() throws {
        try verify(
            #"{"l":{"k":{"a":[1],"b":[{"exists":false}]},"c":["${configuration.p}"]}}"#,
            #"{"p":"x"}"#,
            [
                (#"{"l":[{"k":[{"a":1,"b":0},{"a":1}],"c":"x"}]}"#, true),
                (#"{"l":[{"k":[{"a":1,"b":0},{"a":2}],"c":"x"}]}"#, false),
                (#"{"l":[{"k":[{"a":1}],"c":"y"},{"k":[{"a":2}],"c":"x"}]}"#, false),
                (#"{"l":[{"k":[{"a":1}],"c":"y"},{"k":[5,{"a":[0,1]}],"c":["x"]}]}"#, true),
                (#"{"l":{"k":[{"a":2},{"a":1}],"c":"x"}}"#, true),
                (#"{"l":[{"k":[[{"a":1}]],"c":"x"}]}"#, true),
                (#"{"l":[[{"k":{"a":1},"c":"x"}]]}"#, true),
                (#"{"l":[[{"k":[[{"a":1}]],"c":"y"},{"k":[],"c":"x"}]]}"#, false),
            ]
        )
    }

    @Test("A nested pattern of what is missing holds where there is no object")
    func missingObjects() throws {
        try verify(
            #"{"l":{"a":[{"exists":false}]},"f":["${configuration.p}"]}"#,
            #"{"p":1}"#,
            [
                (#"{"f":1}"#, true), (#"{"f":1,"l":5}"#, true), (#"{"f":1,"l":[]}"#, true),
                (#"{"f":1,"l":[[{"a":1}]]}"#, false), (#"{"f":1,"l":[{"a":1}]}"#, false),
                (#"{"f":1,"l":[{"a":1},{}]}"#, true), (#"{"f":1,"l":{"a":null}}"#, false),
            ]
        )
    }

    @Test("A widget that many keys of one push lead to is reported once")
    func manyWays() throws {
        try verify(
            #"""
            {"$or":[{"f":["${configuration.p}",{"prefix":"${configuration.p}"},
            {"wildcard":"*b*"},{"equals-ignore-case":"${configuration.p}"}]},
            {"n":[{"numeric":[">",1]},{"numeric":["<",9]},{"numeric":["=",5]}]},
            {"l":{"g":["${configuration.p}"]}},{"a":[{"cidr":"10.0.0.0/8"},{"cidr":"10.0.0.0/9"}]}]}
            """#,
            #"{"p":["ab","abb","a","AB","b"]}"#,
            [
                (#"{"f":["ab","abb","abab","a"],"n":[5,5.5,6,-1],"a":["10.0.0.1"]}"#, true),
                (#"{"a":["10.0.0.1","10.0.0.2","10.1.0.0"],"f":"c"}"#, true),
                (#"{"f":"abbabb","l":[{"g":"a"},{"g":["ab","a"]},{"g":"a"}],"n":5}"#, true),
                (#"{"l":[{"g":"a"},{"g":"a"},{"g":"b"}]}"#, true),
                (#"{"a":["11.0.0.1"],"f":["c"],"l":[{"g":"c"}],"n":"5"}"#, false),
            ]
        )
    }

    @Test("Parameters of no, one and many values, at each operator")
    func valueCounts() throws {
        let operators: [(test: String, value: String, other: String)] = [
            ("P", #""ab""#, #""a""#), (#"{"prefix":P}"#, #""ab""#, #""ba""#),
            (#"{"suffix":P}"#, #""ab""#, #""ba""#),
            (#"{"equals-ignore-case":P}"#, #""ab""#, #""a""#),
            (#"{"wildcard":P}"#, #""ab""#, #""a""#), (#"{"regexp":P}"#, #""ab""#, #""a""#),
            (#"{"cidr":P}"#, #""10.0.0.1/32""#, #""10.0.0.2""#),
            (#"{"numeric":["=",P]}"#, "5", "6"),
            (#"{"numeric":["<=",P]}"#, "5", "5.1"), (#"{"numeric":[">=",P]}"#, "5", "4.9"),
        ]
        for (test, value, other) in operators {
            let pattern = #"{"f":[\#(test)],"g":[1]}"#
                .replacing("P", with: #""${configuration.p}""#)
            let pushed = value.replacing("/32", with: "")
            let cases = [(#"{"f":\#(pushed),"g":1}"#, true), (#"{"f":\#(other),"g":1}"#, false)]
            try verify(pattern, #"{"p":\#(value)}"#, cases)
            try verify(pattern, #"{"p":[\#(value)]}"#, cases)
            try verify(pattern, #"{"p":[true,\#(value),\#(value)]}"#, cases)
            try verify(pattern, #"{"p":[]}"#, cases.map { ($0.0, false) })
            try verify(pattern, "{}", cases.map { ($0.0, false) })
            // anything-but is the opposite, but where the parameter is missing.
            if test == "P" {
                let opposite = pattern.replacing("[\"$", with: #"[{"anything-but":["$"#)
                    .replacing("}\"]", with: "}\"]}]")
                try verify(opposite, #"{"p":[\#(value)]}"#, cases.map { ($0.0, !$0.1) })
                try verify(opposite, #"{"p":[]}"#, cases.map { ($0.0, true) })
                try verify(opposite, "{}", cases.map { ($0.0, false) })
            }
        }
    }

    @Test("Values of no bytes and of nearly 16 KiB")
    func lengths() throws {
        let long = String(repeating: "é", count: 8_000)
        for value in ["", long] {
            for test in ["P", #"{"prefix":P}"#, #"{"suffix":P}"#, #"{"equals-ignore-case":P}"#] {
                let pattern = #"{"f":[\#(test)]}"#
                    .replacing("P", with: #""${configuration.p}""#)
                let isPart = test.contains("fix")
                try verify(
                    pattern,
                    #"{"p":"\#(value)"}"#,
                    [
                        (#"{"f":"\#(value)"}"#, true), (#"{"f":["b",1,"\#(value)"]}"#, true),
                        (#"{"f":"\#(value)\#(value)"}"#, isPart || value.isEmpty),
                        (#"{"f":"\#(value.dropLast())é"}"#, isPart || !value.isEmpty),
                        (#"{"f":"\#(value.dropLast())"}"#, value.isEmpty),
                        (#"{"f":null}"#, false),
                    ]
                )
            }
        }
    }

    @Test("Numbers of 400 digits, negative zero, and the smallest powers")
    func numbers() throws {
        let many = String(repeating: "7", count: 300)
        let fraction = "0." + many + "1"
        try verify(
            #"{"n":["${configuration.p}"]}"#,
            #"{"p":[\#(many),\#(fraction),-0,1e-400]}"#,
            [
                (#"{"n":\#(many)}"#, true), (#"{"n":\#(many).0}"#, true),
                (#"{"n":\#(many).1}"#, false), (#"{"n":\#(fraction)}"#, true),
                (#"{"n":\#(fraction)0}"#, true), (#"{"n":\#(fraction)1}"#, false),
                (#"{"n":0}"#, true), (#"{"n":0e5}"#, true), (#"{"n":1e-400}"#, true),
                (#"{"n":10e-401}"#, true), (#"{"n":1e-399}"#, false),
            ]
        )
        try verify(
            #"{"n":[{"numeric":[">","${configuration.p}","<",1]}]}"#,
            #"{"p":-0.0}"#,
            [
                (#"{"n":0}"#, false), (#"{"n":-0}"#, false), (#"{"n":1e-400}"#, true),
                (#"{"n":-1e-400}"#, false), (#"{"n":0.\#(many)}"#, true), (#"{"n":1}"#, false),
                (#"{"n":0.\#(String(repeating: "9", count: 399))}"#, true),
            ]
        )
        try verify(
            #"{"n":[{"numeric":[">=","${configuration.p}"]}]}"#,
            #"{"p":\#(many).5}"#,
            [
                (#"{"n":\#(many)}"#, false), (#"{"n":\#(many).5}"#, true),
                (#"{"n":\#(many).49\#(many)}"#, false), (#"{"n":1e308}"#, true),
            ]
        )
    }

    @Test("The field kinds is one like any other, whether or not the push is narrowed")
    func kindsAsField() throws {
        try verify(
            #"{"kinds":["${configuration.p}",{"anything-but":["k","n"]}],"f":[1]}"#,
            #"{"p":"n"}"#,
            [
                (#"{"kinds":["k","n"],"f":1}"#, true), (#"{"kinds":["k"],"f":1}"#, false),
                (#"{"kinds":["n"],"f":1}"#, true), (#"{"f":1}"#, false),
                (#"@k {"kinds":"n","f":1}"#, true), (#"@x {"kinds":"n","f":1}"#, false),
                (#"{"kinds":[],"f":1}"#, true), (#"@k {"kinds":7,"f":[1]}"#, true),
            ]
        )
        try verify(
            #"{"kinds":[{"exists":false}],"f":[1]}"#,
            "{}",
            [(#"@k {"f":1}"#, true), (#"{"f":1,"kinds":["k"]}"#, false)]
        )
        try verify(
            #"{"a":{"kinds":[1]}}"#,
            "{}",
            [(#"{"a":{"kinds":1}}"#, true), (#"@k {"a":[{"kinds":[1]}]}"#, true)]
        )
    }

    @Test("A rule that differs in nothing but Unicode's normal form is another rule")
    func normalForms() throws {
        let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
        for position in 0..<3 {
            func pattern(_ text: String) throws -> EventPattern {
                switch position {
                case 0: try EventPattern(#"{"f":["\#(text)"]}"#)
                case 1: try EventPattern(#"{"\#(text)":["v"]}"#)
                default: try EventPattern(#"{"f":["${configuration.\#(text)}"]}"#)
                }
            }
            func payload(_ text: String) -> String {
                [#"{"f":"\#(text)"}"#, #"{"\#(text)":"v"}"#, #"{"f":"\#(text)"}"#][position]
            }
            var harness = MatcherHarness()
            harness.install([("k", try pattern(composed))])
            let both = #"{"\#(composed)":"\#(composed)","\#(decomposed)":"\#(decomposed)"}"#
            let widget = try harness.insert(both)
            for text in [composed, decomposed, composed] {
                let other = text.utf8.count == 5 ? decomposed : composed
                harness.install([("k", try pattern(text))])
                #expect(try harness.match(payload(text)) == [widget], "place \(position)")
                #expect(try harness.match(payload(other)) == [], "place \(position)")
            }
        }
    }

    @Test("Kinds whose names differ in nothing but Unicode's normal form are two")
    func kindNames() throws {
        let names = ["caf\u{e9}", "cafe\u{301}"]
        var harness = MatcherHarness()
        harness.install(names.map { ($0, nil) })
        for kind in 0..<2 { _ = try harness.insert("{}", kind: KindID(index: kind)) }
        for kind in 0..<2 {
            #expect(try harness.match("@\(names[kind]) {}") == [WidgetID(index: kind)])
        }
        harness.install(names.reversed().map { ($0, nil) })
        #expect(try harness.match("@\(names[0]) {}") == [1])
    }
}
