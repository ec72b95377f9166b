import Basics
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("The keys of widgets")
struct KeyTests {
    @Test(
        "Names that differ in one byte, wherever, are different fields",
        arguments: [1, 7, 8, 9, 15, 16, 17, 18, 24, 128]
    )
    func names(length: Int) throws {
        let base = String(repeating: "n", count: length)
        let names =
            [base]
            + (0..<length).map { position in
                String(repeating: "n", count: position) + "x"
                    + String(repeating: "n", count: length - position - 1)
            }
        var harness = MatcherHarness()
        let empty = MatcherUsage(harness.matcher)
        harness.install(
            names.enumerated().map { number, name in
                ("k\(number)", EventPattern([.field(name, [.string("v")])]))
            }
        )
        var widgets: [WidgetID] = []
        for kind in names.indices {
            widgets.append(try harness.insert("{}", kind: KindID(index: kind)))
        }
        for (number, name) in names.enumerated() {
            let found = try harness.match([
                #"{"\#(name)":"v"}"#, #"{"\#(name)":"w"}"#, #"{"\#(name)n":"v"}"#,
                #"{"\#(name.dropLast())":"v"}"#,
            ])
            #expect(found == [[widgets[number]], [], [], []], "byte \(number - 1)")
        }
        for widget in widgets { harness.matcher.remove(widget) }
        harness.install([])
        #expect(MatcherUsage(harness.matcher) == empty)
    }

    @Test("A field leads to the widgets of every form and length of key")
    func manySpaces() throws {
        let text = String(repeating: "abcdefghijklmnopqrstuvwxyz012345", count: 8)
        var harness = MatcherHarness()
        let operators = [
            #"{"prefix":P}"#, #"{"suffix":P}"#, #"{"equals-ignore-case":P}"#,
            #"{"prefix":{"equals-ignore-case":P}}"#, #"{"suffix":{"equals-ignore-case":P}}"#,
            #"{"wildcard":P}"#, "P",
        ]
        let placeholder = #""${configuration.p}""#
        harness.install(
            try operators.enumerated().map { number, test in
                let test = test.replacing("P", with: placeholder)
                return ("k\(number)", try EventPattern(#"{"f":[\#(test)]}"#))
            }
        )
        var expected: [WidgetID] = []
        for length in 0...text.count {
            let (head, tail) = (text.prefix(length), text.suffix(length))
            expected.append(try harness.insert(#"{"p":"\#(head)"}"#, kind: 0))
            expected.append(try harness.insert(#"{"p":"\#(tail)"}"#, kind: 1))
            expected.append(try harness.insert(#"{"p":"\#(head.uppercased())"}"#, kind: 3))
            expected.append(try harness.insert(#"{"p":"\#(tail.uppercased())"}"#, kind: 4))
            expected.append(try harness.insert(#"{"p":"\#(head)*"}"#, kind: 5))
            let inner = length == 0 ? "*" : "*\(tail.prefix(5))*"
            expected.append(try harness.insert(#"{"p":"\#(inner)"}"#, kind: 5))
            _ = try harness.insert(#"{"p":"\#(head)!"}"#, kind: 0)
            _ = try harness.insert(#"{"p":"!\#(tail)"}"#, kind: 4)
        }
        expected.append(try harness.insert(#"{"p":"\#(text.uppercased())"}"#, kind: 2))
        expected.append(try harness.insert(#"{"p":"\#(text)"}"#, kind: 6))
        let spaceCount = harness.matcher.index.spaces.count
        #expect(spaceCount > 150)
        #expect(try harness.match(#"{"f":"\#(text)"}"#) == expected)
        for widget in NumberRange<WidgetID>(count: harness.matcher.index.widgetCount) {
            harness.matcher.remove(widget)
        }
        harness.install([])
        #expect(MatcherUsage(harness.matcher) == .empty)
    }

    @Test("Fields that many rules combine with one lead to the right widgets")
    func sharedAttribute() throws {
        var harness = MatcherHarness()
        harness.install(
            try (0..<100).map { number in
                let pattern = #"{"f":["x"],"g\#(number)":["${configuration.p}"]}"#
                return ("k\(number)", try EventPattern(pattern))
            }
        )
        for number in 0..<100 {
            _ = try harness.insert(#"{"p":\#(number)}"#, kind: KindID(index: number))
        }
        #expect(try harness.match(#"{"f":"x","g7":7,"g8":7,"g99":99}"#) == [7, 99])
        #expect(try harness.match(#"{"f":"y","g7":7}"#) == [])
        #expect(try harness.match(#"{"g7":7}"#) == [])
    }

    // MARK: - Combinations

    private static func list(_ count: Int, _ letter: String) -> String {
        "[\((0..<count).map { #""\#(letter)\#($0)""# }.joined(separator: ","))]"
    }

    @Test(
        "Lists multiply to at most 16 keys; beyond, those of the shortest lists are the keys",
        arguments: [
            (4, 4, 1, 16), (4, 5, 1, 4), (16, 1, 1, 16), (17, 1, 1, 1), (2, 8, 1, 16), (2, 9, 1, 2),
            (2, 2, 4, 16), (2, 4, 4, 8), (300, 300, 300, 300), (1, 1, 300, 1),
        ]
    )
    func combinations(first: Int, second: Int, third: Int, keyCount: Int) throws {
        let pattern =
            #"{"f":["${configuration.p}"],"g":["${configuration.q}"],"h":["${configuration.r}"]}"#
        var harness = MatcherHarness(rule: try EventPattern(pattern))
        let lists = [(first, "p"), (second, "q"), (third, "r")].map { count, name in
            #""\#(name)":\#(Self.list(count, name))"#
        }
        let widget = try harness.insert("{\(lists.joined(separator: ","))}")
        let made = harness.matcher.index.keys.count
        #expect(made == keyCount)
        for position in 0..<max(first, second, third) {
            let values = [
                "p\(min(position, first - 1))", "q\(min(position, second - 1))",
                "r\(min(position, third - 1))",
            ]
            let payload = #"{"f":"\#(values[0])","g":"\#(values[1])","h":"\#(values[2])"}"#
            #expect(try harness.match(payload) == [widget], "\(payload)")
            for name in ["f", "g", "h"] {
                let other = payload.replacing(#""\#(name)":""#, with: #""\#(name)":"!"#)
                #expect(try harness.match(other) == [], "\(other)")
            }
        }
        let all = #"{"f":\#(Self.list(first, "p")),"g":["q0"],"h":["none",["r0"],"r0"]}"#
        #expect(try harness.match(all) == [widget])
        harness.matcher.remove(widget)
        harness.install([])
        #expect(MatcherUsage(harness.matcher) == .empty)
    }
}
