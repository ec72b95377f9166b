import Basics
import EventPatterns
import Testing

/// Patterns are the same if their bytes are, not if their characters are.
@Suite struct PatternIdentityTests {
    // The same character, composed and decomposed.
    private static let spellings = ["\u{e9}", "e\u{301}"]

    @Test(
        "two spellings of a character make two patterns, wherever they stand",
        arguments: [
            #"{"@":[1]}"#, #"{"@":{"f":[1]}}"#, #"{"o":{"@":[1]}}"#, #"{"$or":[{"@":[1]}]}"#,
            #"{"f":["@"]}"#, #"{"f":[1,{"prefix":"@"}]}"#, #"{"f":[{"anything-but":["a","@"]}]}"#,
            #"{"f":["${configuration.@}"]}"#, #"{"f":[{"all-of":["a","@"]}]}"#,
            #"{"f":[{"all-of":"${configuration.@}"}]}"#,
            #"{"f":[{"numeric":["<","${configuration.@}"]}]}"#,
        ]
    )
    func spellings(template: String) throws {
        let patterns = try Self.spellings.map { spelling in
            try parse(template.split(separator: "@").joined(separator: spelling))
        }
        #expect(patterns[0] == patterns[1])
        #expect(!patterns[0].isIdentical(to: patterns[1]))
        #expect(patterns[1].isIdentical(to: patterns[1]))
    }

    @Test("what is not equal is not identical either")
    func different() throws {
        let texts = [
            #"{"f":["1"]}"#, #"{"f":[1]}"#, #"{"f":[1.0]}"#, #"{"f":[{"anything-but":1}]}"#,
            #"{"f":[true]}"#, #"{"f":[false]}"#, #"{"f":[{"exists":true}]}"#,
            #"{"f":[{"exists":false}]}"#, #"{"f":[{"prefix":"1"}]}"#, #"{"f":[{"suffix":"1"}]}"#,
            #"{"f":[{"numeric":["<",1]}]}"#, #"{"f":[{"numeric":[">",1]}]}"#,
            #"{"f":["${configuration.1}"]}"#, #"{"$or":[{"f":["1"]}]}"#,
        ]
        let patterns = try texts.map(parse)
        for (left, leftText) in zip(patterns, texts) {
            for (right, rightText) in zip(patterns, texts) {
                #expect(left.isIdentical(to: right) == (leftText == rightText))
            }
        }
    }
}
