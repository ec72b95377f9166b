import Basics
import EventPatterns
import Testing

/// Each limit: what just fits is read, one more is refused with `pattern-limit`.
@Suite struct PatternParserLimitTests {
    private static func elements(_ count: Int, _ element: (Int) -> String) -> String {
        (0..<count).map(element).joined(separator: ",")
    }

    private static func check(
        fits: String,
        exceeds: String,
        path: String,
        says: String,
        _ sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(refusal(fits) == nil, sourceLocation: sourceLocation)
        let error = refusal(exceeds)
        #expect(error?.code == .limit, sourceLocation: sourceLocation)
        #expect(error?.path == path, sourceLocation: sourceLocation)
        #expect(error?.message.contains(says) == true, sourceLocation: sourceLocation)
    }

    @Test("objects nest 16 levels deep, the outermost being the first")
    func depth() {
        func nested(_ levels: Int) -> String {
            String(repeating: #"{"o":"#, count: levels - 1) + #"{"f":[1]}"#
                + String(repeating: "}", count: levels - 1)
        }
        let limit = PatternLimits.depth
        let path = Array(repeating: "o", count: limit).joined(separator: ".")
        Self.check(fits: nested(limit), exceeds: nested(limit + 1), path: path, says: "16 levels")
    }

    @Test("a list of $or is a level, and its branches are one deeper")
    func depthOfOr() {
        func nested(_ count: Int, _ leaf: String) -> String {
            String(repeating: #"{"$or":["#, count: count) + leaf
                + String(repeating: "]}", count: count)
        }
        let sevenFold = Array(repeating: "$or[0]", count: 7).joined(separator: ".")
        Self.check(
            fits: nested(7, #"{"o":{"f":[1]}}"#),
            exceeds: nested(7, #"{"o":{"$or":[{"f":[1]}]}}"#),
            path: sevenFold + ".o.$or",
            says: "16 levels"
        )
    }

    @Test(
        "the deepest operators at the deepest level stay within what JSON may nest in an app file"
    )
    func deepestLeaf() {
        let leaf = #"[{"all-of":[{"anything-but":{"prefix":{"equals-ignore-case":["a"]}}}]}]"#
        let text =
            String(repeating: #"{"o":"#, count: 15) + #"{"f":\#(leaf)}"#
            + String(repeating: "}", count: 15)
        // The containers around it in an app file: object, apps, app, kinds, kind.
        #expect(refusal(text) == nil)
        let deepest = text.reduce(into: (depth: 0, most: 0)) { count, character in
            if "[{".contains(character) { count.depth += 1 }
            if "]}".contains(character) { count.depth -= 1 }
            count.most = max(count.most, count.depth)
        }
        #expect(deepest.most + 5 <= RouterLimits.jsonDepth)
    }

    @Test("a pattern has at most 255 members, those of nested objects and branches included")
    func conditions() {
        let limit = PatternLimits.conditions
        func flat(_ count: Int) -> String { "{" + Self.elements(count) { "\"f\($0)\":[1]" } + "}" }
        Self.check(fits: flat(limit), exceeds: flat(limit + 1), path: "f255", says: "255 members")
        func nested(_ count: Int) -> String {
            #"{"a":{"b":[1]},"$or":[{"c":[1]},{"d":{"#
                + Self.elements(count) { "\"f\($0)\":[1]" } + "}}]}"
        }
        Self.check(
            fits: nested(limit - 5),
            exceeds: nested(limit - 4),
            path: "$or[1].d.f\(limit - 5)",
            says: "255 members"
        )
    }

    @Test("branches of $or have members of their own, and are limited by these")
    func branches() {
        func branched(_ count: Int) -> String {
            "{\"$or\":[" + Self.elements(count) { _ in "{\"f\":[1]}" } + "]}"
        }
        let most = PatternLimits.conditions - 1
        Self.check(
            fits: branched(most),
            exceeds: branched(most + 1),
            path: "$or[\(most)].f",
            says: "255 members"
        )
    }

    @Test("neither depth nor path grows with what stands side by side")
    func siblings() {
        let objects = Self.elements(40) {
            "\"o\($0)\":{\"$or\":[{\"f\":[{\"numeric\":[\">\",1]},{\"prefix\":\"a\"},2]}]}"
        }
        #expect(refusal("{\(objects)}") == nil)
        #expect(refusal("{\(objects),\"f\":1}")?.path == "f")
    }

    @Test("a list has at most 1,024 values, of whatever it is the list")
    func alternatives() {
        let limit = PatternLimits.alternatives
        let lists: [(around: (String) -> String, path: String)] = [
            ({ #"{"f":[\#($0)]}"# }, "f"),
            ({ #"{"f":[{"anything-but":[\#($0)]}]}"# }, "f[0].anything-but"),
            ({ #"{"f":[{"anything-but":{"prefix":[\#($0)]}}]}"# }, "f[0].anything-but.prefix"),
            ({ #"{"f":[{"all-of":[\#($0)]}]}"# }, "f[0].all-of"),
        ]
        for (around, path) in lists {
            Self.check(
                fits: around(Self.elements(limit) { "\"v\($0)\"" }),
                exceeds: around(Self.elements(limit + 1) { "\"v\($0)\"" }),
                path: path,
                says: "1024 elements"
            )
        }
    }

    @Test("the lists of a pattern have at most 16,384 elements together")
    func elements() {
        let limit = PatternLimits.elements
        let full = (0..<limit / 1_024).map { field in
            "\"f\(field)\":[\(Self.elements(1_024) { "\"v\($0)\"" })]"
        }.joined(separator: ",")
        Self.check(
            fits: "{\(full)}",
            exceeds: "{\(full),\"g\":[0]}",
            path: "g",
            says: "16384 elements"
        )
    }

    @Test("a wildcard or regular expression has at most 1,024 bytes, not characters")
    func expressions() {
        let limit = PatternLimits.expressionBytes
        for name in ["wildcard", "regexp"] {
            func leaf(_ text: String) -> String { #"{"f":[{"\#(name)":"\#(text)"}]}"# }
            let long = String(repeating: "\u{e9}", count: limit / 2)
            Self.check(
                fits: leaf(long),
                exceeds: leaf(long + "x"),
                path: "f[0].\(name)",
                says: "1024 bytes"
            )
        }
    }

    @Test("a value or name that no payload can have is refused rather than stored")
    func values() {
        let limit = PatternLimits.valueBytes
        let long = String(repeating: "x", count: limit)
        let digits = "0." + String(repeating: "1", count: limit - 2)
        let cases: [(fits: String, exceeds: String, path: String)] = [
            ("{\"f\":[\"\(long)\"]}", "{\"f\":[\"\(long)x\"]}", "f[0]"),
            (
                "{\"f\":[\"\\n\(long.dropFirst())\"]}", "{\"f\":[\"\\n\(long)\"]}", "f[0]"
            ),
            ("{\"f\":[\(digits)]}", "{\"f\":[\(digits)1]}", "f[0]"),
            // Of a long name messages quote the beginning.
            ("{\"\(long)\":[1]}", "{\"\(long)x\":[1]}", long.prefix(120) + "…"),
            (
                "{\"f\":[{\"prefix\":\"\(long)\"}]}", "{\"f\":[{\"prefix\":\"\(long)x\"}]}",
                "f[0].prefix"
            ),
        ]
        for (fits, exceeds, path) in cases {
            Self.check(fits: fits, exceeds: exceeds, path: path, says: "524288 bytes")
        }
    }
}
