import Basics
import Testing

@testable import ChangeDetection

@Suite("Two values")
struct ValueComparisonTests {
    @Test(
        "are the same if they are when decoded",
        arguments: [
            ("30", "30.0"), ("30", "3e1"), ("30", "300E-1"), ("0", "-0.0e5"), ("-1", "-1"),
            ("1234567890123456789", "1234567890123456.789e3"), ("1e300", "10e299"),
            ("0.1", "1e-1"),
            ("123456789012345678901234567890", "1.2345678901234567890123456789e29"),
            (#""a""#, #""\u0061""#), (#""é😀""#, #""\u00e9\ud83d\uDE00""#),
            (#""\/\"\\\b\f\n\r\t""#, #""/\u0022\u005c\u0008\u000c\u000a\u000d\u0009""#),
            (#"[1, "a" ,{ "k" : null }]"#, #"[1.0,"\u0061",{"\u006b":null}]"#),
            (#""\ud800\udc00\udbff\udfff""#, "\"\u{10000}\u{10ffff}\""), ("[]", "[ ]"),
            ("{}", "{ }"), ("true", " true "), ("\"\"", "\"\""),
        ]
    )
    func same(first: String, second: String) {
        for seed in 1...3 as ClosedRange<UInt64> {
            #expect(FieldsBench.areSame(first, second, seed: seed))
        }
    }

    @Test(
        "differ if they do when decoded",
        arguments: [
            ("30", "31"), ("30", "-30"), ("30", #""30""#), ("9007199254740992", "9007199254740993"),
            ("0.1", "0.10000000000000000001"), ("1e-399", "0"), ("0", "false"), ("null", "false"),
            ("null", #""null""#), ("\"\"", "null"), ("[]", "{}"), ("[]", "null"), ("[]", "[[]]"),
            ("[1]", "1"), ("[1,2]", "[2,1]"), ("[[1],2]", "[[1,2]]"), ("[1,[]]", "[[1]]"),
            ("[[],1]", "[1]"), ("[[]]", "[[],[]]"),
            (#"{"a":1}"#, #"["a",1]"#), (#"{"a":1}"#, #"{"a":2}"#), (#"{"a":1}"#, #"{"b":1}"#),
            (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#), (#"{"a":{},"b":1}"#, #"{"a":{"b":1}}"#),
            (#""a""#, #""A""#), (#""a""#, #""a\u0000""#), (#""\u0000""#, #""""#),
            (#""é""#, #""e\u0301""#), (#""\\u0061""#, #""\u0061""#), ("true", "false"),
        ]
    )
    func different(first: String, second: String) {
        for seed in 1...3 as ClosedRange<UInt64> {
            #expect(!FieldsBench.areSame(first, second, seed: seed))
        }
    }

    @Test("have the fingerprints that stores of the first version have with their widgets")
    func golden() {
        var hash = FieldValueHash(seed: DecisionSeed(7))
        let expected: [(String, UInt64)] = [
            (#""elf-42""#, 0x5cd0_82cd_e13e_2c7d), ("true", 0x1954_6ba0_b5d5_bd75),
            (#"{"a":"elf-42"}"#, 0x61f6_4571_82a9_e0fb), ("[true,null]", 0x39b7_c4b0_e44e_a302),
        ]
        for (value, fingerprint) in expected {
            let found = value.withByteView { hash($0) }
            #expect(found == fingerprint, "\(value)")
        }
    }

    @Test("differ at whatever byte of a long string, and at whatever digit of a long number")
    func everyPlace() {
        let digits = [Character](String(repeating: "1234567890", count: 12))
        let bench = FieldsBench(observes: ["n", "s"])
        _ = bench.push(#"{"n":\#(String(digits)),"s":"\#(String(digits))"}"#)
        for position in digits.indices {
            var other = digits
            other[position] = digits[position] == "7" ? "8" : "7"
            #expect(bench.push(#"{"n":\#(String(other))}"#))
            #expect(bench.push(#"{"n":\#(String(digits))}"#))
            #expect(bench.push(#"{"s":"\#(String(other))"}"#))
            #expect(bench.push(#"{"s":"\#(String(digits))"}"#))
        }
    }

    @Test("are the same as deep as payloads go, and differ there")
    func deep() {
        func nested(_ value: Int) -> String {
            String(repeating: "[", count: 31) + "\(value)" + String(repeating: "]", count: 31)
        }
        #expect(FieldsBench.areSame(nested(1), nested(1)))
        #expect(!FieldsBench.areSame(nested(1), nested(2)))
    }

    @Test("of fields whose names are the same when decoded are of one field")
    func escapedKeys() {
        let bench = FieldsBench(observes: ["a", "é\"\n", "", "😀"], inlines: ["a"])
        #expect(bench.push(#"{"\u0061":1,"\u00e9\"\n":2,"":3,"\ud83d\ude00":4}"#))
        #expect(!bench.push(#"{"a":1,"é\u0022\u000a":2,"":3,"😀":4}"#))
        #expect(bench.push(#"{"a":5}"#))
        #expect(!bench.push(#"{"\u0061":5}"#))
        #expect(bench.inlined() == #"{"a":5}"#)
        #expect(bench.push(#"{"":4}"#))
    }

    @Test("of names that are canonically equivalent are of two fields")
    func canonicalEquivalents() {
        let bench = FieldsBench(observes: ["\u{e9}", "e\u{301}"])
        #expect(bench.push("{\"\u{e9}\":1}"))
        #expect(bench.push("{\"e\u{301}\":1}"))
        #expect(!bench.push("{\"e\u{301}\":1,\"\u{e9}\":1}"))
    }
}
