import Basics
import TestSupport
import Testing

@testable import WidgetMatching

/// What long searches and close reading have found.
@Suite("Rare rules, configurations and payloads")
struct MatcherFindTests {
    @Test("Wildcards of one widget may share what they are found by")
    func sharedGrams() throws {
        let pattern = #"{"f":[{"wildcard":"${configuration.p}"}],"g":[{"wildcard":"*bcd*"}]}"#
        for count in [1, 2, 5] {
            var harness = MatcherHarness(rule: try EventPattern(pattern))
            let globs = (0..<count).map { #""*abcd*\#($0)""# }.joined(separator: ",")
            let widget = try harness.insert(#"{"p":[\#(globs)]}"#)
            #expect(try harness.match(#"{"f":"xabcdx0","g":"abcde"}"#) == [widget])
            #expect(try harness.match(#"{"f":"xabcdx9","g":"abcde"}"#) == [])
            harness.matcher.remove(widget)
            harness.install([])
            #expect(MatcherUsage(harness.matcher) == .empty)
        }
    }

    @Test("A widget may stand under more keys than fit in one block of memory")
    func manyLinks() throws {
        let branches = (0..<60).map { #"{"f\#($0)":["${configuration.p}"]}"# }
        let pattern = #"{"$or":[\#(branches.joined(separator: ","))]}"#
        var harness = MatcherHarness(rule: try EventPattern(pattern))
        let values = (0..<3_400).map { "\($0)" }.joined(separator: ",")
        let widget: WidgetID
        do {
            widget = try harness.insert(#"{"p":[\#(values)]}"#)
        } catch let error as ConfigurationError {
            // Refusing it would do, but nothing may be left then.
            #expect(harness.matcher.index.widgetCount == 0, "\(error)")
            return
        }
        #expect(try harness.match([#"{"f3":500}"#, #"{"f3":3400}"#]) == [[widget], []])
        harness.matcher.remove(widget)
        harness.install([])
        #expect(MatcherUsage(harness.matcher) == .empty)
    }

    @Test("A long text is looked for beside a list of objects as it is without one")
    func longText() throws {
        var harness = MatcherHarness()
        harness.install([
            ("text", try EventPattern(#"{"f":[{"wildcard":"*wxyz*"}]}"#)),
            ("list", try EventPattern(#"{"l":{"a":[1]}}"#)),
        ])
        let text = try harness.insert("{}", kind: 0)
        let list = try harness.insert("{}", kind: 1)
        // Equal parts of a text are equal keys: what they cost must not be their number squared.
        let long = String(repeating: "a", count: 60_000)
        let found = try harness.match([
            #"{"f":"\#(long)wxyz","l":[{"a":2},{"a":1}]}"#, #"{"f":"\#(long)","l":[{"a":2}]}"#,
        ])
        #expect(found == [[text, list], []])
    }

    @Test("Decoded texts that get longer and longer are kept in the same memory")
    func growingTexts() throws {
        var harness = MatcherHarness(rule: try EventPattern(#"{"f":["x"]}"#))
        _ = try harness.insert("{}")
        let before = harness.matcher.byteCount + harness.scanner.byteCount
        for length in stride(from: 16_400, to: 65_000, by: 200) {
            let text = String(repeating: "a", count: length)
            #expect(try harness.match(#"{"f":"\u0041\#(text)"}"#) == [])
        }
        // The longest, and what a table that doubles would have held before it.
        let growth = harness.matcher.byteCount + harness.scanner.byteCount - before
        #expect(growth < 4 * 65_000)
    }
}
