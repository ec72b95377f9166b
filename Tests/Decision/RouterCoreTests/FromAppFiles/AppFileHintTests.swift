import Basics
import TestSupport
import Testing

@testable import RouterCore

@Suite("Hints about app files that declare what has no effect")
struct AppFileHintTests {
    private static func hints(_ members: String) throws -> [String] {
        let kind = #"{"kind":"k",\#(members)}"#
        return try AppFile.parse(#"{"apps":[{"app":"a","kinds":[{"kind":"x"},\#(kind)]}]}"#).hints
    }

    @Test(arguments: [
        ("match.score", "match"), ("$.match.score", "match"), ("/match/score", "match"),
        ("match[0]", "match"), ("match/score", "match"), ("$['a.b']", "'a"), (".a", "a"),
    ])
    func `A field that looks like a path has a hint`(_ name: String, _ member: String) throws {
        for list in ["observes", "inlines"] {
            let found = try Self.hints(#""\#(list)":["hp","\#(name)"]"#)
            #expect(found.count == 1)
            #expect(found.first?.hasPrefix(#"a, kind k: \#(list) has "\#(name)","#) == true)
            #expect(found.first?.hasSuffix(#", perhaps "\#(member)""#) == true, "\(found)")
        }
    }

    @Test func `A field that the rule has by that name, or that is a plain name, is none`() throws {
        #expect(try Self.hints(#""match":{"http.path":["x"]},"observes":["http.path"]"#) == [])
        #expect(try Self.hints(#""observes":["match","$type","a-b","."]"#) == [])
        let nested = #""match":{"http":{"path":["x"]}},"observes":["http.path"]"#
        #expect(try Self.hints(nested).count == 1)
    }

    @Test func `Members that rules name are those of the first kinds`() throws {
        let kinds = #"{"kind":"k","match":{"a":[1],"o":{"b":[1]}}},{"kind":"l","match":{"c":[1]}}"#
        let catalog = try AppFile.parse(#"{"apps":[{"app":"g","kinds":[{"kind":"n"},\#(kinds)]}]}"#)
        let all = catalog.expectedMembers(limit: 9)
        #expect(all.map(\.kind) == ["k", "k", "l"])
        #expect(all.map(\.path) == [["a"], ["o", "b"], ["c"]])
        #expect(catalog.expectedMembers(limit: 2) == Array(all.prefix(2)))
        let text = all[1].hint(pushes: 120).text
        #expect(
            text
                == "g, kind k: the rule names o.b, which none of the last 120 pushes of the app had"
        )
    }

    @Test func `A rule's hints name app and kind`() throws {
        let found = try Self.hints(#""match":{"o":{"e":[{"regexp":"^x$"}]}}"#)
        #expect(found.first?.hasPrefix(#"a, kind k: o.e: in the regular expression "^x$""#) == true)
    }
}
