import Basics
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("Parameters in rules")
struct ParameterSemanticsTests {
    @Test(
        "A parameter stands for the widget's value at every place of an operand",
        arguments: [
            (#""${configuration.p}""#, #""elf""#, #""elf""#, #""orc""#),
            (#"{"prefix":"${configuration.p}"}"#, #""el""#, #""elf""#, #""orc""#),
            (#"{"suffix":"${configuration.p}"}"#, #""lf""#, #""elf""#, #""orc""#),
            (#"{"equals-ignore-case":"${configuration.p}"}"#, #""ELF""#, #""elf""#, #""orc""#),
            (
                #"{"prefix":{"equals-ignore-case":"${configuration.p}"}}"#, #""EL""#, #""elf""#,
                #""orc""#
            ),
            (
                #"{"suffix":{"equals-ignore-case":"${configuration.p}"}}"#, #""LF""#, #""elf""#,
                #""orc""#
            ),
            (#"{"wildcard":"${configuration.p}"}"#, #""e*f""#, #""elf""#, #""orc""#),
            (#"{"regexp":"${configuration.p}"}"#, #""[a-f]l.""#, #""elf""#, #""orc""#),
            (#"{"cidr":"${configuration.p}"}"#, #""10.0.0.0/8""#, #""10.1.1.1""#, #""11.1.1.1""#),
            (#"{"numeric":[">","${configuration.p}"]}"#, "5", "6", "5"),
            (#"{"numeric":["=","${configuration.p}"]}"#, "5", "5.0", "6"),
            (#"{"numeric":["!=","${configuration.p}"]}"#, "5", "6", "5"),
            (#"{"numeric":[">=",0,"<","${configuration.p}"]}"#, "5", "4", "5"),
            (#"{"anything-but":"${configuration.p}"}"#, #""orc""#, #""elf""#, #""orc""#),
            (#"{"anything-but":["x","${configuration.p}"]}"#, #""orc""#, #""elf""#, #""orc""#),
            (#"{"anything-but":{"prefix":"${configuration.p}"}}"#, #""o""#, #""elf""#, #""orc""#),
            (
                #"{"anything-but":{"wildcard":["x","${configuration.p}"]}}"#, #""o*""#, #""elf""#,
                #""orc""#
            ),
            (#"{"anything-but":{"numeric":["<","${configuration.p}"]}}"#, "5", "5", "4"),
            (
                #"{"all-of":["x","${configuration.p}"]}"#, #""elf""#, #"["elf","x"]"#,
                #"["orc","x"]"#
            ),
            (#"{"all-of":"${configuration.p}"}"#, #"["a","b"]"#, #"["b","a"]"#, #"["a","c"]"#),
        ]
    )
    func everyPlace(alternative: String, value: String, hit: String, miss: String) throws {
        let pattern = #"{"f":[\#(alternative)]}"#
        let configuration = #"{"p":\#(value)}"#
        #expect(try MatcherHarness.matches(pattern, configuration, #"{"f":\#(hit)}"#))
        #expect(try !MatcherHarness.matches(pattern, configuration, #"{"f":\#(miss)}"#))
        #expect(try !MatcherHarness.matches(pattern, "{}", #"{"f":\#(hit)}"#))
        #expect(try !MatcherHarness.matches(pattern, configuration, "{}"))
    }

    @Test(
        "A list of values is any of them, under every operator",
        arguments: [
            (#"{"prefix":"${configuration.p}"}"#, #"["x",7,"el"]"#, #""elf""#, true),
            (#"{"prefix":"${configuration.p}"}"#, "[]", #""elf""#, false),
            (#"{"wildcard":"${configuration.p}"}"#, #"["**","e*"]"#, #""elf""#, true),
            (#"{"numeric":["<","${configuration.p}"]}"#, #"["9",3,5]"#, "4", true),
            (#"{"numeric":["<","${configuration.p}"]}"#, "[]", "4", false),
            (#"{"numeric":["!=","${configuration.p}"]}"#, "[4,5]", "4", true),
            (#"{"numeric":["!=","${configuration.p}"]}"#, "[4]", "4", false),
            (
                #"{"numeric":[">","${configuration.p}","<","${configuration.p}"]}"#, "[1,9]", "5",
                true
            ),
            (#"{"anything-but":["${configuration.p}"]}"#, #"["a","b"]"#, #""b""#, false),
            (#"{"anything-but":["${configuration.p}"]}"#, "[]", #""b""#, true),
            (#"{"anything-but":{"prefix":"${configuration.p}"}}"#, "[]", #""b""#, true),
            (#"{"all-of":"${configuration.p}"}"#, "[]", "null", true),
            (#"{"all-of":"${configuration.p}"}"#, "[]", "{}", true),
            (#"{"all-of":"${configuration.p}"}"#, #""a""#, #"["a"]"#, true),
            (#"{"all-of":"${configuration.p}"}"#, #"["a","a"]"#, #""a""#, true),
            (#"{"all-of":["${configuration.p}"]}"#, #"["a","b"]"#, #""b""#, true),
        ]
    )
    func lists(alternative: String, value: String, pushed: String, expected: Bool) throws {
        let found = try MatcherHarness.matches(
            #"{"f":[\#(alternative)]}"#,
            #"{"p":\#(value)}"#,
            #"{"f":\#(pushed)}"#
        )
        #expect(found == expected)
    }

    @Test("all-of of an empty list wants nothing but the field")
    func emptyAllOf() throws {
        let pattern = #"{"f":[{"all-of":"${configuration.p}"}]}"#
        #expect(try MatcherHarness.matches(pattern, #"{"p":[]}"#, #"{"f":[]}"#))
        #expect(try !MatcherHarness.matches(pattern, #"{"p":[]}"#, "{}"))
    }

    @Test(
        "A value that its place cannot use holds for nothing, and is no error",
        arguments: [
            ("prefix", "3", "3"), ("prefix", "true", "true"), ("suffix", "30", "30"),
            ("equals-ignore-case", "1", "1"), ("wildcard", #""a**""#, #""a**""#),
            ("wildcard", #""a\\""#, #""a\\""#), ("wildcard", #""\\a""#, #""a""#),
            ("regexp", #""(""#, #""(""#), ("regexp", #""*""#, #""*""#), ("regexp", "1", "1"),
            ("cidr", #""10.0.0.0""#, #""10.0.0.0""#), ("cidr", #""10.0.0.0/33""#, #""10.0.0.0""#),
            ("cidr", #""dragon""#, #""dragon""#), ("cidr", "10", "10"),
        ]
    )
    func unusable(name: String, value: String, pushed: String) throws {
        let operand = #"{"\#(name)":"${configuration.p}"}"#
        let configuration = #"{"p":[\#(value),"zz"]}"#
        let payload = #"{"f":\#(pushed)}"#
        #expect(try !MatcherHarness.matches(#"{"f":[\#(operand)]}"#, configuration, payload))
        // Nor does it take the other alternatives with it.
        #expect(
            try MatcherHarness.matches(
                #"{"f":[\#(operand),{"exists":true}]}"#,
                configuration,
                payload
            )
        )
        if name == "regexp" || name == "cidr" { return }
        #expect(
            try MatcherHarness.matches(
                #"{"f":[{"anything-but":\#(operand)}]}"#,
                configuration,
                payload
            )
        )
    }

    @Test(
        "A rule that names a parameter the widget lacks matches nothing, wherever it names it",
        arguments: [
            #"{"a":[1,"${configuration.q}"]}"#, #"{"a":[1,{"prefix":"${configuration.q}"}]}"#,
            #"{"a":[1,{"numeric":["<","${configuration.q}"]}]}"#,
            #"{"a":[{"anything-but":["${configuration.q}"]}]}"#,
            #"{"a":[1,{"all-of":[2,"${configuration.q}"]}]}"#,
            #"{"a":[1,{"all-of":"${configuration.q}"}]}"#,
            #"{"$or":[{"a":[1]},{"b":["${configuration.q}"]}]}"#,
            #"{"$or":[{"a":[1]},{"$or":[{"c":{"d":["${configuration.q}"]}}]}]}"#,
            #"{"a":[1],"b":[{"exists":false},"${configuration.q}"]}"#,
        ]
    )
    func missing(pattern: String) throws {
        #expect(try !MatcherHarness.matches(pattern, "{}", #"{"a":1}"#))
        #expect(try !MatcherHarness.matches(pattern, #"{"p":1,"Q":1}"#, #"{"a":1}"#))
        #expect(try MatcherHarness.matches(pattern, #"{"q":"zz","p":1}"#, #"{"a":1}"#))
    }

    @Test("Widgets of one rule with and without the parameter do not get into each other's way")
    func someLackIt() throws {
        let rule = try EventPattern(#"{"$or":[{"a":[1]},{"b":["${configuration.q}"]}]}"#)
        var harness = MatcherHarness(rule: rule)
        let complete = try harness.insert(#"{"q":2}"#)
        _ = try harness.insert("{}")
        _ = try harness.insert(#"{"p":2}"#)
        #expect(try harness.match([#"{"a":1}"#, #"{"b":2}"#]) == [[complete], [complete]])
    }
}
