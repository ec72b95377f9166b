import Basics
import EventPatterns
import Testing

/// What patterns are read as.
@Suite struct PatternParserTests {
    /// The tests of the only field of a pattern, `f`.
    private static func tests(_ list: String) throws -> [PatternTest] {
        let pattern = try parse("{\"f\":\(list)}")
        guard case .field("f", let tests) = try #require(pattern.conditions.first) else {
            Issue.record("\(list) is no field")
            return []
        }
        return tests
    }

    private static func string(_ text: String) -> PatternOperand { .value(.string(text)) }
    private static func number(_ text: String) -> PatternOperand { .value(.number(text)) }

    // MARK: - Objects

    @Test("fields, nested patterns and $or are conditions in the order in which they stand")
    func conditions() throws {
        let pattern = try parse(
            #"{"a":["x"],"$or":[{"b":[1]},{"c":[true],"d":[null]}],"e":{"g":{"h":["y"]},"i":[2]}}"#
        )
        let expected = EventPattern(conditions: [
            .field("a", [.equals(Self.string("x"))]),
            .anyOf([
                EventPattern(conditions: [.field("b", [.equals(Self.number("1"))])]),
                EventPattern(conditions: [
                    .field("c", [.equals(.value(.boolean(true)))]),
                    .field("d", [.equals(.value(.null))]),
                ]),
            ]),
            .nested(
                "e",
                EventPattern(conditions: [
                    .nested(
                        "g",
                        EventPattern(conditions: [.field("h", [.equals(Self.string("y"))])])
                    ),
                    .field("i", [.equals(Self.number("2"))]),
                ])
            ),
        ])
        #expect(pattern == expected)
    }

    @Test("$or may stand in $or, in a nested object, and with one branch")
    func or() throws {
        let leaf = EventPattern(conditions: [.field("f", [.exists(true)])])
        let text =
            #"{"$or":[{"$or":[{"f":[{"exists":true}]}]},{"o":{"$or":[{"f":[{"exists":true}]}]}}]}"#
        let inner = EventPattern(conditions: [.anyOf([leaf])])
        let expected = EventPattern(conditions: [
            .anyOf([inner, EventPattern(conditions: [.nested("o", inner)])])
        ])
        #expect(try parse(text) == expected)
    }

    @Test("names that look like operators or paths are names")
    func names() throws {
        let names = ["prefix", "exists", "a.b", "$OR", "or", "", "$or ", "\u{e9}", "$", "[0]"]
        for name in names {
            let expected = EventPattern(conditions: [.field(name, [.exists(false)])])
            #expect(try parse("{\"\(name)\":[{\"exists\":false}]}") == expected)
        }
    }

    @Test("names and values are read decoded, and $or by any spelling")
    func escapes() throws {
        let pattern = try parse(#"{"\u0024or":[{"\n":["\"\u00e9"]}]}"#)
        let leaf = PatternCondition.field("\n", [.equals(Self.string("\"\u{e9}"))])
        #expect(pattern.conditions == [.anyOf([EventPattern(conditions: [leaf])])])
    }

    // MARK: - Alternatives

    @Test("scalars are values of their own type, numbers as they are written")
    func scalars() throws {
        let tests = try Self.tests(#"["",30,30.0,3e1,-0,1E+2,true,false,null,"30"]"#)
        let values: [PatternValue] = [
            .string(""), .number("30"), .number("30.0"), .number("3e1"), .number("-0"),
            .number("1E+2"), .boolean(true), .boolean(false), .null, .string("30"),
        ]
        #expect(tests == values.map { .equals(.value($0)) })
    }

    @Test("a placeholder is a parameter wherever a value may stand")
    func placeholders() throws {
        let hole = #""${configuration.p q}""#
        let parameter = PatternOperand.parameter("p q")
        let cases: [(String, PatternTest)] = [
            (hole, .equals(parameter)),
            (#"{"prefix":\#(hole)}"#, .text(.prefix, parameter)),
            (#"{"wildcard":\#(hole)}"#, .text(.wildcard, parameter)),
            (#"{"regexp":\#(hole)}"#, .text(.regexp, parameter)),
            (#"{"cidr":\#(hole)}"#, .text(.cidr, parameter)),
            (
                #"{"suffix":{"equals-ignore-case":\#(hole)}}"#,
                .text(.suffixIgnoringCase, parameter)
            ),
            (#"{"anything-but":\#(hole)}"#, .anythingBut([.equals(parameter)])),
            (
                #"{"anything-but":[1,\#(hole)]}"#,
                .anythingBut([.equals(Self.number("1")), .equals(parameter)])
            ),
            (
                #"{"anything-but":{"prefix":[\#(hole)]}}"#,
                .anythingBut([.text(.prefix, parameter)])
            ),
            (
                #"{"numeric":["<=",\#(hole)]}"#,
                .numeric([NumericBound(.lessOrEqual, operand: parameter)])
            ),
            (#"{"all-of":\#(hole)}"#, .allOfParameter("p q")),
            (#"{"all-of":[\#(hole)]}"#, .allOf([.equals(parameter)])),
        ]
        for (text, test) in cases { #expect(try Self.tests("[\(text)]") == [test], "\(text)") }
    }

    @Test("a string that has nothing of a placeholder is itself")
    func plainStrings() throws {
        let texts = [
            "$", "{x}", "$ {configuration.x}", "configuration.x", "$configuration", "}", "$$",
            "$}{",
        ]
        for text in texts {
            #expect(try Self.tests("[\"\(text)\"]") == [.equals(Self.string(text))])
        }
    }

    @Test("the longest name that a parameter can have may stand in a placeholder")
    func longestParameter() throws {
        let name = String(repeating: "\u{e9}", count: 64)
        let tests = try Self.tests("[\"${configuration.\(name)}\"]")
        #expect(tests == [.equals(.parameter(name))])
    }

    // MARK: - Operators

    @Test("each operator on strings takes one string")
    func textOperators() throws {
        let cases: [(String, TextOperator, String)] = [
            (#"{"prefix":"a"}"#, .prefix, "a"), (#"{"prefix":""}"#, .prefix, ""),
            (#"{"suffix":"a"}"#, .suffix, "a"),
            (#"{"equals-ignore-case":"aB"}"#, .equalsIgnoringCase, "aB"),
            (#"{"prefix":{"equals-ignore-case":"a"}}"#, .prefixIgnoringCase, "a"),
            (#"{"suffix":{"equals-ignore-case":"a"}}"#, .suffixIgnoringCase, "a"),
            (#"{"wildcard":"a*\\*\\\\b*"}"#, .wildcard, #"a*\*\\b*"#),
            (#"{"wildcard":""}"#, .wildcard, ""),
            (#"{"regexp":"[a-z]{2,3}-[0-9]|\\p{Lu}+"}"#, .regexp, #"[a-z]{2,3}-[0-9]|\p{Lu}+"#),
            (#"{"cidr":"10.0.0.0/8"}"#, .cidr, "10.0.0.0/8"),
            (#"{"cidr":"2001:db8::/32"}"#, .cidr, "2001:db8::/32"),
        ]
        for (text, operation, operand) in cases {
            #expect(
                try Self.tests("[\(text)]") == [.text(operation, Self.string(operand))],
                "\(text)"
            )
        }
    }

    @Test("anything-but takes a value, a list of values, or one operator with one or more strings")
    func anythingBut() throws {
        let strings = [Self.string("a"), Self.string("b")]
        let cases: [(String, [PatternTest])] = [
            (#""a""#, [.equals(strings[0])]), ("1.0", [.equals(Self.number("1.0"))]),
            ("true", [.equals(.value(.boolean(true)))]), ("null", [.equals(.value(.null))]),
            (
                #"["a",1,null,false]"#,
                [
                    .equals(strings[0]), .equals(Self.number("1")), .equals(.value(.null)),
                    .equals(.value(.boolean(false))),
                ]
            ),
            (#"{"prefix":"a"}"#, [.text(.prefix, strings[0])]),
            (#"{"prefix":["a","b"]}"#, strings.map { .text(.prefix, $0) }),
            (#"{"suffix":["a","b"]}"#, strings.map { .text(.suffix, $0) }),
            (#"{"equals-ignore-case":["a","b"]}"#, strings.map { .text(.equalsIgnoringCase, $0) }),
            (#"{"wildcard":["a","b"]}"#, strings.map { .text(.wildcard, $0) }),
            (
                #"{"prefix":{"equals-ignore-case":"a"}}"#,
                [.text(.prefixIgnoringCase, strings[0])]
            ),
            (
                #"{"suffix":{"equals-ignore-case":["a","b"]}}"#,
                strings.map { .text(.suffixIgnoringCase, $0) }
            ),
            (
                #"{"numeric":[">",1,"<",2]}"#,
                [
                    .numeric([
                        NumericBound(.greater, operand: Self.number("1")),
                        NumericBound(.less, operand: Self.number("2")),
                    ])
                ]
            ),
        ]
        for (text, tests) in cases {
            #expect(
                try Self.tests(#"[{"anything-but":\#(text)}]"#) == [.anythingBut(tests)],
                "\(text)"
            )
        }
    }

    @Test("numeric takes one comparison, or a lower and an upper bound in any order")
    func numeric() throws {
        for comparison in NumericComparison.allCases {
            #expect(
                try Self.tests(#"[{"numeric":["\#(comparison.rawValue)",-1.5e3]}]"#)
                    == [.numeric([NumericBound(comparison, operand: Self.number("-1.5e3"))])]
            )
        }
        let ranges = [
            #"[">=",3,"<=",3.0]"#, #"["<=",3,">=",3]"#, #"["<",0.1,">",-0]"#,
            #"[">",9007199254740992,"<",9007199254740993]"#, #"["<","${configuration.a}",">",5]"#,
            #"[">",5,"<","${configuration.a}"]"#,
            #"[">","${configuration.a}","<","${configuration.a}"]"#,
        ]
        for range in ranges {
            guard case .numeric(let bounds) = try Self.tests(#"[{"numeric":\#(range)}]"#)[0] else {
                Issue.record("\(range) is no range")
                continue
            }
            #expect(bounds.count == 2)
        }
    }

    @Test("all-of takes any alternatives but another all-of")
    func allOf() throws {
        let tests = try Self.tests(
            #"[{"all-of":["a",{"prefix":"b"},{"exists":true},{"anything-but":1},{"numeric":["=",0]}]}]"#
        )
        let expected: [PatternTest] = [
            .equals(Self.string("a")), .text(.prefix, Self.string("b")), .exists(true),
            .anythingBut([.equals(Self.number("1"))]),
            .numeric([NumericBound(.equal, operand: Self.number("0"))]),
        ]
        #expect(tests == [.allOf(expected)])
    }

    // MARK: - Within another text

    @Test("a pattern within another text leaves the reader after it, and places count there")
    func within() throws {
        let text = #"{"match": {"f": ["x"]} , "more": {"f": [[]]}}"#
        try text.withByteView { view in
            var reader = JSONReader(view)
            reader.enterObject()
            _ = reader.nextKey()
            let pattern = try PatternParser.parse(&reader, path: "a[0].match")
            #expect(pattern.conditions == [.field("f", [.equals(Self.string("x"))])])
            #expect(reader.nextKey()?.string == "more")
            let error = #expect(throws: PatternError.self) {
                try PatternParser.parse(&reader, path: "a[0].more")
            }
            #expect(error?.code == .alternative)
            #expect(error?.offset == 40)
            #expect(error?.path == "a[0].more.f[0]")
            #expect(
                error?.description.hasPrefix("pattern-alternative a[0].more.f[0]: a list stands")
                    == true
            )
        }
    }
}
