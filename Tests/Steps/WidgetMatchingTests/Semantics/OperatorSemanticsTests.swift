import Basics
import Testing

@testable import WidgetMatching

@Suite("What the operators of a rule match")
struct OperatorSemanticsTests {
    /// Whether a field with these alternatives holds for a value; nil leaves the field out.
    private func holds(
        _ alternatives: String,
        _ value: String?,
        configuration: String = "{}"
    ) throws -> Bool {
        try MatcherHarness.matches(
            #"{"f":[\#(alternatives)]}"#,
            configuration,
            value.map { #"{"f":\#($0)}"# } ?? "{}"
        )
    }

    // MARK: - Equality

    @Test(
        "Numbers are equal by value and to numbers only",
        arguments: [
            ("30", "30", true), ("30", #""30""#, false), (#""30""#, "30", false),
            ("30", "30.0", true), ("30", "3e1", true), ("3e1", "300e-1", true), ("-0", "0", true),
            ("0", "-0.0e5", true), ("9007199254740993", "9007199254740992", false),
            ("9007199254740993", "9007199254740993.0", true),
            ("123456789012345678901234567890", "123456789012345678901234567891", false),
            ("1", "true", false), ("0", "false", false), ("0", "null", false), ("0", #""""#, false),
        ]
    )
    func numbers(literal: String, pushed: String, expected: Bool) throws {
        #expect(try holds(literal, pushed) == expected)
        #expect(
            try holds(#""${configuration.p}""#, pushed, configuration: #"{"p":\#(literal)}"#)
                == expected
        )
    }

    @Test("Addresses are equal as strings, not as addresses")
    func addressesAsStrings() throws {
        #expect(try holds(#""::1""#, #""::1""#))
        #expect(try !holds(#""::1""#, #""0:0:0:0:0:0:0:1""#))
        #expect(try !holds(#""2001:db8::1""#, #""2001:DB8::1""#))
        #expect(try !holds(#""10.0.0.1""#, #""10.0.0.01""#))
        #expect(try !holds(#"{"anything-but":["10.0.0.1"]}"#, #""10.0.0.1""#))
        #expect(try holds(#"{"anything-but":["10.0.0.1"]}"#, #""10.0.0.01""#))
    }

    @Test(
        "No operator normalises text",
        arguments: [
            #""caf\u00e9""#, #"{"prefix":"caf\u00e9"}"#, #"{"suffix":"\u00e9"}"#,
            #"{"equals-ignore-case":"CAF\u00c9"}"#, #"{"wildcard":"*\u00e9"}"#,
            #"{"prefix":{"equals-ignore-case":"CAF\u00c9"}}"#,
            #"{"suffix":{"equals-ignore-case":"\u00c9"}}"#, #"{"regexp":"caf\u00e9"}"#,
        ]
    )
    func normalisation(alternative: String) throws {
        #expect(try holds(alternative, #""caf\u00e9""#))
        #expect(try !holds(alternative, #""cafe\u0301""#))
    }

    // MARK: - Text

    @Test(
        "Prefix and suffix compare bytes",
        arguments: [
            (#"{"prefix":"dra"}"#, #""dragon""#, true), (#"{"prefix":"dra"}"#, #""dra""#, true),
            (#"{"prefix":"dra"}"#, #""dr""#, false), (#"{"prefix":"dra"}"#, #""Dragon""#, false),
            (#"{"prefix":""}"#, #""""#, true), (#"{"prefix":""}"#, "1", false),
            (#"{"prefix":""}"#, "null", false), (#"{"prefix":"3"}"#, "30", false),
            (#"{"prefix":"t"}"#, "true", false), (#"{"suffix":"gon"}"#, #""dragon""#, true),
            (#"{"suffix":"gon"}"#, #""gon""#, true), (#"{"suffix":"gon"}"#, #""on""#, false),
            (#"{"suffix":""}"#, #""x""#, true), (#"{"suffix":"gon"}"#, #""dragon ""#, false),
            (#"{"prefix":"dra"}"#, #"["x",1,"dragon"]"#, true),
            (#"{"prefix":"dra"}"#, #"[["dragon"]]"#, true),
            (#"{"prefix":"dra"}"#, #"{"dragon":"dragon"}"#, false),
        ]
    )
    func affixes(alternative: String, pushed: String, expected: Bool) throws {
        #expect(try holds(alternative, pushed) == expected)
    }

    @Test(
        "Case is ignored as Unicode's simple folding does",
        arguments: [
            (#"{"equals-ignore-case":"Dragon"}"#, #""dRAGON""#, true),
            (#"{"equals-ignore-case":"kelvin"}"#, #""\u212aELVIN""#, true),
            (#"{"equals-ignore-case":"\u212a"}"#, #""k""#, true),
            (#"{"equals-ignore-case":"s"}"#, #""\u017f""#, true),
            (#"{"equals-ignore-case":"ΣΑΣ"}"#, #""σας""#, true),
            (#"{"equals-ignore-case":"É"}"#, #""é""#, true),
            (#"{"equals-ignore-case":"ß"}"#, #""ẞ""#, true),
            (#"{"equals-ignore-case":"ß"}"#, #""ss""#, false),
            (#"{"equals-ignore-case":"i"}"#, #""İ""#, false),
            (#"{"equals-ignore-case":"i"}"#, #""ı""#, false),
            (#"{"equals-ignore-case":"30"}"#, "30", false),
            (#"{"prefix":{"equals-ignore-case":"K"}}"#, #""\u212aelvin""#, true),
            (#"{"prefix":{"equals-ignore-case":"ſk"}}"#, #""SKY""#, true),
            (#"{"prefix":{"equals-ignore-case":"sky"}}"#, #""SK""#, false),
            (#"{"suffix":{"equals-ignore-case":"ΟΣ"}}"#, #""λόγος""#, true),
            (#"{"suffix":{"equals-ignore-case":"ẞ"}}"#, #""Gruß""#, true),
            (#"{"suffix":{"equals-ignore-case":"ẞ"}}"#, #""Gruss""#, false),
        ]
    )
    func ignoringCase(alternative: String, pushed: String, expected: Bool) throws {
        #expect(try holds(alternative, pushed) == expected)
    }

    @Test(
        "Wildcards match whole values, and escapes take their meaning away",
        arguments: [
            ("a*c", "abc", true), ("a*c", "ac", true), ("a*c", "acd", false), ("*", "", true),
            ("*", "anything\\\\*", true), ("a*b*c", "a-b-b-c", true), ("a*b*c", "a-c-b", false),
            (#"\\*"#, "*", true), (#"\\*"#, "x", false), (#"\\\\"#, #"\\"#, true),
            (#"a\\\\*"#, #"a\\x"#, true), (#"a\\\\*"#, "a*", false), (#"\\**"#, "*x", true),
            (#"\\**"#, "x*", false), ("*aab", "aaab", true), ("*é*", "naïve é!", true),
            ("abc", "abc", true), ("", "", true), ("", "x", false), ("a*", "\\u0061\\u0000", true),
        ]
    )
    func wildcards(pattern: String, text: String, expected: Bool) throws {
        #expect(try holds(#"{"wildcard":"\#(pattern)"}"#, #""\#(text)""#) == expected)
        #expect(
            try holds(
                #"{"wildcard":"${configuration.p}"}"#,
                #""\#(text)""#,
                configuration: #"{"p":"\#(pattern)"}"#
            ) == expected
        )
    }

    @Test(
        "Regular expressions match whole values",
        arguments: [
            ("elf-[0-9]+", "elf-42", true), ("elf-[0-9]+", "elf-42x", false),
            ("elf-[0-9]+", "an elf-42", false), ("a|b", "a", true), ("a|b", "ab", false),
            ("(ab)*", "", true), ("(a|b)*c", "ababc", true), (".", "é", true), (".", "🧝", true),
            (".", #"\n"#, false), (#"\\p{L}+"#, "naïve", true),
            ("(a*)*b", "aaaaaaaaaaaaaaac", false),
        ]
    )
    func regexps(pattern: String, text: String, expected: Bool) throws {
        #expect(try holds(#"{"regexp":"\#(pattern)"}"#, #""\#(text)""#) == expected)
    }

    @Test(
        "A block holds the addresses of its own family in it, however they are written",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("10.1.2.3/8", "10.9.9.9", true), ("0.0.0.0/0", "255.255.255.255", true),
            ("10.0.0.1/32", "10.0.0.1", true), ("10.0.0.1/32", "10.0.0.0", false),
            ("0.0.0.0/0", "::1", false), ("::/0", "1.2.3.4", false), ("::/0", "::", true),
            ("2001:db8::/32", "2001:0DB8:0:0:0:0:0:1", true),
            ("2001:db8::/32", "2001:db9::1", false), ("::ffff:0:0/96", "::ffff:1.2.3.4", true),
            ("1.2.3.4/32", "::ffff:1.2.3.4", false), ("10.0.0.0/8", "10.0.0.01", false),
            ("10.0.0.0/8", "10.0.0", false), ("10.0.0.0/8", "10.0.0.1 ", false),
            ("10.0.0.0/8", "10.0.0.0/8", false), ("::/0", "fe80::1%eth0", false),
        ]
    )
    func blocks(block: String, address: String, expected: Bool) throws {
        #expect(try holds(#"{"cidr":"\#(block)"}"#, #""\#(address)""#) == expected)
        #expect(try !holds(#"{"cidr":"\#(block)"}"#, "10"))
    }

    // MARK: - Numbers

    @Test(
        "Ranges compare numbers exactly",
        arguments: [
            (#"">",5"#, "5", false), (#"">",5"#, "5.000000000000000000001", true),
            (#"">=",5"#, "5.0", true), (#""<",5"#, "-1e300", true), (#""<=",5"#, "5e0", true),
            (#""=",3e1"#, "30", true), (#""!=",30"#, "3e1", false), (#""!=",30"#, "31", true),
            (#"">",0,"<=",100"#, "100", true), (#""<=",100,">",0"#, "0", false),
            (#"">",0"#, #""1""#, false), (#""<",1"#, "null", false), (#""<",1"#, "false", false),
            (#""!=",1"#, #""x""#, false), (#""!=",1"#, "[]", false), (#""!=",1"#, "[1,2]", true),
            (#"">",9007199254740992"#, "9007199254740993", true),
            (#"">",9007199254740993"#, "9007199254740993", false),
            (#"">",12345678901234567890123456789"#, "12345678901234567890123456790", true),
            (#""<",12345678901234567890123456790"#, "12345678901234567890123456789", true),
            (#""<",1e300"#, "9.9e299", true), (#"">",-1e-300"#, "-0", true),
            // One element must be within both bounds.
            (#"">",1,"<",9"#, "[0,10]", false), (#"">",1,"<",9"#, "[0,5]", true),
        ]
    )
    func ranges(bounds: String, pushed: String, expected: Bool) throws {
        #expect(try holds(#"{"numeric":[\#(bounds)]}"#, pushed) == expected)
    }

    // MARK: - Presence

    @Test(
        "A field exists with whatever value",
        arguments: [
            ("null", true), ("{}", true), (#"{"a":1}"#, true), ("[]", true), ("[[]]", true),
            ("[null]", true), ("0", true), ("false", true), (#""""#, true), (nil, false),
        ] as [(String?, Bool)]
    )
    func presence(pushed: String?, isThere: Bool) throws {
        #expect(try holds(#"{"exists":true}"#, pushed) == isThere)
        #expect(try holds(#"{"exists":false}"#, pushed) == !isThere)
    }

    @Test(
        "anything-but holds for what is there and is not listed",
        arguments: [
            (#"["a","b"]"#, nil, false), (#"["a","b"]"#, "null", true),
            (#"["a",null]"#, "null", false), (#"["a","b"]"#, "[]", true),
            (#"["a","b"]"#, "{}", true), (#"["a","b"]"#, #"{"a":"a"}"#, true),
            (#"["a","b"]"#, #""a""#, false), (#"["a","b"]"#, #""c""#, true),
            (#"["a","b"]"#, #"["c","a"]"#, false), (#"["a","b"]"#, #"["c","d"]"#, true),
            (#"["a","b"]"#, #"[["a"]]"#, false), (#"["a",1,true]"#, "1.0", false),
            (#"["a",1,true]"#, "true", false), (#"["a",1,true]"#, #""1""#, true),
            (#""a""#, #""a""#, false), ("1", "2", true), ("false", "false", false),
            (#"{"prefix":"a"}"#, #""ab""#, false), (#"{"prefix":"a"}"#, "7", true),
            (#"{"prefix":["a","b"]}"#, #""bc""#, false), (#"{"prefix":["a","b"]}"#, #""c""#, true),
            (#"{"suffix":"z"}"#, #"["a","bz"]"#, false), (#"{"prefix":"a"}"#, nil, false),
            (#"{"equals-ignore-case":["ÉL"]}"#, #""él""#, false),
            (#"{"prefix":{"equals-ignore-case":"K"}}"#, #""\u212ax""#, false),
            (#"{"suffix":{"equals-ignore-case":["x","y"]}}"#, #""aY""#, false),
            (#"{"wildcard":"a*c"}"#, #""abc""#, false), (#"{"wildcard":"a*c"}"#, #""ab""#, true),
            (#"{"numeric":[">",5]}"#, "6", false), (#"{"numeric":[">",5]}"#, "5", true),
            (#"{"numeric":[">",5]}"#, #""6""#, true), (#"{"numeric":["!=",5]}"#, "[5,6]", false),
        ] as [(String, String?, Bool)]
    )
    func anythingBut(excluded: String, pushed: String?, expected: Bool) throws {
        #expect(try holds(#"{"anything-but":\#(excluded)}"#, pushed) == expected)
    }

    // MARK: - all-of

    @Test(
        "all-of wants every test, each for some element",
        arguments: [
            (#"["a","b"]"#, #"["b","c","a"]"#, true), (#"["a","b"]"#, #"["a","c"]"#, false),
            (#"["a","b"]"#, #""a""#, false), (#"["a","a"]"#, #""a""#, true),
            (#"["a",1,null]"#, #"[null,1.0,"a"]"#, true), (#"["a","b"]"#, "[]", false),
            (#"["a","b"]"#, #"[["a","b"]]"#, true),
            (#"[{"prefix":"a"},{"suffix":"z"}]"#, #"["ab","yz"]"#, true),
            (#"[{"prefix":"a"},{"suffix":"z"}]"#, #""az""#, true),
            (#"[{"prefix":"a"},{"suffix":"z"}]"#, #"["ab","zy"]"#, false),
            (#"["a",{"anything-but":["b"]}]"#, #"["a","c"]"#, true),
            (#"["a",{"anything-but":["b"]}]"#, #"["a","b"]"#, false),
            (#"[{"exists":true},{"anything-but":["b"]}]"#, "{}", true),
            (#"[{"exists":false}]"#, nil, true), (#"["a",{"exists":false}]"#, nil, false),
        ] as [(String, String?, Bool)]
    )
    func allOf(tests: String, pushed: String?, expected: Bool) throws {
        #expect(try holds(#"{"all-of":\#(tests)}"#, pushed) == expected)
    }

    @Test("An alternative stands beside others, whatever operators they have")
    func alternatives() throws {
        let mixed = #""a",{"numeric":[">",5]},{"prefix":"b"},{"exists":false}"#
        for (pushed, expected) in [
            (#""a""#, true), ("6", true), (#""bc""#, true), (nil, true), ("5", false),
            (#""ab""#, false), ("null", false), ("[5,6]", true), ("[]", false),
        ] as [(String?, Bool)] {
            #expect(try holds(mixed, pushed) == expected, "\(pushed ?? "missing")")
        }
    }
}
