import Basics
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("Configurations")
struct ConfigurationTests {
    private func error(_ configuration: String) -> ConfigurationError? {
        let bytes = Array(configuration.utf8)
        let checked = bytes.withByteView { bytes in
            do throws(ConfigurationError) {
                try WidgetMatcher.check(configuration: bytes)
                return ConfigurationError?.none
            } catch {
                return error
            }
        }
        var harness = MatcherHarness(rule: nil)
        let usage = MatcherUsage(harness.matcher)
        var inserted: ConfigurationError?
        do {
            _ = try harness.insert(configuration)
        } catch {
            inserted = error as? ConfigurationError
            #expect(MatcherUsage(harness.matcher) == usage, "a refused widget leaves nothing")
            #expect(harness.matcher.index.widgetCount == 0)
        }
        #expect(inserted == checked, "check says what insert throws")
        return checked
    }

    @Test(
        "Strings, numbers, booleans and lists of them are parameters",
        arguments: [
            "{}", " {\n} ", #"{"a":"x"}"#, #"{"a":1e300}"#, #"{"a":true,"b":false}"#, #"{"a":[]}"#,
            #"{"a":["x",1,true,"x"]}"#, #"{"a\u0062":"\u0000"}"#, #"{" ":""}"#,
        ]
    )
    func accepted(configuration: String) {
        #expect(error(configuration) == nil)
    }

    @Test(
        "Other values are refused, and the parameter is named",
        arguments: [
            (#"{"a":null}"#, ConfigurationError.Reason.value),
            (#"{"b":1,"a":{}}"#, .value), (#"{"a":{"b":1}}"#, .value),
            (#"{"a":[null]}"#, .listElement), (#"{"a":["x",[]]}"#, .listElement),
            (#"{"b":[1],"a":[{}]}"#, .listElement),
        ]
    )
    func refused(configuration: String, reason: ConfigurationError.Reason) {
        let error = error(configuration)
        #expect(error?.reason == reason)
        #expect(error?.parameter == "a")
        #expect(error?.message.contains("a") == true)
    }

    @Test("Names, number and length of parameters are bounded")
    func bounds() {
        #expect(error(#"{"":1}"#)?.reason == .nameLength)
        #expect(error(#"{"\#(String(repeating: "n", count: 128))":1}"#) == nil)
        #expect(error(#"{"\#(String(repeating: "n", count: 129))":1}"#)?.reason == .nameLength)
        #expect(error(#"{"\#(String(repeating: "é", count: 65))":1}"#)?.reason == .nameLength)
        let many = (0..<65).map { #""p\#($0)":\#($0)"# }
        #expect(error("{\(many.dropLast().joined(separator: ","))}") == nil)
        #expect(error("{\(many.joined(separator: ","))}")?.reason == .tooManyParameters)
        let limit = WidgetMatcher.configurationLimit
        let fill = String(repeating: "x", count: limit - #"{"a":""}"#.utf8.count)
        #expect(error(#"{"a":"\#(fill)"}"#) == nil)
        #expect(error(#"{"a":"\#(fill)x"}"#)?.reason == .tooLong(limit: limit))
    }

    @Test("A configuration of the longest lists is stored, matched and removed")
    func longestLists() throws {
        var harness = MatcherHarness(rule: nil)
        let usage = MatcherUsage(harness.matcher)
        let numbers = (0..<3_000).map(String.init).joined(separator: ",")
        let ones = Array(repeating: "1", count: 8_180).joined(separator: ",")
        for list in [numbers, ones] {
            let widget = try harness.insert(#"{"n":[\#(list)]}"#)
            #expect(try harness.match([#"{"n":1}"#, #"{"n":[5,1]}"#]) == [[widget], [widget]])
            harness.matcher.remove(widget)
            #expect(MatcherUsage(harness.matcher) == usage)
        }
    }

    @Test(
        "A stored configuration equals what means the same",
        arguments: [
            (#"{"a":"x"}"#, true), (#" { "\u0061" : "\u0078" } "#, true), (#"{"a":"y"}"#, false),
            (#"{"a":["x"]}"#, true), (#"{"b":"x"}"#, false), ("{}", false),
            (#"{"a":"x","b":1}"#, false), (#"{"a":null}"#, false),
        ]
    )
    func equality(other: String, expected: Bool) throws {
        var harness = MatcherHarness(rule: nil)
        let widget = try harness.insert(#"{"a":"x"}"#)
        #expect(Self.has(&harness, widget, 0, other) == expected)
        #expect(Self.has(&harness, widget, 1, other) == false)
        #expect(harness.matcher.index.kind(of: widget) == 0)
    }

    @Test("The spelling of numbers makes no difference to equality; their value does")
    func numberEquality() throws {
        var harness = MatcherHarness(rule: nil)
        let widget = try harness.insert(#"{"a":[30,1.5],"b":true}"#)
        #expect(Self.has(&harness, widget, 0, #"{"a":[3e1,15e-1],"b":true}"#))
        #expect(!Self.has(&harness, widget, 0, #"{"a":[3e1,15e-2],"b":true}"#))
        #expect(!Self.has(&harness, widget, 0, #"{"a":[3e1,1.5],"b":false}"#))
        let empty = try harness.insert("{}")
        #expect(Self.has(&harness, empty, 0, " {} "))
        #expect(!Self.has(&harness, empty, 0, #"{"a":1}"#))
    }

    private static func has(
        _ harness: inout MatcherHarness,
        _ widget: WidgetID,
        _ kind: KindID,
        _ configuration: String
    ) -> Bool {
        let bytes = Array(configuration.utf8)
        return bytes.withByteView {
            harness.matcher.hasConfiguration(widget, kind: kind, equalTo: $0)
        }
    }
}
