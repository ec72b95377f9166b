import EventPatterns
import Testing

/// What is refused, with which code, where, and what the sentence says.
@Suite struct PatternRefusalTests {
    typealias Refusal = (text: String, code: PatternError.Code, path: String, says: String)

    private static func check(_ refusals: [Refusal]) {
        for (text, code, path, says) in refusals {
            let error = refusal(text)
            #expect(error?.code == code, "\(text): \(String(describing: error))")
            #expect(error?.path == path, "\(text): \(String(describing: error))")
            #expect(error?.message.contains(says) == true, "\(text): \(error?.message ?? "")")
            #expect(error?.message.contains("\n") == false, "\(text)")
        }
    }

    /// Checks alternatives of a field `f`.
    private static func checkAlternatives(_ refusals: [Refusal]) {
        check(refusals.map { ("{\"f\":[\($0.text)]}", $0.code, "f[0]" + $0.path, $0.says) })
    }

    // MARK: - The text and its objects

    @Test("what is no strict JSON object keeps the scanner's sentence under a code of its own")
    func json() {
        Self.check([
            ("", .notJSON, "", "ends"), ("{\"f\":[1,]}", .notJSON, "", "value"),
            ("{\"f\":[1]} x", .notJSON, "", "follows"), ("[]", .notObject, "", "object"),
            ("\"f\"", .notObject, "", "object"), ("null", .notObject, "", "object"),
            ("{\"f\":[1],\"\\u0066\":[2]}", .duplicateKey, "", "twice"),
            ("{\"f\":[{\"prefix\":\"a\",\"prefix\":\"b\"}]}", .duplicateKey, "", "twice"),
            ("{\"f\":[1e999]}", .numberRange, "", "double"),
            ("{\"f\":[\"\\ud800\"]}", .notJSON, "", "surrogate"),
            (
                "{\"f\":" + String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
                    + "}", .tooDeep, "", "deeper"
            ),
        ])
        #expect(throws: PatternError.self) { try parse(Array("{\"f\":[\"".utf8) + [0xff]) }
        #expect(refusal("{\"f\":[1],\"f\":[2]}")?.offset == 9)
    }

    @Test("empty objects and lists are refused wherever they stand")
    func empty() {
        Self.check([
            ("{}", .emptyObject, "", "at least one field"),
            (#"{"f":{}}"#, .emptyObject, "f", "at least one field"),
            (#"{"g":[1],"f":{"x":{}}}"#, .emptyObject, "f.x", "at least one field"),
            (#"{"$or":[{}]}"#, .emptyObject, "$or[0]", "at least one field"),
            (#"{"f":[{}]}"#, .emptyObject, "f[0]", "one operator"),
            (#"{"f":[{"anything-but":{}}]}"#, .emptyObject, "f[0].anything-but", "one operator"),
            (#"{"f":[{"prefix":{}}]}"#, .emptyObject, "f[0].prefix", "one operator"),
            (#"{"f":[]}"#, .emptyList, "f", "at least one"),
            (#"{"$or":[]}"#, .emptyList, "$or", "at least one"),
            (#"{"f":[{"anything-but":[]}]}"#, .emptyList, "f[0].anything-but", "at least one"),
            (
                #"{"f":[{"anything-but":{"suffix":[]}}]}"#, .emptyList,
                "f[0].anything-but.suffix", "at least one"
            ),
            (#"{"f":[{"numeric":[]}]}"#, .emptyList, "f[0].numeric", "a comparison"),
            (#"{"f":[{"all-of":[]}]}"#, .emptyList, "f[0].all-of", "at least one"),
        ])
    }

    @Test("a value without a list is displayed in one")
    func scalars() {
        Self.check([
            (#"{"f":"x"}"#, .scalar, "f", #"["x"]"#), (#"{"f":1.0}"#, .scalar, "f", "[1.0]"),
            (#"{"f":null}"#, .scalar, "f", "[null]"), (#"{"f":true}"#, .scalar, "f", "[true]"),
            (#"{"f":{"x":["y"],"z":3}}"#, .scalar, "f.z", "[3]"),
            (
                #"{"f":"${configuration.f}"}"#, .scalar, "f", #"["${configuration.f}"]"#
            ),
            (#"{"f":{"prefix":"x"}}"#, .scalar, "f.prefix", "list"),
            (
                "{\"f\":\"\(String(repeating: "x", count: 99))\"}", .scalar, "f", "[…]"
            ),
        ])
    }

    @Test("$or takes a list of objects and nothing else")
    func or() {
        Self.check([
            (#"{"$or":{"f":[1]}}"#, .or, "$or", "a list of patterns"),
            (#"{"$or":"x"}"#, .or, "$or", "a string"), (#"{"$or":null}"#, .or, "$or", "null"),
            (#"{"$or":[["x"]]}"#, .or, "$or[0]", "a list"),
            (#"{"$or":[{"f":[1]},"x"]}"#, .or, "$or[1]", "a string"),
            (#"{"o":{"$or":[{"$or":7}]}}"#, .or, "o.$or[0].$or", "a number"),
        ])
    }

    // MARK: - Alternatives and operators

    @Test("lists in lists, all-of in all-of and two operators in one object are refused")
    func alternatives() {
        Self.checkAlternatives([
            ("[1]", .alternative, "", "a list stands"), ("[]", .alternative, "", "a list stands"),
            (#"{"all-of":[[1]]}"#, .alternative, ".all-of[0]", "a list stands"),
            (#"{"all-of":[1,{"all-of":[2]}]}"#, .alternative, ".all-of[1].all-of", "outer"),
            (#"{"prefix":"a","suffix":"b"}"#, .operatorCount, ".suffix", "all-of"),
            (#"{"exists":true,"wrong":1}"#, .operatorCount, ".wrong", "all-of"),
            (
                #"{"anything-but":{"prefix":"a","suffix":"b"}}"#, .operatorCount,
                ".anything-but.suffix", "own"
            ),
            (
                #"{"prefix":{"equals-ignore-case":"a","x":1}}"#, .operatorCount, ".prefix.x", "own"
            ),
        ])
    }

    @Test("an unknown operator is answered with the known ones, and with the one that was meant")
    func unknownOperators() {
        let names =
            "prefix, suffix, equals-ignore-case, wildcard, regexp, cidr, anything-but, "
            + "numeric, exists and all-of"
        let cases = [
            ("anythingBut", #"write {"anything-but": …}"#),
            ("anything_but", #"write {"anything-but": …}"#),
            ("Anything-But", #"write {"anything-but": …}"#),
            ("anything-bu", #"write {"anything-but": …}"#),
            ("equals-ignorecase", #"write {"equals-ignore-case": …}"#),
            ("equalsIgnoreCase", #"write {"equals-ignore-case": …}"#),
            ("wildCard", #"write {"wildcard": …}"#), ("wild-card", #"write {"wildcard": …}"#),
            ("prefx", #"write {"prefix": …}"#), ("sufix", #"write {"suffix": …}"#),
            ("CIDR", #"write {"cidr": …}"#), ("exist", #"write {"exists": …}"#),
            ("numerical", #"write {"numeric": …}"#), ("allOf", #"write {"all-of": …}"#),
            ("regex", #"write {"regexp": …}"#), ("$or", #"write {"$or": [{…}, {…}]}"#),
            ("prefix-ignore-case", #"write {"prefix": {"equals-ignore-case": …}}"#),
            ("startsWith", #"write {"prefix": …}"#), ("contains", #"write {"wildcard": "*…*"}"#),
            ("gte", #"write {"numeric": [">=", …]}"#), ("not", #"write {"anything-but": …}"#),
            ("equals", "write the value in the list without an operator"),
        ]
        for (name, says) in cases {
            Self.checkAlternatives([
                (#"{"\#(name)":1}"#, .operatorUnknown, ".\(name)", says),
                (#"{"\#(name)":1}"#, .operatorUnknown, ".\(name)", names),
            ])
        }
    }

    @Test("a name that is like no operator is answered with the known ones alone")
    func foreignOperators() {
        let foreign = [
            "", "x", "ci", "region", "xyzzy", "wildcardset", "\u{e9}", "=", "…",
            String(repeating: "a", count: 99),
        ]
        for name in foreign {
            let error = refusal(#"{"f":[{"\#(name)":1}]}"#)
            #expect(error?.code == .operatorUnknown)
            #expect(error?.message.contains("write") == false, "\(error?.message ?? "")")
            #expect(error?.message.contains("numeric, exists and all-of") == true)
        }
        let nested = refusal(#"{"f":[{"region":["x"]}]}"#)
        #expect(nested?.message.contains("without the list") == true)
    }

    @Test("within an operator only some operators may stand")
    func operatorsWithin() {
        Self.checkAlternatives([
            (#"{"prefix":{"wildcard":"a"}}"#, .operand, ".prefix.wildcard", "equals-ignore-case"),
            (#"{"suffix":{"prefix":"a"}}"#, .operand, ".suffix.prefix", "equals-ignore-case"),
            (
                #"{"prefix":{"equalsIgnoreCase":"a"}}"#, .operatorUnknown,
                ".prefix.equalsIgnoreCase", #"write {"equals-ignore-case": …}"#
            ),
            (
                #"{"anything-but":{"regexp":"a"}}"#, .operand, ".anything-but.regexp",
                "prefix, suffix, equals-ignore-case, wildcard and numeric"
            ),
            (#"{"anything-but":{"cidr":"::/0"}}"#, .operand, ".anything-but.cidr", "numeric"),
            (#"{"anything-but":{"exists":true}}"#, .operand, ".anything-but.exists", "numeric"),
            (
                #"{"anything-but":{"anything-but":1}}"#, .operand, ".anything-but.anything-but",
                "prefix"
            ),
            (#"{"anything-but":{"all-of":[1]}}"#, .operand, ".anything-but.all-of", "prefix"),
            (
                #"{"anything-but":{"startsWith":"a"}}"#, .operatorUnknown,
                ".anything-but.startsWith", #"write {"prefix": …}"#
            ),
        ])
    }

    // MARK: - Operands

    @Test(
        "operators on strings take strings",
        arguments: ["prefix", "suffix", "equals-ignore-case", "wildcard", "regexp", "cidr"]
    )
    func textOperands(name: String) {
        for (value, noun) in [
            ("1", "a number"), ("true", "true"), ("null", "null"), ("[\"a\"]", "a list"),
        ] {
            Self.checkAlternatives([
                (#"{"\#(name)":\#(value)}"#, .operand, ".\(name)", "\(name) is given \(noun)")
            ])
        }
        let isNegatable = !["regexp", "cidr"].contains(name)
        Self.checkAlternatives(
            !isNegatable
                ? []
                : [
                    (
                        #"{"anything-but":{"\#(name)":["a",1]}}"#, .operand,
                        ".anything-but.\(name)[1]", "strings"
                    ),
                    (
                        #"{"anything-but":{"\#(name)":7}}"#, .operand, ".anything-but.\(name)",
                        "a string or a list"
                    ),
                ]
        )
        if !["prefix", "suffix"].contains(name) {
            Self.checkAlternatives([
                (#"{"\#(name)":{"equals-ignore-case":"a"}}"#, .operand, ".\(name)", "an object")
            ])
        }
    }

    @Test("other operators refuse what they cannot use")
    func otherOperands() {
        Self.checkAlternatives([
            (#"{"exists":1}"#, .operand, ".exists", "true or false"),
            (#"{"exists":"true"}"#, .operand, ".exists", "true or false"),
            (#"{"exists":null}"#, .operand, ".exists", "true or false"),
            (#"{"exists":"${configuration.x}"}"#, .operand, ".exists", "true or false"),
            (#"{"anything-but":[["a"]]}"#, .operand, ".anything-but[0]", "a list"),
            (#"{"anything-but":[1,{"prefix":"a"}]}"#, .operand, ".anything-but[1]", "an object"),
            (#"{"all-of":"a"}"#, .operand, ".all-of", "list"),
            (#"{"all-of":1}"#, .operand, ".all-of", "list"),
            (#"{"all-of":{"prefix":"a"}}"#, .operand, ".all-of", "list"),
            (
                #"{"prefix":{"equals-ignore-case":["a"]}}"#, .operand,
                ".prefix.equals-ignore-case", "a list"
            ),
        ])
    }

    @Test("numeric refuses lists that are no bounds")
    func numeric() {
        Self.checkAlternatives([
            (#"{"numeric":5}"#, .numeric, ".numeric", "a list"),
            (#"{"numeric":">5"}"#, .numeric, ".numeric", "a list"),
            (#"{"numeric":{"=":5}}"#, .numeric, ".numeric", "a list"),
            (#"{"numeric":[5]}"#, .numeric, ".numeric[0]", "comparison"),
            (#"{"numeric":["=="]}"#, .numeric, ".numeric[0]", "comparison"),
            (#"{"numeric":["=>",1]}"#, .numeric, ".numeric[0]", "comparison"),
            (#"{"numeric":[[">",1]]}"#, .numeric, ".numeric[0]", "comparison"),
            (#"{"numeric":["${configuration.x}",1]}"#, .numeric, ".numeric[0]", "comparison"),
            (#"{"numeric":[">"]}"#, .numeric, ".numeric[0]", "no number"),
            (#"{"numeric":[">",1,"<"]}"#, .numeric, ".numeric[2]", "no number"),
            (#"{"numeric":[">","1"]}"#, .numeric, ".numeric[1]", "a string"),
            (#"{"numeric":[">",null]}"#, .numeric, ".numeric[1]", "null"),
            (#"{"numeric":[">",[1]]}"#, .numeric, ".numeric[1]", "a list"),
            (#"{"numeric":[">",1,2]}"#, .numeric, ".numeric[2]", "comparison"),
            (#"{"numeric":[">",1,">=",2]}"#, .numeric, ".numeric[2]", "at most one"),
            (#"{"numeric":["<",1,"<",2]}"#, .numeric, ".numeric[2]", "at most one"),
            (#"{"numeric":["=",1,"<",2]}"#, .numeric, ".numeric[2]", "alone"),
            (#"{"numeric":[">",1,"!=",2]}"#, .numeric, ".numeric[2]", "alone"),
            (#"{"numeric":["=",1,"=",1]}"#, .numeric, ".numeric[2]", "alone"),
            (#"{"numeric":[">",1,"<",5,">",2]}"#, .numeric, ".numeric[4]", "at most one"),
            (#"{"anything-but":{"numeric":["<"]}}"#, .numeric, ".anything-but.numeric[0]", "no"),
        ])
    }

    @Test(
        "a range that no number is in is refused",
        arguments: [
            #"[">",5,"<",3]"#, #"["<",3,">",5]"#, #"[">",5,"<=",5]"#, #"[">=",5,"<",5.0]"#,
            #"["<",50e-1,">",5]"#, #"[">=",9007199254740993,"<=",9007199254740992]"#,
            #"[">",0,"<",-0]"#, #"[">=",0.1,"<=",0.09999999999999999999999]"#,
        ]
    )
    func emptyRanges(range: String) {
        Self.checkAlternatives([(#"{"numeric":\#(range)}"#, .range, ".numeric", "no number")])
    }

    @Test(
        "a placeholder must be the whole string and well formed",
        arguments: [
            "${configuration.}", "${configuration.x", "${configuration.x} ", " ${configuration.x}",
            "${configuration.x}${configuration.y}", "${config.x}", "${Configuration.x}", "${}",
            "${", "a ${configuration.x} b", "${configuration.a{b}", "${configuration.a}b}",
            "${configurationx}", "x${y", "${configuration.\(String(repeating: "n", count: 129))}",
            "$${configuration.x}", "${\u{301}", "${configuration.x}\u{301}",
        ]
    )
    func placeholders(text: String) {
        Self.checkAlternatives([
            ("\"\(text)\"", .placeholder, "", "${configuration.NAME}"),
            (#"{"prefix":"\#(text)"}"#, .placeholder, ".prefix", "whole string"),
            (#"{"anything-but":[1,"\#(text)"]}"#, .placeholder, ".anything-but[1]", "whole"),
            (#"{"numeric":[">","\#(text)"]}"#, .placeholder, ".numeric[1]", "whole"),
            (#"{"all-of":"\#(text)"}"#, .placeholder, ".all-of", "whole"),
        ])
    }

    @Test("wildcards, regular expressions and blocks of addresses are checked as they are read")
    func literals() {
        Self.checkAlternatives([
            (#"{"wildcard":"a**b"}"#, .wildcard, ".wildcard", "stars"),
            (#"{"wildcard":"a\\n"}"#, .wildcard, ".wildcard", "escapes neither"),
            (#"{"wildcard":"a\\"}"#, .wildcard, ".wildcard", "backslash"),
            (
                #"{"anything-but":{"wildcard":["*","**"]}}"#, .wildcard,
                ".anything-but.wildcard[1]", "stars"
            ),
            (#"{"regexp":"(a"}"#, .regexp, ".regexp", "byte 0 of the expression: the group"),
            (#"{"regexp":"a{2,1}"}"#, .regexp, ".regexp", "count"),
            (#"{"regexp":"\\d"}"#, .regexp, ".regexp", "escape"),
            (#"{"regexp":"(?:a)"}"#, .regexp, ".regexp", "group"),
            (#"{"regexp":"((a{99}){99}){99}"}"#, .regexp, ".regexp", "4096 instructions"),
            (#"{"all-of":[{"regexp":"["}]}"#, .regexp, ".all-of[0].regexp", "class"),
            (#"{"cidr":"10.0.0.0/33"}"#, .cidr, ".cidr", "10.0.0.0/8"),
            (#"{"cidr":"10.0.0.0"}"#, .cidr, ".cidr", "block"),
            (#"{"cidr":""}"#, .cidr, ".cidr", "block"),
        ])
    }
}
