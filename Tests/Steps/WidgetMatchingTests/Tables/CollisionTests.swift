import Basics
import EventPatterns
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("Keys whose hashes agree as far as the table keeps them")
struct CollisionTests {
    /// The bits of a hash that the table goes by.
    private static func kept(_ hash: UInt64) -> UInt64 { (hash >> 56) << 32 | hash & 0xffff_ffff }

    /// A text and a number of which the keys agree in two spaces: 2^20 of each are as many pairs as
    /// there are hashes.
    private func collision(_ matcher: borrowing WidgetMatcher) throws -> (Int, Int) {
        var equal = KeySpace(form: .value)
        var cell = KeySpace(form: .cell)
        let names = ["f", "n"].map { name in
            name.withByteView {
                matcher.index.vocabulary.scanned.attribute(
                    below: .root(MatcherHarness.app),
                    named: MemberName($0)
                )!
            }
        }
        equal.attributes[0] = names[0]
        cell.attributes[0] = names[1]
        let (equals, cells) = (matcher.index.spaces.find(equal)!, matcher.index.spaces.find(cell)!)
        var texts: [UInt64: Int] = [:]
        for number in 0..<1 << 20 {
            let hash = "v\(number)".withByteView { matcher.index.values.hash(.string, bytes: $0) }
            texts[Self.kept(matcher.index.spaces.hash(equals, word: hash))] = number
        }
        for number in 1..<1 << 22 {
            let key = "\(number)".withByteView { withCanonicalNumber($0) { DecimalOrder.key($0) } }
            if let text = texts[Self.kept(matcher.index.spaces.hash(cells, word: key))] {
                return (text, number)
            }
        }
        throw CancellationError()
    }

    @Test("A text and a number with one hash do not stand for each other")
    func ofTwoSpaces() throws {
        let rules = [
            #"{"f":["${configuration.p}"]}"#,
            #"{"n":[{"numeric":[">=","${configuration.p}","<=","${configuration.p}"]}]}"#,
        ]
        for isNumberFirst in [true, false] {
            var harness = MatcherHarness()
            harness.install(try rules.enumerated().map { ("k\($0)", try EventPattern($1)) })
            // They bring the spaces into being.
            _ = try harness.insert(#"{"p":"none"}"#, kind: 0)
            _ = try harness.insert(#"{"p":0}"#, kind: 1)
            let (text, number) = try collision(harness.matcher)
            var widgets: [WidgetID] = []
            for kind in isNumberFirst ? [1, 0] : [0, 1] {
                let value = kind == 0 ? #""v\#(text)""# : "\(number)"
                widgets.append(try harness.insert(#"{"p":\#(value)}"#, kind: KindID(index: kind)))
            }
            let (textual, numeric) =
                isNumberFirst ? (widgets[1], widgets[0]) : (widgets[0], widgets[1])
            for _ in 0..<2 {
                #expect(try harness.match(#"{"f":"v\#(text)"}"#) == [textual])
                #expect(try harness.match(#"{"n":\#(number)}"#) == [numeric])
                #expect(try harness.match(#"{"n":"v\#(text)","f":\#(number)}"#) == [])
                // Then with one of them alone.
                try harness.replace(numeric, #"{"p":-1}"#, kind: 1)
                #expect(try harness.match(#"{"n":\#(number),"f":"v\#(text)"}"#) == [textual])
                try harness.replace(numeric, #"{"p":\#(number)}"#, kind: 1)
                try harness.replace(textual, #"{"p":"other"}"#, kind: 0)
                #expect(try harness.match(#"{"n":\#(number),"f":"v\#(text)"}"#) == [numeric])
                try harness.replace(textual, #"{"p":"v\#(text)"}"#, kind: 0)
            }
        }
    }
}
