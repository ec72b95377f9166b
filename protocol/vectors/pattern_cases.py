"""The cases of patterns.json, in groups: patterns that hold, that do not hold, and that are refused.

Patterns, events and configurations are JSON texts, not values: 30 and 3e1 are to stay what they are.
"""


def numbered(name, cases):
    return [{"name": f"{name}-{number}"} | case for number, case in enumerate(cases, 1)]


def judged(name, pattern, yes, no, configuration=None):
    """Cases of one pattern: events for which it holds (`yes`), and for which it does not (`no`)."""
    extra = {} if configuration is None else {"configuration": configuration}
    return numbered(name, [
        {"pattern": pattern, "event": event} | extra | {"result": event in yes}
        for event in yes + no
    ])


def field(name, tests, yes, no, configuration=None):
    """Cases of a pattern for the field f, by values of f; "-" is an event without f."""
    def events(values):
        return ["{}" if value == "-" else '{"f":' + value + "}" for value in values]
    return judged(name, '{"f":[' + tests + "]}", events(yes), events(no), configuration)


def parameters(name, tests, value, yes, no):
    """Cases of one event and a pattern with the parameter p, by configurations."""
    def cases(configurations, result):
        return [{"pattern": '{"f":[' + tests + "]}", "event": '{"f":' + value + "}",
                 "configuration": c, "result": result} for c in configurations]
    return numbered(name, cases(yes, True) + cases(no, False))


def refused(code, patterns):
    """Cases of patterns that are refused with a code, each with the path of its fault."""
    return numbered(code, [
        {"pattern": pattern, "event": "{}", "result": code, "path": path}
        for pattern, path in patterns
    ])


P = '"${configuration.p}"'


def equality():
    return (
        field("string", '"elf-42"', ['"elf-42"', '"\\u0065lf-42"', '["orc","elf-42"]', '[["elf-42"]]'],
              ['"elf-4"', '"elf-421"', '"Elf-42"', '""', '"elf-42 "', "42", "null", "-", "[]",
               '{"f":"elf-42"}', '[["elf-43"]]', '[{"x":"elf-42"}]', '[[{"x":"elf-42"}]]'])
        + field("empty-string", '""', ['""', '["a",""]'], ["null", "0", "[]", "{}", "-", '" "'])
        + field("any-of-list", '"a",1,null', ['"a"', "1", "null", "[2,1]", "[null]"],
                ['"1"', "2", "true", "-", "[]", "{}"])
        + field("number", "30", ["30", "30.0", "3e1", "300e-1", "0.3E+2", "[1,30]"],
                ['"30"', "30.000000000000000000001", "-30", "3", "300", "true", "-"])
        + field("zero", "-0", ["0", "-0", "0.0", "0e9", "-0.0e-7"], ['"0"', "false", "null", "1e-400"])
        + field("large-integer", "9007199254740993", ["9007199254740993", "9007199254740993.0"],
                ["9007199254740992", "9007199254740994", "9.007199254740993e14"])
        + field("long-number", "123456789012345678901234567890.125",
                ["123456789012345678901234567890.125", "123456789012345678901234567890125e-3"],
                ["123456789012345678901234567890.1250000000000000000000001",
                 "123456789012345678901234567890"])
        + field("small-number", "1e-7", ["0.0000001", "1E-7", "10e-8"], ["0", "1e-8", "1.1e-7"])
        + field("true", "true", ["true", "[false,true]"], ["false", '"true"', "1", "null", "-"])
        + field("false", "false", ["false"], ["true", '"false"', "0", "null", "-", "[]"])
        + field("null", "null", ["null", "[1,null]"], ["-", '""', '"null"', "0", "false", "[]", "{}"])
        + field("no-normalisation", '"\\u00e9"', ['"\u00e9"', '"\\u00E9"'], ['"e\u0301"', '"e"'])
        + field("combining-mark", '"e\u0301"', ['"e\\u0301"'], ['"\u00e9"', '"e"'])
        + field("surrogate-pair", '"\\ud83d\\ude00"', ['"\U0001f600"'], ['"\ufffd"', '"\\ufffd\\ufffd"'])
        + field("control", '"a\\u0000b"', ['"a\\u0000b"'], ['"a"', '"ab"'])
    )


def text_operators():
    return (
        field("prefix", '{"prefix":"ab"}', ['"ab"', '"abc"', '["x","abc"]', '[["abc"]]'],
              ['"a"', '"xab"', '"Ab"', '""', "1", "null", "-", "{}", "[]", '[["xab"]]'])
        + field("prefix-empty", '{"prefix":""}', ['""', '"a"', '[1,""]'], ["1", "null", "[]", "-"])
        + field("prefix-bytes", '{"prefix":"\u00e9"}', ['"\u00e9t\u00e9"'], ['"e\u0301"', '"\u00e8"'])
        + field("prefix-half-character", '{"prefix":"e"}', ['"e\u0301"', '"e"'], ['"\u00e9"'])
        + field("prefix-of-number", '{"prefix":"3"}', ['"30"'], ["30", "3"])
        + field("suffix", '{"suffix":".png"}', ['".png"', '"a.png"', '["x",".png"]'],
                ['"png"', '"a.PNG"', '"a.png "', "7", "-", "null", "{}"])
        + field("suffix-empty", '{"suffix":""}', ['""', '"a"'], ["null", "[]", "-"])
        + field("equals-ignore-case", '{"equals-ignore-case":"aLiCe"}',
                ['"alice"', '"ALICE"', '"Alice"', '["x","aliCE"]'],
                ['"alic"', '"alices"', "1", "null", "-", "{}"])
        + field("equals-ignore-case-unicode", '{"equals-ignore-case":"\u00c9\u03a3\u0416"}',
                ['"\u00e9\u03c3\u0436"', '"\u00c9\u03c2\u0416"'], ['"e\u03c3\u0436"', '"\u00e9\u03c3"'])
        + field("simple-folding", '{"equals-ignore-case":"stra\u00dfe"}',
                ['"STRA\u1e9eE"', '"Stra\u00dfe"'], ['"STRASSE"', '"strasse"'])
        + field("simple-folding-ss", '{"equals-ignore-case":"ss"}',
                ['"SS"', '"\u017fS"'], ['"\u00df"', '"\u1e9e"'])
        + field("folding-kelvin", '{"equals-ignore-case":"k"}', ['"K"', '"\u212a"'], ['"\u0138"'])
        + field("folding-turkish", '{"equals-ignore-case":"i"}', ['"I"'], ['"\u0130"', '"\u0131"'])
        + field("folding-dotted", '{"equals-ignore-case":"\u0130"}', ['"\u0130"'], ['"i"', '"I"', '"i\u0307"'])
        + field("folding-no-normalisation", '{"equals-ignore-case":"\u00c9"}', ['"\u00e9"'], ['"e\u0301"'])
        + field("folding-deseret", '{"equals-ignore-case":"\U00010400"}', ['"\U00010428"'], ['"\U00010429"'])
        + field("prefix-ignore-case", '{"prefix":{"equals-ignore-case":"\u00c4b"}}',
                ['"\u00e4B"', '"\u00c4bc"', '["x","\u00e4bx"]'], ['"\u00e4"', '"ab"', "1", "-"])
        + field("prefix-ignore-case-length", '{"prefix":{"equals-ignore-case":"k"}}',
                ['"\u212aelvin"', '"K"'], ['"elvin"', '""'])
        + field("suffix-ignore-case", '{"suffix":{"equals-ignore-case":".PnG"}}',
                ['"a.png"', '".PNG"'], ['"png"', '"a.pngx"', "null", "-"])
        + field("suffix-ignore-case-length", '{"suffix":{"equals-ignore-case":"K"}}',
                ['"mil\u212a"', '"k"'], ['"kx"'])
    )


def expressions():
    return (
        field("wildcard", '{"wildcard":"a*c"}', ['"ac"', '"abc"', '"a*c"', '"a\\nc"', '["x","abbc"]'],
              ['"a"', '"acx"', '"xac"', '"Abc"', "1", "null", "-"])
        + field("wildcard-none", '{"wildcard":"abc"}', ['"abc"'], ['"ab"', '"abcd"', '""'])
        + field("wildcard-empty", '{"wildcard":""}', ['""'], ['"a"', "null", "[]"])
        + field("wildcard-all", '{"wildcard":"*"}', ['""', '"x"', '"\U0001f600"'], ["1", "null", "-", "[]"])
        + field("wildcard-several", '{"wildcard":"*a*b*"}', ['"ab"', '"xaybz"', '"aab"', '"ba ab"'],
                ['"ba"', '"a"', '"b"'])
        + field("wildcard-overlap", '{"wildcard":"aba*aba"}', ['"abaaba"', '"abaxaba"'], ['"aba"', '"ababa"'])
        + field("wildcard-backtrack", '{"wildcard":"*ab*abc"}', ['"ababc"', '"abxababc"'],
                ['"abc"', '"ababcx"'])
        + field("wildcard-escapes", '{"wildcard":"\\\\*a\\\\\\\\*"}', ['"*a\\\\"', '"*a\\\\b"'],
                ['"xa\\\\"', '"*a"', '"\\\\*a\\\\"'])
        + field("wildcard-escaped-stars", '{"wildcard":"*\\\\**"}', ['"*"', '"a*b"'], ['"ab"', '""'])
        + field("wildcard-no-other-signs", '{"wildcard":"a?[b].c"}', ['"a?[b].c"'], ['"ax[b].c"', '"axbxc"'])
        + field("regexp", '{"regexp":"a[bc]+"}', ['"ab"', '"abcb"', '["x","ac"]'],
                ['"a"', '"xab"', '"abx"', '"AB"', "1", "null", "-", "{}"])
        + field("regexp-whole", '{"regexp":"b"}', ['"b"'], ['"abc"', '"bb"', '"b\\n"'])
        + field("regexp-empty", '{"regexp":""}', ['""'], ['"a"', "null"])
        + field("regexp-branches", '{"regexp":"ab|c(d|e)?"}', ['"ab"', '"c"', '"cd"', '"ce"'],
                ['"abc"', '"cde"', '"b"'])
        + field("regexp-counts", '{"regexp":"a{2}b{1,3}c{2,}"}', ['"aabcc"', '"aabbbcccc"'],
                ['"abcc"', '"aabbbbcc"', '"aabc"'])
        + field("regexp-dot", '{"regexp":"a.c"}', ['"abc"', '"a\\tc"', '"a\u20acc"', '"a\U0001f600c"', '"a\\u2028c"'],
                ['"a\\nc"', '"a\\rc"', '"ac"', '"abbc"'])
        + field("regexp-category", '{"regexp":"\\\\p{Lu}\\\\p{L}*"}', ['"\u00c9t\u00e9"', '"A"', '"\u0416\u0436"'],
                ['"\u00e9"', '"A1"', '""'])
        + field("regexp-complement", '{"regexp":"[^0-9]\\\\P{N}"}', ['"ab"', '"a-"'], ['"1a"', '"a1"', '"a\u0663"'])
        + field("regexp-anchors-are-signs", '{"regexp":"^a$"}', ['"^a$"'], ['"a"'])
        + field("regexp-dollar-brace", '{"regexp":"$\\\\{x\\\\}"}', ['"${x}"'], ['"$x"', '"x"'])
        + field("regexp-escapes", '{"regexp":"\\\\(\\\\)\\\\[\\\\]\\\\.\\\\*\\\\n"}', ['"()[].*\\n"'], ['"()[]x*\\n"'])
        + field("regexp-class-hyphen", '{"regexp":"[-a]+[b-]+"}', ['"-ab-"', '"ab"'], ['"b"', '"c-"'])
        + field("regexp-class-signs", '{"regexp":"[.*+?(){|^$]+"}', ['".*+?(){|^$"'], ['"a"', '""'])
        + field("regexp-runaway", '{"regexp":"(a*)*b"}', ['"aaaaaaaaaaaaab"', '"b"'],
                ['"aaaaaaaaaaaaaaaaaaaaaa"', '"c"'])
        + field("cidr", '{"cidr":"10.0.0.0/8"}', ['"10.0.0.0"', '"10.255.255.255"', '["x","10.1.2.3"]'],
                ['"9.255.255.255"', '"11.0.0.0"', '"10.0.0"', '"10.0.0.0/8"', '"010.0.0.1"', '"10.0.0.256"',
                 '"10.0.0.1 "', '"::ffff:10.0.0.1"', '"::10.0.0.1"', "10", "null", "-", '""', '"10.0.0.0.0"',
                 '"0xa.0.0.1"'])
        + field("cidr-host-bits", '{"cidr":"10.1.2.3/8"}', ['"10.9.9.9"'], ['"11.1.2.3"'])
        + field("cidr-odd-length", '{"cidr":"192.168.128.0/17"}', ['"192.168.255.0"'], ['"192.168.127.255"'])
        + field("cidr-one-address", '{"cidr":"192.0.2.7/32"}', ['"192.0.2.7"'], ['"192.0.2.6"', '"192.0.2.8"'])
        + field("cidr-all-v4", '{"cidr":"0.0.0.0/0"}', ['"255.255.255.255"', '"0.0.0.0"'], ['"::"', '"x"'])
        + field("cidr-v6", '{"cidr":"2001:db8::/32"}',
                ['"2001:db8::"', '"2001:0DB8:0:0:0:0:0:1"', '"2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"',
                 '"2001:db8::192.0.2.1"'],
                ['"2001:db9::"', '"2001:db8"', '"2001:db8::%eth0"', '"2001:db8:::1"', '"10.0.0.1"',
                 '"[2001:db8::1]"', '"2001:db8::12345"', '"2001:db8::1::2"'])
        + field("cidr-v6-mapped", '{"cidr":"::ffff:0:0/96"}', ['"::ffff:1.2.3.4"', '"::ffff:102:304"'],
                ['"1.2.3.4"', '"::1.2.3.4"'])
        + field("cidr-all-v6", '{"cidr":"::/0"}', ['"::"', '"::1"', '"fe80::1"'], ['"127.0.0.1"', '"fe80::1%1"'])
        + field("cidr-v6-odd-length", '{"cidr":"fe80::/10"}', ['"febf::1"', '"fe80::"'], ['"fec0::"', '"fe7f::"'])
    )


def numbers():
    return (
        field("numeric-equal", '{"numeric":["=",30]}', ["30", "3e1", "30.00", "[1,30]"],
              ["31", '"30"', "null", "-", "true", "{}", "[]", "30.0000000000000000000001"])
        + field("numeric-not-equal", '{"numeric":["!=",30]}', ["31", "-30", "30.1", "[30,31]"],
                ["30", "3e1", '"31"', "-", "null", "[30]", "[]", "true"])
        + field("numeric-less", '{"numeric":["<",0]}', ["-1", "-1e-300", "-1e300", "[1,-1]"],
                ["0", "-0", "1e-300", '"-1"', "-", "null"])
        + field("numeric-less-or-equal", '{"numeric":["<=",1.5]}', ["1.5", "15e-1", "1.4999999999999999999", "-2"],
                ["1.5000000000000000001", "2"])
        + field("numeric-greater", '{"numeric":[">",9007199254740992]}', ["9007199254740993", "1e300",
                "9007199254740992.5"], ["9007199254740992", "9007199254740991", "-1e300", "9007199254740992.0"])
        + field("numeric-greater-or-equal", '{"numeric":[">=",-1e-7]}', ["-0.0000001", "0", "1", "-0.00000009"],
                ["-0.00000011", "-1"])
        + field("numeric-range", '{"numeric":[">=",0,"<",10]}', ["0", "-0", "9.99", "1e0", "[50,5]"],
                ["10", "-0.1", "1e1", "[50,-5]", "[-1,10]", '"5"'])
        + field("numeric-range-reversed", '{"numeric":["<",10,">",0]}', ["0.1", "5"], ["0", "10", "[0,10]"])
        + field("numeric-range-of-one", '{"numeric":[">=",5,"<=",5.0]}', ["5", "50e-1"], ["4.9", "5.1"])
        + field("numeric-far-apart", '{"numeric":[">",1e-300,"<",1e300]}', ["1", "1e299", "1e-299"],
                ["1e-301", "0", "-1", "1e301"])
        + field("numeric-long", '{"numeric":["<",100000000000000000000000000000000]}',
                ["99999999999999999999999999999999", "1e31", "9.9e31"],
                ["1e32", "100000000000000000000000000000000", "100000000000000000000000000000000.1", "1e33"])
    )


def presence():
    return (
        field("exists-true", '{"exists":true}', ["1", "null", '""', "false", "{}", "[]", "[[]]", '{"a":1}'], ["-"])
        + field("exists-false", '{"exists":false}', ["-"], ["1", "null", '""', "false", "{}", "[]", '{"a":1}'])
        + field("exists-or-value", '{"exists":false},"x"', ["-", '"x"', '["y","x"]'], ['"y"', "null", "[]", "{}"])
        + field("anything-but", '{"anything-but":"x"}',
                ['"y"', "1", "null", "true", "{}", "[]", '["y"]', '{"x":"x"}', '[["y"]]', "[[]]", '""'],
                ["-", '"x"', '["x"]', '["y","x"]', '[["x"]]', '["y",["z",["x"]]]'])
        + field("anything-but-list", '{"anything-but":["x",1,null,true]}',
                ['"y"', "2", '"1"', "false", "{}", "[]", "[false]", '"null"'],
                ["-", '"x"', "1", "1.0", "null", "true", '["y",1]', "[false,null]"])
        + field("anything-but-number", '{"anything-but":3e1}', ["31", '"30"', "null", "[]"], ["30", "30.0", "[1,30]", "-"])
        + field("anything-but-null", '{"anything-but":null}', ["0", '""', "[]", "{}", "false"], ["null", "[1,null]", "-"])
        + field("anything-but-prefix", '{"anything-but":{"prefix":"a"}}', ['"b"', '""', "1", "null", "[]", '"A"'],
                ['"a"', '"ab"', '["b","ab"]', "-"])
        + field("anything-but-prefixes", '{"anything-but":{"prefix":["a","b"]}}', ['"c"', "1"], ['"ax"', '"bx"', "-"])
        + field("anything-but-suffix", '{"anything-but":{"suffix":[".png",".gif"]}}', ['"a.jpg"', "{}"],
                ['"a.png"', '".gif"', '["a.jpg","a.gif"]', "-"])
        + field("anything-but-ignore-case", '{"anything-but":{"equals-ignore-case":["a","b"]}}', ['"c"', '"ab"', "1"],
                ['"A"', '"b"', "-"])
        + field("anything-but-wildcard", '{"anything-but":{"wildcard":["*a*","b"]}}', ['"c"', '"bb"', "null"],
                ['"xax"', '"b"', "-"])
        + field("anything-but-prefix-ignore-case", '{"anything-but":{"prefix":{"equals-ignore-case":"a"}}}',
                ['"ba"', "1"], ['"Ab"', '"a"', "-"])
        + field("anything-but-suffix-ignore-case", '{"anything-but":{"suffix":{"equals-ignore-case":["a","b"]}}}',
                ['"ac"', "[]"], ['"xA"', '"B"', "-"])
        + field("anything-but-numeric", '{"anything-but":{"numeric":[">=",0,"<",10]}}',
                ["10", "-1", '"5"', "null", "[]", "[-1,10]"], ["0", "5", "[50,5]", "-"])
        + field("anything-but-or-value", '{"anything-but":["x","y"]},"x"', ['"x"', '"z"', '["x","y"]'], ['"y"', "-"])
    )


def lists():
    return (
        field("all-of", '{"all-of":["a","b"]}', ['["a","b"]', '["b","c","a"]', '["a","a","b"]', '[["a","b"]]', '[["a"],[["b"]]]'],
              ['"a"', '["a"]', '["b","c"]', "[]", "-", '[["a"],["c"]]', '{"a":1,"b":2}'])
        + field("all-of-one", '{"all-of":["a"]}', ['"a"', '["a"]'], ['"b"', "[]", "-"])
        + field("all-of-types", '{"all-of":[1,"1",null,true]}', ['[1.0,"1",null,true]'], ['[1,null,true]', '["1","1",null,true]'])
        + field("all-of-tests", '{"all-of":[{"prefix":"a"},{"suffix":"z"}]}', ['"az"', '["ax","yz"]', '["az"]'],
                ['["ax","y"]', '"a"', "-"])
        + field("all-of-numeric", '{"all-of":[{"numeric":[">",5]},{"numeric":["<",3]}]}', ["[1,9]"], ["4", "[4]", "[9]", "1"])
        + field("all-of-anything-but", '{"all-of":[{"anything-but":"a"},{"anything-but":"b"}]}',
                ['"c"', "[]", '["c","d"]', "null"], ['"a"', '["c","b"]', "-"])
        + field("all-of-exists", '{"all-of":[{"exists":true},{"anything-but":{"prefix":"a"}}]}', ['"b"', "{}"], ['"a"', "-"])
        + field("all-of-absent", '{"all-of":[{"exists":false}]}', ["-"], ["1", "null", "[]"])
        + field("all-of-or-value", '{"all-of":["a","b"]},"c"', ['["a","b"]', '"c"', '["c","a"]'], ['"a"', '"b"'])
        + field("nested-lists", '"x"', ['["x",["y"]]', '[["x"],"x"]', '[["y"],["x"]]', '[["x"]]', '[[["x"]]]',
                                        '[[],["y",[1,[null,"x"]]]]'],
                ['[["y"]]', "[[[]]]", '[{"f":"x"}]', '[[{"f":"x"}]]'])
        + field("nested-lists-absent", '{"exists":false}', ["-"], ["[[]]", '[["x"]]'])
        + field("nested-lists-numeric", '{"numeric":[">",5]}', ["[[1],[6]]"], ["[[1],[5]]"])
        + field("mixed-list", '{"prefix":"a"}', ['[1,null,{},"ab"]', '[1,null,{"a":"x"},["ab"]]'],
                ['[1,null,{"a":"ab"},["b"]]'])
    )


def objects():
    return (
        judged("and", '{"a":["x"],"b":[1]}', ['{"a":"x","b":1}', '{"b":1,"c":0,"a":"x"}'],
               ['{"a":"x"}', '{"b":1}', '{"a":"x","b":2}', '{"a":"y","b":1}', "{}"])
        + judged("nested", '{"o":{"f":["x"]}}', ['{"o":{"f":"x"}}', '{"o":{"f":["y","x"],"g":1}}', '{"o":[{"f":"x"}]}', '{"o":[[{"f":"x"}]]}',
                                                 '{"o":[1,[{"f":"y"},[{"f":[["x"]]}]]]}'],
                 ['{"f":"x"}', '{"o":"x"}', '{"o":{"o":{"f":"x"}}}', '{"o":["x"]}', '{"o":{}}', "{}", '{"o":null}',
                  '{"o.f":"x"}', '{"o":[["f","x"]]}', '{"o":[[{"f":"y"}]]}'])
        + judged("nested-absent", '{"o":{"f":[{"exists":false}]}}',
                 ["{}", '{"o":{}}', '{"o":null}', '{"o":1}', '{"o":[]}', '{"o":["f"]}', '{"o":{"g":1}}', '{"o":[{}]}',
                  '{"o":[{"f":1},{}]}', '{"o":[[1]]}', '{"o":[[{"f":1},{}]]}'],
                 ['{"o":[[{"f":1}]]}', '{"o":{"f":1}}', '{"o":{"f":null}}', '{"o":[{"f":1}]}', '{"o":[1,{"f":1}]}'])
        + judged("nested-anything-but", '{"o":{"f":[{"anything-but":"x"}]}}',
                 ['{"o":{"f":"y"}}', '{"o":[{"f":"x"},{"f":"y"}]}', '{"o":{"f":null}}'],
                 ["{}", '{"o":{}}', '{"o":[]}', '{"o":{"f":"x"}}', '{"o":[{"f":"x"},{}]}', '{"o":7}'])
        + judged("one-element", '{"o":{"a":[1],"b":[2]}}',
                 ['{"o":{"a":1,"b":2}}', '{"o":[{"a":0},{"a":1,"b":2}]}', '{"o":[{"a":[1,3],"b":[2,4]}]}',
                  '{"o":[[{"a":1}],[{"a":1,"b":2}]]}'],
                 ['{"o":[[{"a":1},{"b":2}]]}', '{"o":[[{"a":1}],[{"b":2}]]}', '{"o":[{"a":1},{"b":2}]}', '{"o":[{"a":1,"b":3},{"a":2,"b":2}]}', '{"o":[]}'])
        + judged("one-element-absence", '{"o":{"a":[1],"b":[{"exists":false}]}}',
                 ['{"o":{"a":1}}', '{"o":[{"a":1,"b":2},{"a":1}]}'],
                 ['{"o":[{"a":1,"b":2},{"a":2}]}', '{"o":[]}'])
        + judged("one-element-deep", '{"o":{"p":{"a":[1],"b":[2]},"c":[3]}}',
                 ['{"o":[{"c":3,"p":[{"a":1},{"a":1,"b":2}]}]}', '{"o":{"c":3,"p":{"a":1,"b":2}}}'],
                 ['{"o":[{"c":3,"p":[{"a":1},{"b":2}]}]}', '{"o":[{"c":3},{"p":{"a":1,"b":2}}]}',
                  '{"o":[{"c":3,"p":{"a":1}},{"c":3,"p":{"b":2}}]}'])
        + judged("dots", '{"a.b":["x"]}', ['{"a.b":"x"}'], ['{"a":{"b":"x"}}'])
        + judged("names", '{"":[1],"\\u00e9":[2],"prefix":[3]}', ['{"":1,"\u00e9":2,"prefix":3}'],
                 ['{"":1,"e\u0301":2,"prefix":3}', '{"\u00e9":2,"prefix":3}'])
        + judged("operator-names-nested", '{"o":{"exists":[true],"numeric":["x"]}}',
                 ['{"o":{"exists":true,"numeric":"x"}}'], ['{"o":{"exists":true}}', "{}"])
        + judged("kinds", '{"kinds":["a"]}', ['{"kinds":["a","b"]}', '{"kinds":["a"]}', '{"kinds":"a"}'],
                 ['{"kinds":["b"]}', '{"kinds":[]}', "{}"])
        + judged("event-white-space", '{"f":["x"]}', [' { "f" : [ "y" , "x" ] } '], [' { "f" : [ ] } '])
        + judged("or", '{"$or":[{"a":[1]},{"b":[2]}]}', ['{"a":1}', '{"b":2}', '{"a":1,"b":3}', '{"a":1,"b":2}'],
                 ["{}", '{"a":2}', '{"b":1}', '{"$or":[{"a":1}]}'])
        + judged("or-and-field", '{"c":[3],"$or":[{"a":[1]},{"b":[2],"d":[4]}]}',
                 ['{"a":1,"c":3}', '{"b":2,"c":3,"d":4}'], ['{"a":1}', '{"c":3}', '{"b":2,"c":3}', '{"b":2,"d":4}'])
        + judged("or-same-field", '{"f":[{"prefix":"a"}],"$or":[{"f":[{"suffix":"z"}]},{"g":[1]}]}',
                 ['{"f":"az"}', '{"f":"a","g":1}'], ['{"f":"a"}', '{"f":"z"}', '{"g":1}'])
        + judged("or-nested", '{"$or":[{"$or":[{"a":[1]},{"b":[1]}],"c":[1]},{"d":[1]}]}',
                 ['{"a":1,"c":1}', '{"b":1,"c":1}', '{"d":1}'], ['{"a":1}', '{"c":1}', '{"a":1,"b":1}'])
        + judged("or-in-element", '{"o":{"a":[1],"$or":[{"b":[2]},{"c":[3]}]}}',
                 ['{"o":[{"a":1,"c":3}]}', '{"o":{"a":1,"b":2}}'], ['{"o":[{"a":1},{"b":2}]}', '{"a":1,"b":2}'])
        + judged("or-elements-differ", '{"$or":[{"o":{"a":[1]}},{"o":{"b":[2]}}]}',
                 ['{"o":[{"a":1},{"b":3}]}', '{"o":[{"b":2}]}'], ['{"o":[{"a":2},{"b":3}]}'])
        + judged("or-absence", '{"$or":[{"a":[{"exists":false}]},{"a":[1]}]}', ["{}", '{"a":1}'], ['{"a":2}', '{"a":null}'])
        + judged("or-one", '{"$or":[{"a":[1]}]}', ['{"a":1}'], ["{}"])
        + judged("or-escaped", '{"\\u0024or":[{"a":[1]}]}', ['{"a":1}'], ['{"$or":[{"a":1}],"a":2}'])
        + judged("or-like-names", '{"or":[1],"$OR":[2],"$or ":[3]}', ['{"or":1,"$OR":2,"$or ":3}'], ['{"or":1}'])
        + judged("deep", '{"o":' * 15 + '{"f":[1]}' + "}" * 15, ['{"o":' * 15 + '{"f":1}' + "}" * 15],
                 ['{"o":' * 14 + '{"f":1}' + "}" * 14])
    )


def placeholders():
    return (
        parameters("parameter", P, '"x"', ['{"p":"x"}', '{"p":["y","x"]}', '{"p":"x","q":1}'],
                   ['{"p":"y"}', '{"p":["y"]}', '{"p":[]}', "{}", '{"q":"x"}', '{"p":true}', '{"P":"x"}'])
        + parameters("parameter-of-list", P, '["x","y"]', ['{"p":"y"}', '{"p":["z","x"]}'], ['{"p":"z"}', '{"p":[]}'])
        + parameters("parameter-number", P, "30", ['{"p":3e1}', '{"p":["30",30.0]}'], ['{"p":"30"}', '{"p":31}'])
        + parameters("parameter-boolean", P, "true", ['{"p":true}', '{"p":[false,true]}'], ['{"p":"true"}', '{"p":false}'])
        + parameters("parameter-null", P, "null", [], ['{"p":"null"}', '{"p":false}', '{"p":[]}'])
        + parameters("parameter-or-value", P + ',"x"', '"x"', ['{"p":"y"}', '{"p":[]}'], ["{}", '{"q":"x"}'])
        + parameters("parameter-named-oddly", '"${configuration.a b.\u00e9}"', '"x"', ['{"a b.\u00e9":"x"}'],
                     ['{"a b.e\u0301":"x"}', '{"a b":"x"}'])
        + parameters("parameter-value-like-placeholder", P, '"${configuration.p}"', ['{"p":"${configuration.p}"}'], ['{"p":"x"}'])
        + parameters("prefix-parameter", '{"prefix":' + P + "}", '"abc"', ['{"p":"ab"}', '{"p":["x","a"]}', '{"p":""}',
                     '{"p":[1,"abc"]}'], ['{"p":"b"}', '{"p":1}', '{"p":[]}', "{}", '{"p":true}'])
        + parameters("suffix-parameter", '{"suffix":' + P + "}", '"abc"', ['{"p":"bc"}', '{"p":["x","c"]}'], ['{"p":"b"}', '{"p":3}'])
        + parameters("equals-ignore-case-parameter", '{"equals-ignore-case":' + P + "}", '"ABC"', ['{"p":"abc"}', '{"p":["x","aBc"]}'],
                     ['{"p":"ab"}', '{"p":false}'])
        + parameters("prefix-ignore-case-parameter", '{"prefix":{"equals-ignore-case":' + P + "}}", '"ABC"', ['{"p":"ab"}'], ['{"p":"bc"}'])
        + parameters("suffix-ignore-case-parameter", '{"suffix":{"equals-ignore-case":' + P + "}}", '"ABC"', ['{"p":"bc"}'], ['{"p":"ab"}'])
        + parameters("wildcard-parameter", '{"wildcard":' + P + "}", '"abc"', ['{"p":"a*"}', '{"p":["a**","*c"]}', '{"p":"*"}'],
                     ['{"p":"a**"}', '{"p":"a\\\\bc"}', '{"p":"abc\\\\"}', '{"p":"b*"}', '{"p":1}', "{}"])
        + parameters("regexp-parameter", '{"regexp":' + P + "}", '"abc"', ['{"p":"a.c"}', '{"p":["(","[a-c]*"]}'],
                     ['{"p":"(abc"}', '{"p":"ab"}', '{"p":"\\\\w*"}', '{"p":7}', "{}", '{"p":"(?:abc)"}'])
        + parameters("cidr-parameter", '{"cidr":' + P + "}", '"10.1.2.3"', ['{"p":"10.0.0.0/8"}', '{"p":["x","10.1.2.3/32"]}'],
                     ['{"p":"10.1.2.3"}', '{"p":"11.0.0.0/8"}', '{"p":"10.0.0.0/33"}', '{"p":10}', '{"p":"::/0"}'])
        + parameters("anything-but-parameter", '{"anything-but":' + P + "}", '"x"', ['{"p":"y"}', '{"p":[]}', '{"p":1}', '{"p":["y","z"]}'],
                     ['{"p":"x"}', '{"p":["y","x"]}', "{}"])
        + parameters("anything-but-list-parameter", '{"anything-but":["a",' + P + "]}", '"x"', ['{"p":"y"}', '{"p":[]}'],
                     ['{"p":["x"]}', "{}"])
        + parameters("anything-but-prefix-parameter", '{"anything-but":{"prefix":["b",' + P + "]}}", '"abc"',
                     ['{"p":"c"}', '{"p":1}', '{"p":[]}'], ['{"p":"a"}', '{"p":["x","ab"]}', "{}"])
        + parameters("anything-but-wildcard-parameter", '{"anything-but":{"wildcard":' + P + "}}", '"abc"',
                     ['{"p":"a**"}', '{"p":"b*"}'], ['{"p":"a*"}', "{}"])
        + parameters("anything-but-numeric-parameter", '{"anything-but":{"numeric":["<",' + P + "]}}", "5",
                     ['{"p":5}', '{"p":"9"}', '{"p":[]}'], ['{"p":6}', '{"p":[1,6]}', "{}"])
        + parameters("numeric-parameter", '{"numeric":[">=",' + P + "]}", "5",
                     ['{"p":5}', '{"p":5.0}', '{"p":[9,4]}', '{"p":["x",1]}', '{"p":-1e300}'],
                     ['{"p":6}', '{"p":"5"}', '{"p":[]}', "{}", '{"p":true}'])
        + parameters("numeric-equal-parameter", '{"numeric":["=",' + P + "]}", "5", ['{"p":5}', '{"p":[1,50e-1]}'], ['{"p":6}'])
        + parameters("numeric-not-equal-parameter", '{"numeric":["!=",' + P + "]}", "5", ['{"p":6}', '{"p":[5,6]}'],
                     ['{"p":5.0}', '{"p":"6"}', '{"p":[]}'])
        + parameters("numeric-range-parameters", '{"numeric":[">","${configuration.a}","<","${configuration.b}"]}', "5",
                     ['{"a":1,"b":9}', '{"a":[7,1],"b":[2,9]}'],
                     ['{"a":9,"b":1}', '{"a":1}', '{"b":9}', '{"a":1,"b":5}', '{"a":[],"b":9}', '{"a":"1","b":9}'])
        + parameters("numeric-range-half", '{"numeric":[">=",3,"<",' + P + "]}", "5", ['{"p":6}'], ['{"p":5}', '{"p":2}', "{}"])
        + parameters("all-of-parameter", '{"all-of":' + P + "}", '["a","b",1]',
                     ['{"p":["a","b"]}', '{"p":"a"}', '{"p":[]}', '{"p":[1.0,"a","a"]}'],
                     ['{"p":["a","c"]}', '{"p":"c"}', "{}", '{"p":"1"}', '{"p":["a","b",1,true]}'])
        + parameters("all-of-listed-parameter", '{"all-of":["a",' + P + "]}", '["a","b"]', ['{"p":"b"}', '{"p":["c","b"]}'],
                     ['{"p":"c"}', '{"p":[]}', "{}"])
        + numbered("all-of-parameter-absent", [
            {"pattern": '{"f":[{"all-of":' + P + "}]}", "event": event, "configuration": configuration, "result": result}
            for event, configuration, result in [
                ("{}", '{"p":[]}', False), ("{}", '{"p":"a"}', False), ('{"f":[]}', '{"p":[]}', True),
                ('{"f":null}', '{"p":[]}', True), ('{"f":{}}', '{"p":[]}', True), ('{"f":[]}', '{"p":"a"}', False)]])
        + numbered("missing-parameter", [
            {"pattern": pattern, "event": '{"f":"x","g":1}', "configuration": configuration, "result": result}
            for pattern, configuration, result in [
                ('{"f":["x"],"$or":[{"g":[1]},{"h":[' + P + "]}]}", "{}", False),
                ('{"f":["x"],"$or":[{"g":[1]},{"h":[' + P + "]}]}", '{"p":[]}', True),
                ('{"f":["x",{"prefix":' + P + "}]}", "{}", False),
                ('{"f":["x",{"prefix":' + P + "}]}", '{"p":7}', True),
                ('{"f":["x",{"anything-but":{"suffix":["y",' + P + "]}}]}", "{}", False),
                ('{"f":["x"],"o":{"i":[{"exists":false},' + P + "]}}", '{"q":1}', False),
                ('{"f":["x"],"o":{"i":[{"exists":false},' + P + "]}}", '{"p":1}', True),
                ('{"f":["x",{"all-of":' + P + "}]}", "{}", False),
                ('{"f":["x",{"all-of":[1,' + P + "]}]}", "{}", False),
                ('{"f":["x",{"numeric":["<",' + P + "]}]}", "{}", False),
                ('{"f":["x"]}', "{}", True), ('{"f":["x"]}', '{"unused":[]}', True)]])
        + numbered("several-parameters", [
            {"pattern": '{"f":["${configuration.p}"],"o":{"g":["${configuration.q}"]}}', "event": event,
             "configuration": configuration, "result": result}
            for event, configuration, result in [
                ('{"f":"x","o":{"g":1}}', '{"p":"x","q":1}', True), ('{"f":"x","o":{"g":1}}', '{"p":"x"}', False),
                ('{"f":"x","o":{"g":1}}', '{"q":1,"p":"x"}', True), ('{"f":"x"}', '{"p":"x","q":1}', False),
                ('{"f":"x","o":[{"g":2},{"g":1}]}', '{"p":["x"],"q":[1,3]}', True)]])
    )


def refusals():
    many = ",".join
    return (
        refused("pattern-not-json", [("", ""), ("{", ""), ('{"f":[1,]}', ""), ('{"f":[1]}}', ""), ("{'f':[1]}", ""),
                                     ('{"f":[01]}', ""), ('{"f":["\\x"]}', ""), ('{"f":["\\ud800"]}', ""),
                                     ('{f:[1]}', ""), ('{"f":[True]}', "")])
        + refused("pattern-not-object", [("[]", ""), ('"f"', ""), ("null", ""), ("7", ""), ('[{"f":[1]}]', "")])
        + refused("pattern-too-deep", [('{"f":' + "[" * 32 + "]" * 32 + "}", "")])
        + refused("pattern-duplicate-key", [('{"f":[1],"f":[2]}', ""), ('{"f":[{"prefix":"a","prefix":"b"}]}', ""),
                                            ('{"f":[1],"\\u0066":[2]}', ""), ('{"$or":[{"a":[1]}],"$or":[{"b":[1]}]}', "")])
        + refused("pattern-number-range", [('{"f":[1e309]}', ""), ('{"f":[{"numeric":["<",1e-401]}]}', "")])
        + refused("pattern-empty-object", [("{}", ""), ('{"f":{}}', "f"), ('{"o":{"f":{}}}', "o.f"), ('{"$or":[{}]}', "$or[0]"),
                                           ('{"f":[{}]}', "f[0]"), ('{"f":[{"anything-but":{}}]}', "f[0].anything-but"),
                                           ('{"f":[{"prefix":{}}]}', "f[0].prefix")])
        + refused("pattern-empty-list", [('{"f":[]}', "f"), ('{"$or":[]}', "$or"), ('{"f":[{"anything-but":[]}]}', "f[0].anything-but"),
                                         ('{"f":[{"anything-but":{"prefix":[]}}]}', "f[0].anything-but.prefix"),
                                         ('{"f":[{"numeric":[]}]}', "f[0].numeric"), ('{"f":[{"all-of":[]}]}', "f[0].all-of")])
        + refused("pattern-scalar", [('{"f":"x"}', "f"), ('{"f":1}', "f"), ('{"f":null}', "f"), ('{"f":true}', "f"),
                                     ('{"o":{"f":"x"}}', "o.f"), ('{"f":{"prefix":"x"}}', "f.prefix"),
                                     ('{"f":' + P + "}", "f"), ('{"$or":[{"f":1}]}', "$or[0].f")])
        + refused("pattern-alternative", [('{"f":[[1]]}', "f[0]"), ('{"f":[1,[]]}', "f[1]"), ('{"f":[{"all-of":[[1]]}]}', "f[0].all-of[0]"),
                                          ('{"f":[{"all-of":[{"all-of":[1]}]}]}', "f[0].all-of[0].all-of")])
        + refused("pattern-or", [('{"$or":{"f":[1]}}', "$or"), ('{"$or":"x"}', "$or"), ('{"$or":[["x"]]}', "$or[0]"),
                                 ('{"$or":[{"f":[1]},null]}', "$or[1]"), ('{"$or":["x","y"]}', "$or[0]")])
        + refused("pattern-operator-unknown", [
            ('{"f":[{"' + name + '":"x"}]}', "f[0]." + name)
            for name in ["anythingBut", "equals-ignorecase", "anything_but", "wildCard", "Prefix", "startsWith", "regex", "x",
                         "prefix-ignore-case", "suffix-ignore-case", "$or", "equals"]
        ] + [('{"f":[{"region":["x"]}]}', "f[0].region"), ('{"f":[{"":1}]}', "f[0]."),
             ('{"f":[{"anything-but":{"startsWith":"x"}}]}', "f[0].anything-but.startsWith"),
             ('{"f":[{"prefix":{"equalsIgnoreCase":"x"}}]}', "f[0].prefix.equalsIgnoreCase")])
        + refused("pattern-operator-count", [('{"f":[{"prefix":"a","suffix":"b"}]}', "f[0].suffix"),
                                             ('{"f":[{"exists":true,"x":1}]}', "f[0].x"),
                                             ('{"f":[{"anything-but":{"prefix":"a","suffix":"b"}}]}', "f[0].anything-but.suffix"),
                                             ('{"f":[{"suffix":{"equals-ignore-case":"a","b":1}}]}', "f[0].suffix.b")])
        + refused("pattern-operand", [
            ('{"f":[{"' + name + '":' + value + "}]}", "f[0]." + name)
            for name in ["prefix", "suffix", "equals-ignore-case", "wildcard", "regexp", "cidr"]
            for value in ["1", "null", "true", '["a"]']
        ] + [('{"f":[{"wildcard":{"equals-ignore-case":"a"}}]}', "f[0].wildcard"),
             ('{"f":[{"prefix":{"suffix":"a"}}]}', "f[0].prefix.suffix"),
             ('{"f":[{"prefix":{"equals-ignore-case":["a"]}}]}', "f[0].prefix.equals-ignore-case"),
             ('{"f":[{"exists":1}]}', "f[0].exists"), ('{"f":[{"exists":"true"}]}', "f[0].exists"),
             ('{"f":[{"exists":' + P + "}]}", "f[0].exists"), ('{"f":[{"exists":[true]}]}', "f[0].exists"),
             ('{"f":[{"anything-but":[["a"]]}]}', "f[0].anything-but[0]"),
             ('{"f":[{"anything-but":["a",{"prefix":"b"}]}]}', "f[0].anything-but[1]"),
             ('{"f":[{"anything-but":{"prefix":1}}]}', "f[0].anything-but.prefix"),
             ('{"f":[{"anything-but":{"suffix":["a",1]}}]}', "f[0].anything-but.suffix[1]")]
            + [('{"f":[{"anything-but":{"' + name + '":' + value + "}}]}", "f[0].anything-but." + name)
               for name, value in [("regexp", '"a"'), ("cidr", '"::/0"'), ("exists", "true"), ("anything-but", "1"), ("all-of", "[1]")]]
            + [('{"f":[{"all-of":' + value + "}]}", "f[0].all-of") for value in ['"a"', "1", "null", '{"prefix":"a"}']]
            + [('{"f":[{"anything-but":{"prefix":""}}]}', "f[0].anything-but.prefix"),
               ('{"f":[{"anything-but":{"suffix":["a",""]}}]}', "f[0].anything-but.suffix[1]"),
               ('{"f":[{"anything-but":{"prefix":{"equals-ignore-case":""}}}]}',
                "f[0].anything-but.prefix.equals-ignore-case")])
        + refused("pattern-placeholder", [
            ('{"f":["' + text + '"]}', "f[0]")
            for text in ["${", "${}", "${configuration}", "${configuration.}", "${configuration.x", "x${configuration.x}",
                         "${configuration.x} ", "${configuration.x}${configuration.y}", "${config.x}", "${Configuration.x}",
                         "${configuration.{}", "${configuration.a}b}", "$${configuration.x}",
                         "${configuration." + "n" * 129 + "}"]
        ] + [('{"f":[{"prefix":"a${b"}]}', "f[0].prefix"), ('{"f":[{"regexp":"${2}"}]}', "f[0].regexp"),
             ('{"f":[{"anything-but":["${x}"]}]}', "f[0].anything-but[0]"), ('{"f":[{"numeric":["<","${x}"]}]}', "f[0].numeric[1]"),
             ('{"f":[{"all-of":"${x}"}]}', "f[0].all-of")])
        + refused("pattern-numeric", [
            ('{"f":[{"numeric":' + value + "}]}", "f[0].numeric" + place)
            for value, place in [
                ("5", ""), ('">5"', ""), ('{"=":5}', ""), (P, ""), ("[5]", "[0]"), ('["=="]', "[0]"), ('["=>",1]', "[0]"), ('["<>",1]', "[0]"),
                ('[">"]', "[0]"), ('[">","1"]', "[1]"), ('[">",null]', "[1]"), ('[">",1,2]', "[2]"), ('[">",1,"<"]', "[2]"),
                ('[">",1,">=",2]', "[2]"), ('["<",1,"<=",2]', "[2]"), ('["=",1,"<",2]', "[2]"), ('[">",1,"!=",2]', "[2]"),
                ('["=",1,"=",1]', "[2]"), ('[">",1,"<",5,">",2]', "[4]"), ("[" + P + ",1]", "[0]")]])
        + refused("pattern-range", [
            ('{"f":[{"numeric":' + value + "}]}", "f[0].numeric")
            for value in ['[">",5,"<",3]', '["<",3,">",5]', '[">",5,"<=",5]', '[">=",5,"<",5.0]', '[">",0,"<",-0]',
                          '[">=",9007199254740993,"<=",9007199254740992]']
        ] + [('{"f":[{"anything-but":{"numeric":[">",5,"<",3]}}]}', "f[0].anything-but.numeric")])
        + refused("pattern-wildcard", [
            ('{"f":[{"wildcard":"' + text + '"}]}', "f[0].wildcard") for text in ["**", "a**b", "***", "a\\\\", "\\\\a", "a\\\\?", "\\\\\\\\**"]
        ] + [('{"f":[{"anything-but":{"wildcard":["a","**"]}}]}', "f[0].anything-but.wildcard[1]")])
        + refused("pattern-regexp", [
            ('{"f":[{"regexp":"' + text + '"}]}', "f[0].regexp")
            for text in ["(", ")", "a)", "[", "[]", "[^]", "a{", "a{2,1}", "a{,2}", "*", "a**", "a+?", "\\\\d", "\\\\w", "\\\\$", "\\\\",
                         "(?:a)", "(?=a)", "\\\\p{Xx}", "\\\\p{Greek}", "[b-a]", "]", "}", "[a-z-[aeiou]]", "((a{99}){99}){99}"]])
        + refused("pattern-cidr", [
            ('{"f":[{"cidr":"' + text + '"}]}', "f[0].cidr")
            for text in ["", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0/8", "10.0.0.0/8 ", "10.0.0.0/08", "010.0.0.0/8", "::/129",
                         "2001:db8::", "::1%1/64", "10.0.0.0/255.0.0.0", "x/8", "10.0.0.0/-1", "256.0.0.0/8"]])
        + refused("pattern-limit", [
            ('{"o":' * 16 + '{"f":[1]}' + "}" * 16, ".".join(["o"] * 16)),
            ('{"$or":[' * 8 + '{"f":[1]}' + "]}" * 8, ".".join(["$or[0]"] * 8)),
            ("{" + many(f'"f{n}":[1]' for n in range(256)) + "}", "f255"),
            ('{"$or":[' + many(['{"f":[1]}'] * 255) + "]}", "$or[254].f"),
            ('{"f":[' + many(map(str, range(1025))) + "]}", "f"),
            ('{"f":[{"anything-but":[' + many(map(str, range(1025))) + "]}]}", "f[0].anything-but"),
            ('{"f":[{"wildcard":"' + "a" * 1025 + '"}]}', "f[0].wildcard"),
            ('{"f":[{"regexp":"' + "a" * 1025 + '"}]}', "f[0].regexp")])
    )


def other_refusals():
    """Cases of a valid pattern with an event or a configuration that is refused."""
    cases = [("payload-not-json", "{", None), ("payload-not-json", "", None), ("payload-not-object", "[1]", None),
             ("payload-duplicate-key", '{"f":1,"f":1}', None), ("payload-number-range", '{"f":1e999}', None),
             ("payload-too-deep", '{"f":' * 32 + "{}" + "}" * 32, None),
             ("configuration-invalid", "{}", "[]"), ("configuration-invalid", "{}", '{"p":null}'),
             ("configuration-invalid", "{}", '{"p":{}}'), ("configuration-invalid", "{}", '{"p":[[1]]}'),
             ("configuration-invalid", "{}", '{"":1}')]
    return numbered("beside", [
        {"pattern": '{"f":["x"]}', "event": event} | ({"configuration": c} if c is not None else {}) | {"result": code}
        for code, event, c in cases
    ])


def patterns():
    return (equality() + text_operators() + expressions() + numbers() + presence() + lists()
            + objects() + placeholders() + refusals() + other_refusals())
