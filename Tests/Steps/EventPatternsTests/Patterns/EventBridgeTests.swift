import Basics
import Testing

@testable import EventPatterns

@Suite("What EventBridge reads otherwise")
struct EventBridgeTests {
    private func parse(
        _ text: String,
        isStored: Bool = false
    ) throws(PatternError) -> EventPattern {
        try Array(text.utf8).withByteView { view throws(PatternError) in
            var reader = JSONReader(view)
            return try PatternParser.parse(&reader, path: "", isStored: isStored)
        }
    }

    /// The paths of the differences of a pattern with these tests of the field f.
    private func paths(_ tests: String) throws -> [String] {
        try parse(#"{"f":[\#(tests)]}"#).differencesFromEventBridge.map(\.path)
    }

    @Test(arguments: [
        (#""a",1,true,null"#, []),
        (#"{"prefix":"a"},{"suffix":""},{"prefix":{"equals-ignore-case":"a"}}"#, []),
        (#"{"wildcard":"*a*b*c*"},{"cidr":"10.0.0.0/8"},{"cidr":"2001:db8::/32"}"#, []),
        (#"{"numeric":[">=",0,"<",10]},{"numeric":["=",3e2]}"#, []),
        (#"{"exists":true}"#, ["f[0].exists"]),
        (#""a",{"exists":false}"#, ["f[1].exists"]),
        (#"{"anything-but":"a"}"#, ["f[0].anything-but"]),
        (#"{"anything-but":["a","b"]}"#, ["f[0].anything-but"]),
        (#"{"anything-but":null}"#, ["f[0].anything-but", "f[0].anything-but"]),
        (#"{"anything-but":["a",1]}"#, ["f[0].anything-but", "f[0].anything-but"]),
        (
            #"{"anything-but":{"suffix":{"equals-ignore-case":"a"}}}"#,
            ["f[0].anything-but", "f[0].anything-but"]
        ),
        (#"{"anything-but":{"numeric":["<",5]}}"#, ["f[0].anything-but", "f[0].anything-but"]),
        (#"{"wildcard":"*a*b*c*d*e"}"#, ["f[0].wildcard"]),
        (#"{"cidr":"::ffff:1.2.3.0/120"}"#, ["f[0].cidr"]),
        (#"{"equals-ignore-case":"straße"}"#, ["f[0].equals-ignore-case"]),
        (#"{"regexp":"a"}"#, ["f[0].regexp"]),
        (#"{"all-of":["a",{"exists":true}]}"#, ["f[0].all-of", "f[0].all-of[1].exists"]),
        (#"{"all-of":"${configuration.p}"}"#, ["f[0].all-of"]),
        (#"{"numeric":["!=",1]}"#, ["f[0].numeric"]),
        (#"{"numeric":["<",10,">",0]}"#, ["f[0].numeric"]),
        (#"{"numeric":["=",9007199254740993]}"#, ["f[0].numeric"]),
        (#"9007199254740993"#, ["f[0]"]),
        (#"100000000000000,0.000000000000000000001"#, []),
    ])
    func `Alternatives that differ are named`(_ tests: String, _ expected: [String]) throws {
        #expect(try paths(tests) == expected)
    }

    @Test(arguments: [
        (#"{"a.b":[1]}"#, ["a.b"]),
        (#"{"a":{"b.c":{"d":[1]}}}"#, ["a.b.c"]),
        (#"{"$or":[{"a":[1]},{"b":[1]}]}"#, []),
        (#"{"$or":[{"a":[1]}]}"#, ["$or"]),
        (
            #"{"x":{"$or":[{"prefix":[1]},{"b":[{"exists":true}]}]}}"#,
            ["x.$or", "x.$or[1].b[0].exists"]
        ),
        (#"{"prefix":[1],"exists":{"numeric":[2]}}"#, []),
    ])
    func `Members that differ are named`(_ pattern: String, _ expected: [String]) throws {
        #expect(try parse(pattern).differencesFromEventBridge.map(\.path) == expected)
    }

    @Test(arguments: [
        #"{"prefix":""}"#, #"{"suffix":["a",""]}"#, #"{"prefix":{"equals-ignore-case":""}}"#,
        #"{"suffix":{"equals-ignore-case":["",""]}}"#,
    ])
    func `What excludes every string is refused but for stores`(_ operand: String) throws {
        let pattern = #"{"f":[{"anything-but":\#(operand)}]}"#
        let error = #expect(throws: PatternError.self) { try parse(pattern) }
        #expect(error?.code == .operand)
        #expect(error?.message.contains("every string") == true)
        #expect(throws: Never.self) { try parse(pattern, isStored: true) }
    }

    @Test func `An empty text is accepted where it excludes nothing or is compared whole`() throws {
        for tests in [
            #"{"prefix":""}"#, #"{"anything-but":""}"#, #"{"anything-but":{"wildcard":""}}"#,
            #"{"anything-but":{"equals-ignore-case":""}}"#,
            #"{"anything-but":{"prefix":"${configuration.p}"}}"#,
        ] {
            #expect(throws: Never.self) { try paths(tests) }
        }
    }

    @Test func `A wildcard that excludes every string has a hint`() throws {
        let hints = try parse(#"{"f":[{"anything-but":{"wildcard":["a*","*"]}}]}"#).hints
        #expect(hints.count == 1 && hints[0].hasPrefix("f: anything-but excludes"))
        #expect(try parse(#"{"f":[{"anything-but":{"wildcard":"*a"}}]}"#).hints == [])
    }
}
