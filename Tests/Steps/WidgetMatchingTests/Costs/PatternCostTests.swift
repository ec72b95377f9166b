import Basics
import EventPatterns
import Testing

@testable import WidgetMatching

/// What the patterns of widgets may cost a push: counted, not measured.
@Suite("What widgets' patterns cost")
struct PatternCostTests {
    @Test("A long text that many widgets' wildcards would read is read by some of them")
    func leftOut() throws {
        let rule = try EventPattern(#"{"f":[{"wildcard":"${configuration.p}"}]}"#)
        var harness = MatcherHarness(rule: rule)
        for number in 0..<2_000 {
            _ = try harness.insert(#"{"p":"a*\#(String(repeating: "a", count: 900))*b\#(number)"}"#)
        }
        let text = String(repeating: "a", count: 60_000)
        let bill = try harness.bill(#"{"f":"\#(text)"}"#)
        #expect(bill.found == [] && bill.leftOut == 2_000 - 8)
        #expect(bill.total < RouterLimits.patternBytes * WorkCost.textByte * 3 / 2)
        // A short text is not, nor a long one that they are not found by, or that nobody reads.
        #expect(try harness.bill(#"{"f":"aaaabaaab"}"#).found == [])
        let other = String(repeating: "c", count: 60_000)
        let unread = try harness.bill(#"{"f":"\#(other)","g":"\#(text)"}"#)
        #expect(unread.found == [] && unread.leftOut == 0)
    }

    @Test("Other parameters of widgets do not multiply a rule's own wildcards")
    func layouts() throws {
        let rule = try EventPattern(#"{"c":["x"],"f":[{"wildcard":"z*y"}]}"#)
        var harness = MatcherHarness(rule: rule)
        let widgets = try (0..<300).map { try harness.insert(#"{"p\#($0)":1}"#) }
        let text = String(repeating: "z", count: 60_000)
        let bill = try harness.bill(#"{"c":"x","f":"\#(text)y"}"#)
        #expect(bill.found == widgets && bill.leftOut == 0)
    }

    @Test("The widgets of devices with the most patterns are left out first")
    func loads() throws {
        let rule = try EventPattern(#"{"f":[{"wildcard":"${configuration.p}"}]}"#)
        var harness = MatcherHarness(rule: rule)
        var widgets: [[WidgetID]] = []
        for (name, load) in [("a", 1_000), ("b", 1), ("c", 200), ("d", 3)] {
            widgets.append(
                try (0..<load).map { try harness.insert(#"{"p":"*dragonword*\#(name)\#($0)*"}"#) }
            )
            for widget in widgets.last! {
                harness.matcher.index.setPatternLoad(of: widget, to: load)
            }
        }
        func bill(_ length: Int) throws -> MatcherHarness.Bill {
            let filler = String(repeating: ".", count: length)
            return try harness.bill(#"{"f":"dragonword a0 b0 c0 d0 \#(filler)"}"#)
        }
        let short = try bill(10)
        #expect(short.found == widgets.map { $0[0] }.sorted() && short.leftOut == 0)
        // A device may have 65,536 bytes read.
        let long = try bill(200)
        #expect(long.found == [widgets[1][0], widgets[2][0], widgets[3][0]].sorted())
        #expect(long.leftOut == 1_000)
        let longer = try bill(2_000)
        #expect(longer.found == [widgets[1][0], widgets[3][0]] && longer.leftOut == 1_200)
        // All pushes may have 500,000 bytes read, of which that of one pattern is less.
        #expect(try bill(60_000).found == [widgets[1][0], widgets[3][0]])
    }

    @Test("A widget that matches whatever its patterns say is not left out, nor one that cannot")
    func decided() throws {
        let rule = try EventPattern(
            #"""
            {"k":["x"],"$or":[{"f":[{"wildcard":"${configuration.p}"}]},{"g":["${configuration.q}"]}],
             "h":[{"anything-but":{"wildcard":"${configuration.r}"}}]}
            """#
        )
        var harness = MatcherHarness(rule: rule)
        let widget = try harness.insert(#"{"p":"*a*","q":1,"r":"*b*"}"#)
        harness.matcher.index.setPatternLoad(of: widget, to: 5_000)
        let text = String(repeating: "a", count: 500)
        let either = try harness.bill(#"{"k":"x","f":"\#(text)","h":1}"#)
        #expect(either.found == [] && either.leftOut == 1)
        #expect(try harness.bill(#"{"k":"x","f":"\#(text)","g":1,"h":"\#(text)"}"#).leftOut == 1)
        let neither = try harness.bill(#"{"k":"x","f":"\#(text)","g":1}"#)
        #expect(neither.found == [] && neither.leftOut == 0)
        harness.matcher.index.setPatternLoad(of: widget, to: 2)
        let held = try harness.bill(#"{"k":"x","f":"\#(text)","h":1}"#)
        #expect(held.found == [widget] && held.leftOut == 0)
    }

    @Test("A widget's regular expression that costs much is given up, whatever the portions")
    func costlyRegexp() throws {
        let rule = try EventPattern(#"{"f":[{"regexp":"${configuration.p}"}]}"#)
        var harness = MatcherHarness(rule: rule)
        let costly = try harness.insert(#"{"p":".*(a|b){400}c"}"#)
        let cheap = try harness.insert(#"{"p":".*(goal|card|c)"}"#)
        for length in [30, 3_000] {
            let payload = #"{"f":"\#(String(repeating: "a", count: length))c"}"#
            for work in [Int.max, 10_000, 1_000] {
                let bill = try harness.bill(payload, work: work)
                #expect(bill.found == [cheap] && bill.leftOut == 1, "\(costly) with \(work)")
                #expect(bill.spentWork < 3_000 + 200 * length)
            }
        }
    }
}
