import Basics
import TestSupport
import Testing

@testable import WidgetMatching

/// What pushes cost that were made to cost much, counted and not measured.
@Suite("What a push costs")
struct MatchCostTests {
    private func bill(
        _ harness: inout MatcherHarness,
        _ payload: String,
        work: Int = .max
    ) throws -> MatcherHarness.Bill {
        try harness.bill(payload, work: work)
    }

    private func list(_ count: Int, _ element: (Int) -> String) -> String {
        "[\((0..<count).map(element).joined(separator: ","))]"
    }

    // MARK: - Values that conditions pass over

    @Test("Values of another type are charged as often as conditions pass over them")
    func passedValues() throws {
        let prefixes = list(200) { "\"p\($0)\"" }
        let numbers = list(500) { "\($0)" }
        let texts = list(2_000) { "\"t\($0)\"" }
        for (test, configuration, values, steps) in [
            (#"{"prefix":"${configuration.p}"}"#, #"{"k":1,"p":\#(prefixes)}"#, numbers, 200 * 500),
            (#"{"numeric":[">",5]}"#, #"{"k":1}"#, texts, 2_000),
        ] {
            let rule = try EventPattern(#"{"k":["${configuration.k}"],"f":[\#(test)]}"#)
            var harness = MatcherHarness(rule: rule)
            for _ in 0..<5 { _ = try harness.insert(configuration) }
            let bill = try bill(&harness, #"{"k":1,"f":\#(values)}"#, work: 10_000)
            #expect(bill.found.isEmpty)
            #expect(bill.spentWork >= 5 * steps * 3, "\(test)")
            #expect(bill.largestPortion < 11_000, "\(test)")
        }
    }

    @Test("Of a field that the push has not, no operand is looked at")
    func missingField() throws {
        let rule = #"{"k":["${configuration.k}"],"f":[{"prefix":"${configuration.p}"}]}"#
        var harness = MatcherHarness(rule: try EventPattern(rule))
        let prefixes = list(1_500) { "\"\($0)\"" }
        _ = try harness.insert(#"{"k":1,"p":\#(prefixes)}"#)
        let missing = try bill(&harness, #"{"k":1}"#)
        #expect(missing.found.isEmpty && missing.total < 1_000)
        #expect(try bill(&harness, #"{"k":1,"f":"x"}"#).total > 1_500 * 30)
    }

    @Test("Long numbers cost what is compared of them")
    func longNumbers() throws {
        let rule = #"{"k":["${configuration.k}"],"f":[{"numeric":["<","${configuration.p}"]}]}"#
        var harness = MatcherHarness(rule: try EventPattern(rule))
        let digits = String(repeating: "0", count: 5_000)
        _ = try harness.insert(#"{"k":1,"p":1.\#(digits)1}"#)
        #expect(try bill(&harness, #"{"k":1,"f":1.\#(digits)2}"#).spentWork > 5_000)
    }

    @Test("A block of addresses costs as much as is written of it")
    func longBlocks() throws {
        let rule = #"{"k":["${configuration.k}"],"f":[{"cidr":"${configuration.p}"}]}"#
        var harness = MatcherHarness(rule: try EventPattern(rule))
        let zeros = String(repeating: "0", count: 5_000)
        _ = try harness.insert(#"{"k":1,"p":"10.0.0.0/\#(zeros)8"}"#)
        #expect(try bill(&harness, #"{"k":1,"f":"10.0.0.1"}"#).spentWork > 5_000)
    }

    @Test("What keys lead to many widgets is found out from some of them")
    func sampledTexts() throws {
        let rule = #"{"k":["${configuration.k}"],"f":[{"wildcard":"${configuration.p}"}]}"#
        var harness = MatcherHarness(rule: try EventPattern(rule))
        for key in 0..<300 {
            for copy in 0..<20 { _ = try harness.insert(#"{"k":\#(key),"p":"x*\#(copy)"}"#) }
        }
        let keys = list(300) { "\($0)" }
        let text = String(repeating: "a", count: 65)
        let bill = try bill(&harness, #"{"k":\#(keys),"f":"\#(text)"}"#)
        // All of the first ones, then two of each.
        let samples = 4_096 + 2 * 300
        #expect(bill.enqueueWork < samples * 60 + 300 * 400, "\(bill.enqueueWork)")
    }

    // MARK: - Lists

    private static let item =
        #"{"items":{"kind":["${configuration.a}"],"rarity":["${configuration.b}"]}}"#

    @Test("A list of objects takes one key for each, whatever rules ask of them together")
    func listOfObjects() throws {
        var harness = MatcherHarness(rule: try EventPattern(Self.item))
        let same = try harness.insert(#"{"a":7,"b":7}"#)
        _ = try harness.insert(#"{"a":7,"b":8}"#)
        var before = 0
        for count in [64, 128, 256, 511, 1_022, 2_044] {
            let items = list(count) { #"{"kind":\#($0),"rarity":\#($0)}"# }
            let bill = try bill(&harness, #"{"items":\#(items)}"#)
            #expect(bill.found == [same])
            #expect(bill.probeCount == count)
            if before > 0 { #expect(bill.total < before * 9 / 4, "\(count) objects") }
            before = bill.total
        }
        // 9 KB, of which the product of 511 times 511 was made.
        let items = list(511) { #"{"kind":\#($0),"rarity":1}"# }
        #expect(try bill(&harness, #"{"items":\#(items)}"#).total < 250_000)
    }

    @Test("Objects in a list that have the same values take one key")
    func repeatedObjects() throws {
        var harness = MatcherHarness(rule: try EventPattern(Self.item))
        let widget = try harness.insert(#"{"a":"x","b":1}"#)
        var before = 0
        for count in [250, 500, 1_000, 2_000] {
            let items = list(count) { _ in #"{"kind":"x","rarity":1}"# }
            let bill = try bill(&harness, #"{"items":\#(items)}"#)
            #expect(bill.found == [widget])
            #expect(bill.probeCount == 1)
            if before > 0 { #expect(bill.total < before * 9 / 4, "\(count) objects") }
            before = bill.total
        }
    }

    @Test("Lists in a list multiply within its elements, and not across them")
    func nestedLists() throws {
        let rule = try EventPattern(
            #"{"l":{"a":["${configuration.a}"],"m":{"b":["${configuration.b}"],"c":[1]}}}"#
        )
        var harness = MatcherHarness(rule: rule)
        let widget = try harness.insert(#"{"a":3,"b":31}"#)
        _ = try harness.insert(#"{"a":3,"b":41}"#)
        let outer = list(20) { outer in
            let inner = list(10) { #"{"b":\#(outer * 10 + $0),"c":1}"# }
            return #"{"a":[\#(outer),\#(outer + 100)],"m":\#(inner)}"#
        }
        let bill = try bill(&harness, #"{"l":\#(outer)}"#)
        #expect(bill.found == [widget])
        // Two values of a, ten of b, in each of twenty.
        #expect(bill.probeCount == 400)
    }

    @Test("Values of one object are combined though others stand between the fields")
    func betweenFields() throws {
        let rule = try EventPattern(
            #"{"l":{"m":{"b":["${configuration.b}"]},"o":{"c":["${configuration.c}"]}},"t":[1]}"#
        )
        var harness = MatcherHarness(rule: rule)
        let widget = try harness.insert(#"{"b":1,"c":2}"#)
        let other = try harness.insert(#"{"b":1,"c":4}"#)
        func found(_ list: String) throws -> [WidgetID] {
            try bill(&harness, #"{"t":[1,1],"l":\#(list)}"#).found
        }
        #expect(try found(#"[{"m":[{"b":9},{"b":1}],"o":{"c":2}}]"#) == [widget])
        #expect(try found(#"[{"m":[{"b":1}]},{"o":{"c":2}}]"#) == [])
        let both = #"[{"m":{"b":1},"o":[{"c":4},{"c":2}]},{"m":{"b":1}}]"#
        #expect(try found(both) == [widget, other])
        #expect(try found(#"{"m":{"b":1},"o":{"c":4}}"#) == [other])
    }

    @Test("Lists of objects that have nothing to do with each other multiply, to a limit")
    func unrelatedLists() throws {
        let rule = try EventPattern(
            #"{"l":{"a":["${configuration.a}"]},"m":{"b":["${configuration.b}"]}}"#
        )
        var harness = MatcherHarness(rule: rule)
        let widget = try harness.insert(#"{"a":5,"b":6}"#)
        func payload(_ count: Int) -> String {
            let left = list(count) { #"{"a":\#($0)}"# }
            return #"{"l":\#(left),"m":\#(list(count) { #"{"b":\#($0)}"# })}"#
        }
        let bill = try bill(&harness, payload(100))
        #expect(bill.found == [widget] && bill.probeCount == 10_000)
        #expect(throws: PayloadError.tooManyProbes) { try self.bill(&harness, payload(2_000)) }
        // It is refused before it has cost 5 ms.
        #expect(harness.scanner.work < 5_000_000)
    }

    @Test("No push that is accepted costs more than 5 ms before conditions are evaluated")
    func mostProbes() throws {
        let rule = try EventPattern(
            #"{"f":["${configuration.p}"],"g":["${configuration.q}"]}"#
        )
        var harness = MatcherHarness(rule: rule)
        _ = try harness.insert(#"{"p":-1,"q":-1}"#)
        let payload = #"{"f":\#(list(256) { "\($0)" }),"g":\#(list(128) { "\($0)" })}"#
        let bill = try bill(&harness, payload)
        #expect(bill.probeCount == WidgetMatcher.probeLimit)
        #expect(bill.total < 5_000_000)
    }

    @Test("A value costs a look for each form of key that it could have, and too many are refused")
    func manyForms() throws {
        // Addresses of which blocks of every length are wanted; what is sent is none.
        let rule = try EventPattern(#"{"f":[{"cidr":"${configuration.p}"}]}"#)
        var harness = MatcherHarness(rule: rule)
        for length in 1...32 { _ = try harness.insert(#"{"p":"10.0.0.0/\#(length)"}"#) }
        let fits = list(1_000) { #""10.0.\#($0)""# }
        #expect(try bill(&harness, #"{"f":\#(fits)}"#).enqueueWork > 32 * 1_000 * WorkCost.look)
        let refused = list(2_000) { #""10.0.\#($0)""# }
        #expect(throws: PayloadError.tooManyProbes) {
            try self.bill(&harness, #"{"f":\#(refused)}"#)
        }
    }

    @Test("Names of kinds that are repeated cost no more than others")
    func kinds() throws {
        var harness = MatcherHarness()
        harness.install((0..<40).map { ("k\($0)", nil) })
        let widgets = try (0..<40).map { try harness.insert("{}", kind: KindID(index: $0)) }
        let named = (0..<4_000).map { "k\($0 % 30 + 5)" }.joined(separator: ",")
        let bill = try bill(&harness, "@\(named) {}")
        #expect(bill.found == Array(widgets[5..<35]))
        #expect(bill.probeCount == 30)
    }

    // MARK: - Texts

    /// Widgets whose wildcards, each another one, nearly match everywhere in a text of one letter.
    private func wildcards(_ count: Int) throws -> MatcherHarness {
        let rule = try EventPattern(#"{"f":[{"wildcard":"${configuration.pat}"}]}"#)
        var harness = MatcherHarness(rule: rule)
        for number in 0..<count {
            let run = String(repeating: "a", count: 900 - number % 800)
            _ = try harness.insert(#"{"pat":"a*a\#(run)b*a","n":\#(number)}"#)
        }
        return harness
    }

    @Test("Wildcards that nearly match cost in proportion to the text")
    func nearMatches() throws {
        var harness = try wildcards(8)
        var before = 0
        for length in [7_500, 15_000, 30_000, 60_000] {
            let text = String(repeating: "a", count: length)
            let bill = try bill(&harness, #"{"f":"\#(text)"}"#, work: 100_000)
            #expect(bill.found == [])
            if before > 0 { #expect(bill.total < before * 9 / 4, "\(length) bytes") }
            before = bill.total
            // What is not interrupted is one wildcard on one text.
            #expect(bill.largestPortion < 100_000 + (length + 2_000) * 2 * WorkCost.textByte)
        }
        let text = String(repeating: "a", count: 2_000)
        #expect(try bill(&harness, #"{"f":"\#(text)ba"}"#).found.count == 8)
    }

    @Test("A long text that many rules' own wildcards would read is refused, at little cost")
    func refusedText() throws {
        var harness = MatcherHarness()
        harness.install(
            try (0..<100).map { number in
                ("k\(number)", try EventPattern(#"{"c":["x"],"f":[{"wildcard":"z*\#(number)"}]}"#))
            }
        )
        for number in 0..<100 { _ = try harness.insert("{}", kind: KindID(index: number)) }
        let text = String(repeating: "z", count: 60_000)
        #expect(throws: PayloadError.textCost) {
            try self.bill(&harness, #"{"c":"x","f":"\#(text)"}"#)
        }
        #expect(harness.scanner.work < 1_000_000)
    }

    @Test("A short text is matched however many widgets read it, in portions")
    func shortText() throws {
        let rule = try EventPattern(#"{"f":[{"regexp":"${configuration.p}"}]}"#)
        var harness = MatcherHarness(rule: rule)
        for number in 0..<3_000 { _ = try harness.insert(#"{"p":".*\#(number)"}"#) }
        let text = String(repeating: "x", count: 36)
        let bill = try bill(&harness, #"{"f":"\#(text)2999"}"#, work: 50_000)
        #expect(bill.found.count == 4)
        #expect(bill.spentWork > 500_000 && bill.largestPortion < 60_000)
        let long = String(repeating: "x", count: 4_000)
        let limited = try self.bill(&harness, #"{"f":"\#(long)"}"#, work: 50_000)
        #expect(limited.leftOut > 2_900 && limited.spentWork < 3_000_000)
    }

    @Test("A long text is read once for all widgets that have the same wildcard")
    func sameWildcard() throws {
        let rule = try EventPattern(#"{"f":[{"wildcard":"${configuration.pat}"}]}"#)
        var harness = MatcherHarness(rule: rule)
        let filler = String(repeating: "election day ", count: 4_000)
        let budget = try (0..<5_000).map { _ in try harness.insert(#"{"pat":"*x budget x*"}"#) }
        let close = try harness.insert(#"{"pat":"*x budget y*"}"#)
        let found = try bill(&harness, #"{"f":"\#(filler)x budget x"}"#)
        #expect(found.found == budget)
        #expect(found.spentWork < 3_000_000)
        // What was known of one push's text is not taken for the next one's.
        #expect(try bill(&harness, #"{"f":"\#(filler)x budget y"}"#).found == [close])
        #expect(try bill(&harness, #"{"f":["\#(filler)","\#(filler)x budget x"]}"#).found == budget)
    }

    @Test("Widgets of a key without wildcards are no reason to refuse a long text")
    func mixedKey() throws {
        var harness = MatcherHarness()
        harness.install([
            ("plain", try EventPattern(#"{"c":["x"],"n":[{"numeric":[">",1]}]}"#)),
            ("text", try EventPattern(#"{"c":["x"],"f":[{"wildcard":"${configuration.p}"}]}"#)),
        ])
        let plain = try (0..<400).map { try harness.insert(#"{"n":\#($0)}"#, kind: 0) }
        let text = try harness.insert(#"{"p":"z*"}"#, kind: 1)
        let payload = #"{"c":"x","n":2,"f":"z\#(String(repeating: "y", count: 20_000))"}"#
        #expect(try bill(&harness, payload).found == plain + [text])
        for number in 0..<400 { _ = try harness.insert(#"{"p":"z*\#(number)"}"#, kind: 1) }
        let limited = try bill(&harness, payload)
        #expect(limited.found.starts(with: plain) && limited.leftOut > 300)
    }

    // MARK: - One widget

    @Test("A rule is left and taken up again in the midst of a widget's values")
    func manyValues() throws {
        let rule = try EventPattern(
            #"{"l":{"f":[{"wildcard":"${configuration.p}"},{"anything-but":["${configuration.p}"]}]}}"#
        )
        var harness = MatcherHarness(rule: rule)
        let values = (0..<1_500).map { #""*\#($0)x*""# } + [#""\\*q""#]
        let widget = try harness.insert(#"{"p":[\#(values.joined(separator: ","))]}"#)
        // Equal to the last value, and no text that the wildcard stands for.
        let elements = list(40) { _ in #"{"f":["\\*q"]}"# }
        let none = try bill(&harness, #"{"l":\#(elements)}"#, work: 20_000)
        let last = #"{"l":\#(elements.dropLast()),{"f":["!"]}]}"#
        let whole = try bill(&harness, last)
        let parts = try bill(&harness, last, work: 20_000)
        #expect(whole.found == [widget] && parts.found == [widget])
        #expect(none.found == [])
        #expect(whole.spentWork > 40 * 1_500 * WorkCost.condition / 2)
        #expect(parts.largestPortion < 25_000)
    }

    @Test("A regular expression is left and taken up again in the midst of a text")
    func longRegexp() throws {
        let rule = try EventPattern(#"{"f":[{"regexp":".*(a|b){400}c"}]}"#)
        var harness = MatcherHarness(rule: rule)
        let widget = try harness.insert("{}")
        for (length, end, isFound) in [(3_000, "c", true), (3_000, "d", false), (30, "c", false)] {
            let text = (0..<length).map { $0 % 3 == 0 ? "b" : "a" }.joined() + end
            let whole = try bill(&harness, #"{"f":"\#(text)"}"#)
            let parts = try bill(&harness, #"{"f":"\#(text)"}"#, work: 10_000)
            #expect(whole.found == (isFound ? [widget] : []) && parts.found == whole.found)
            #expect(parts.largestPortion < 20_000)
            if length == 3_000 { #expect(parts.spentWork > 1_000_000) }
        }
    }

    @Test("A batch that is given up in the midst of a rule leaves nothing to the next one")
    func abandoned() throws {
        let rule = try EventPattern(#"{"f":[{"regexp":".*(a|b){400}c"}]}"#)
        var harness = MatcherHarness(rule: rule)
        let widget = try harness.insert("{}")
        let long = #"{"f":"\#(String(repeating: "a", count: 3_000))"}"#
        try Array(long.utf8).withByteView { view throws(PayloadError) in
            try harness.enqueue(view, tag: 0)
            for _ in 0..<5 {
                let isFinished = harness.matcher.matchQueued(work: 1_000)
                #expect(!isFinished)
            }
            harness.matcher.search.value.abandonBatch()
        }
        let good = #"{"f":"\#(String(repeating: "a", count: 400))c"}"#
        #expect(try harness.match([good, #"{"f":"c"}"#]) == [[widget], []])
    }
}
