import Basics
import Testing

@testable import EventPatterns

@Suite("Paths that a rule names")
struct PatternPathTests {
    private func parse(_ text: String) throws -> EventPattern {
        try Array(text.utf8).withByteView { view throws(PatternError) in
            try PatternParser.parse(view)
        }
    }

    @Test(arguments: [
        (#"{"a":["${configuration.p}"],"b":[1]}"#, ["a"]),
        (
            #"{"b":["x","${configuration.p}"],"a":{"c":{"d":["${configuration.q}"]}}}"#,
            ["b", "a.c.d"]
        ),
        (
            #"{"$or":[{"h":["${configuration.t}"]},{"g":["${configuration.t}"],"h":["${configuration.t}"]}]}"#,
            ["h", "g"]
        ),
        (
            #"{"a":[{"all-of":"${configuration.p}"}],"b":[{"all-of":[{"prefix":"x"},"${configuration.p}"]}]}"#,
            ["a", "b"]
        ),
        (
            #"{"a":[{"prefix":"${configuration.p}"}],"b":[{"anything-but":"${configuration.p}"}]}"#,
            []
        ),
        (#"{"a":[{"numeric":["<","${configuration.p}"]}]}"#, []),
    ])
    func `A key is what is compared with the configuration`(
        _ rule: String,
        _ paths: [String]
    ) throws {
        #expect(try parse(rule).keyPaths.map { $0.joined(separator: ".") } == paths)
    }

    @Test(arguments: [
        (#"{"a":["x"],"b":{"c":[1],"d":[{"anything-but":2}]}}"#, ["a", "b.c", "b.d"]),
        (#"{"a":[{"exists":false}],"b":["x",{"exists":false}],"c":[{"exists":true}]}"#, ["c"]),
        (#"{"a":[{"all-of":[{"exists":false}]}],"b":[{"all-of":[{"exists":false},"x"]}]}"#, ["b"]),
        (#"{"$or":[{"a":[1]},{"a":[2],"b":[3]}],"$event":{"type":["x"]}}"#, ["a", "b"]),
        (#"{"o":{"$event":[1]}}"#, ["o.$event"]),
    ])
    func `A member is expected where its absence matches nothing`(
        _ rule: String,
        _ paths: [String]
    ) throws {
        #expect(try parse(rule).expectedPaths.map { $0.joined(separator: ".") } == paths)
    }
}
