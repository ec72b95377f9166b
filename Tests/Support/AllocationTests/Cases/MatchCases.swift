extension MatchCase {
    /// Every operator, and every form in which widgets are found, with pushes that match and some
    /// that do not.
    static let all = equalities + lists + texts + numbers + addresses + combined

    private static let equalities = [
        MatchCase(
            "one equality",
            #"{"f":["${configuration.p}"]}"#,
            [#"{"p":"a"}"#, #"{"p":7}"#],
            [#"{"f":"a"}"#, #"{"f":7.0}"#, #"{"f":"\u0061"}"#, #"{"f":"b"}"#, #"{"g":"a"}"#],
            matches: 3
        ),
        MatchCase(
            "several equalities, of the widget and of the rule",
            #"{"e":["x","y"],"f":["${configuration.p}"],"g":{"h":["${configuration.q}",null]}}"#,
            [#"{"p":"a","q":1}"#, #"{"p":["a","b"],"q":[1,2]}"#],
            [
                #"{"e":"x","f":"a","g":{"h":1}}"#, #"{"e":"y","f":"b","g":{"h":null}}"#,
                #"{"e":"z","f":"a","g":{"h":1}}"#, #"{"e":"x","f":"a"}"#,
            ],
            matches: 3
        ),
        MatchCase(
            "no rule",
            nil,
            [#"{"f":"a","g":true}"#, #"{"f":["a","b"]}"#],
            [#"{"f":"a","g":true}"#, #"{"f":"b","g":true}"#, #"{"f":"c","g":true}"#],
            matches: 3
        ),
        MatchCase(
            "no rule and no parameter",
            nil,
            ["@k0 {}", "@other,k0,k0 {}", "@ {}", "{}"],
            matches: 2
        ),
        MatchCase(
            "kinds that narrow",
            #"{"f":["${configuration.p}"]}"#,
            [#"{"p":"a"}"#],
            [#"@k0 {"f":"a"}"#, #"@k1 {"f":"a"}"#, #"{"f":"a"}"#],
            matches: 2
        ),
    ]

    private static let lists = [
        MatchCase(
            "a list of 1,000 numbers, which is put in order",
            #"{"f":["${configuration.p}"]}"#,
            [#"{"p":999}"#, #"{"p":1000}"#],
            [#"{"f":\#(list(1_000) { "\($0 * 7 % 1_000)" })}"#],
            matches: 1
        ),
        MatchCase(
            "a list of 1,000 texts that are decoded",
            #"{"f":["${configuration.p}"],"g":["x"]}"#,
            [#"{"p":"é7"}"#, #"{"p":"é1000"}"#],
            [#"{"g":"x","f":\#(list(1_000) { #""\u00e9\#($0)""# })}"#],
            matches: 1
        ),
        MatchCase(
            "lists of 30 and 40 that multiply",
            #"{"f":["${configuration.p}"],"g":["${configuration.q}"]}"#,
            [#"{"p":29,"q":"39"}"#, #"{"p":29,"q":40}"#],
            [#"{"f":\#(list(30) { "\($0)" }),"g":\#(list(40) { #""\#($0)""# })}"#],
            matches: 1
        ),
        MatchCase(
            "a list of 100 objects, of which one must have all",
            #"{"l":{"a":["${configuration.p}"],"b":["${configuration.q}"]}}"#,
            [#"{"p":30,"q":31}"#, #"{"p":30,"q":32}"#],
            [
                #"{"l":\#(list(100) { #"{"a":\#($0),"b":\#($0 + 1)}"# })}"#,
                #"{"l":{"a":30,"b":32}}"#, #"{"l":[]}"#,
            ],
            matches: 2
        ),
        MatchCase(
            "a list of 1,000 equal objects, of which probes are dropped",
            #"{"l":{"a":["${configuration.p}"]}}"#,
            [#"{"p":30}"#, #"{"p":31}"#],
            [#"{"l":\#(list(1_000) { _ in #"{"a":30}"# })}"#],
            matches: 1
        ),
        MatchCase(
            "all-of",
            #"{"f":[{"all-of":["a",{"prefix":"b"},{"exists":true}]}]}"#,
            [#"{"f":["a","bc"]}"#, #"{"f":["a","c"]}"#, #"{"f":"a"}"#],
            matches: 1
        ),
        MatchCase(
            "all-of a parameter's values",
            #"{"f":[{"all-of":"${configuration.p}"}]}"#,
            [#"{"p":["a",1]}"#, #"{"p":[]}"#, #"{"p":"b"}"#],
            [#"{"f":["b","a",1]}"#, #"{"f":"a"}"#, #"{"g":"a"}"#],
            matches: 4
        ),
    ]

    private static let texts = [
        text("prefix", "ab", ["abc", "ab", "ba"], matches: 2),
        text("suffix", "bc", ["abc", "bc", "cb"], matches: 2),
        text("equals-ignore-case", "ÄbC", ["äBc", "ÄbC", "äbd"], matches: 2),
        text("wildcard", "ab*", ["abc", "xab"], matches: 1),
        text("wildcard", "*ab", ["cab", "abx"], matches: 1),
        text("wildcard", "*abcdef*", ["xabcdefg", "abcdexf"], matches: 1),
        text("wildcard", "*", ["", "a"], matches: 2),
        MatchCase(
            "a wildcard that nearly matches everywhere in a long text",
            #"{"f":[{"wildcard":"${configuration.p}"}]}"#,
            [#"{"p":"a*\#(String(repeating: "a", count: 900))b*a"}"#],
            [#"{"f":"\#(String(repeating: "a", count: 30_000))"}"#, #"{"f":"aaab"}"#],
            matches: 0
        ),
        text("wildcard", "a**", ["a**", "a"], matches: 0),
        text("regexp", "ab[0-9]+", ["ab12", "abc"], matches: 1),
        text("regexp", "(a|b)*c", ["ababc", "ab"], matches: 1),
        text("regexp", "(", ["(", ""], matches: 0),
        MatchCase(
            "prefix and suffix without case",
            #"""
            {"f":[{"prefix":{"equals-ignore-case":"${configuration.p}"}},
            {"suffix":{"equals-ignore-case":"x\u212a"}}]}
            """#,
            [#"{"p":"Straße und mehr als zweiunddreißig Bytes Text"}"#],
            [
                #"{"f":"STRAẞE UND MEHR ALS ZWEIUNDDREIẞIG BYTES TEXT …"}"#, #"{"f":"aXk"}"#,
                #"{"f":"Straße"}"#,
            ],
            matches: 2
        ),
    ]

    /// An operator with its operand in the rule, unless that would be refused, and in the widget.
    private static func text(
        _ name: String,
        _ operand: String,
        _ values: [String],
        matches: Int
    ) -> MatchCase {
        let payloads = values.map { #"{"f":"\#($0)"}"# } + [#"{"f":1}"#, #"{"f":null}"#, "{}"]
        let literal = matches > 0 ? #",{"\#(name)":"\#(operand)"}"# : ""
        return MatchCase(
            "\(name) \(operand)",
            #"{"f":[{"\#(name)":"${configuration.p}"}\#(literal)]}"#,
            [#"{"p":"\#(operand)"}"#, #"{"p":["\#(operand)",5]}"#],
            payloads,
            matches: matches * 2
        )
    }

    private static let numbers = [
        MatchCase(
            "a closed range",
            #"{"n":[{"numeric":[">=","${configuration.low}","<","${configuration.high}"]}]}"#,
            [#"{"low":-1.5,"high":1e3}"#, #"{"low":999,"high":1e300}"#],
            [#"{"n":0}"#, #"{"n":-1.50}"#, #"{"n":999.5}"#, #"{"n":-2}"#, #"{"n":"0"}"#],
            matches: 4
        ),
        MatchCase(
            "open ranges, and what is equal or not",
            #"""
            {"n":[{"numeric":[">","${configuration.p}"]},{"numeric":["<",-5]},
            {"numeric":["=",3]}],"m":[{"numeric":["!=",1]}]}
            """#,
            [#"{"p":10}"#, #"{"p":"ten"}"#],
            [
                #"{"n":11,"m":2}"#, #"{"n":-6,"m":2}"#, #"{"n":3.0,"m":2}"#, #"{"n":3,"m":1}"#,
                #"{"n":10,"m":2}"#,
            ],
            matches: 5
        ),
        MatchCase(
            "numbers of many digits in a list",
            #"{"n":[{"numeric":[">","${configuration.p}"]}]}"#,
            [#"{"p":1234567890123456789012345678901234567890}"#],
            [#"{"n":\#(list(1_000) { "12345678901234567890123456789012345678\($0)" })}"#],
            matches: 1
        ),
    ]

    private static let addresses = [
        text("cidr", "10.0.0.0/8", ["10.1.2.3", "11.0.0.0", "::1"], matches: 1),
        text("cidr", "2001:db8::/33", ["2001:db8::1", "2001:db8:8000::", "10.0.0.1"], matches: 1),
        text("cidr", "10.0.0.0/33", ["10.0.0.0", "10.0.0.0/33"], matches: 0),
    ]

    private static let combined = [
        MatchCase(
            "anything-but",
            #"""
            {"f":[{"anything-but":["${configuration.p}",1,null]}],
            "g":[{"anything-but":{"prefix":["a","b"]}}]}
            """#,
            [#"{"p":"x"}"#, #"{"p":["y","z"]}"#],
            [
                #"{"f":"x","g":"c"}"#, #"{"f":true,"g":1}"#, #"{"f":"y","g":"abc"}"#,
                #"{"f":null,"g":{}}"#, #"{"f":"x"}"#,
            ],
            matches: 3
        ),
        MatchCase(
            "what is there and what is missing",
            #"{"f":[{"exists":true}],"g":[{"exists":false}]}"#,
            [#"{"f":null}"#, #"{"f":{}}"#, #"{"g":1}"#, #"{"f":1,"g":1}"#, "{}"],
            matches: 2
        ),
        MatchCase(
            "only what is missing",
            #"{"g":[{"exists":false}]}"#,
            [#"{"f":null}"#, #"{"g":1}"#, "{}"],
            matches: 2
        ),
        MatchCase(
            "$or of everything",
            #"""
            {"$or":[{"a":["${configuration.p}"]},{"b":[{"prefix":"${configuration.p}"}]},
            {"c":{"d":[{"wildcard":"*more*"}]}},{"e":[{"exists":false}],"f":["${configuration.p}"]}]}
            """#,
            [#"{"p":"x"}"#, #"{"p":["y","z"]}"#],
            [
                #"{"a":"x","b":"xy","e":1}"#, #"{"c":[{"d":"a"},{"d":"some more text"}],"e":1}"#,
                #"{"f":"z"}"#, #"{"f":"z","e":1}"#,
            ],
            matches: 4
        ),
    ]
}
