import Basics
import Testing

@Suite struct GrammarTests {
    @Test(
        "A valid document is accepted, and yields the same events as the reference",
        arguments: Corpus.valid
    )
    func accepts(document: String) {
        let outcome = scan(document)
        #expect(outcome.isAccepted)
        #expect(outcome == ReferenceValidator.outcome(Array(document.utf8)))
    }

    @Test("Events come in document order, the outermost object's included")
    func events() {
        let outcome = scan(#"{"a":[1,{"b":"x"}],"c":null}"#)
        #expect(
            outcome.events == [
                .beginObject, .key(Array("a".utf8)), .beginArray, .number(Array("1".utf8)),
                .beginObject, .key(Array("b".utf8)), .string(Array("x".utf8)), .endObject,
                .endArray, .key(Array("c".utf8)), .literal("null"), .endObject,
            ]
        )
    }

    @Test("Escapes are decoded in keys and in values")
    func escapes() {
        let outcome = scan(#"{"\u006b\/":"\"\\\b\f\n\r\t\u00e9\u20AC\ud83d\uDE00\u0000"}"#)
        let value: [UInt8] = [0x22, 0x5c, 8, 0x0c, 0x0a, 0x0d, 0x09] + Array("é€😀\0".utf8)
        #expect(
            outcome.events == [.beginObject, .key(Array("k/".utf8)), .string(value), .endObject]
        )
    }

    @Test("A number is passed as it is written")
    func numbersAsWritten() {
        #expect(
            scan(#"{"a":-1.50E+02}"#).events?.contains(.number(Array("-1.50E+02".utf8))) == true
        )
    }

    @Test(
        "What the grammar lacks is refused as not JSON",
        arguments: [
            "", " ", "{", "}", "{,}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\" 1}",
            "{\"a\":1 \"b\":2}",
            "{\"a\":1;\"b\":2}", "{a:1}", "{'a':1}", "{1:1}", "{\"a\":1}}", "{\"a\":1}{}", "{} x",
            "{},",
            "{\"a\":[1,]}", "{\"a\":[,1]}", "{\"a\":[1 2]}", "{\"a\":[}", "{\"a\":]}", "{\"a\":[1}",
            "{\"a\":{\"b\":1]}", "{\"a\":[1}]", "{\"a\":tru}", "{\"a\":True}", "{\"a\":nul}",
            "{\"a\":nulll}", "{\"a\":truefalse}", "{\"a\":fals3}", "{\"a\":NaN}",
            "{\"a\":Infinity}",
            "{\"a\":undefined}", "{\"a\":01}", "{\"a\":-01}", "{\"a\":00}", "{\"a\":-}",
            "{\"a\":+1}",
            "{\"a\":.5}", "{\"a\":1.}", "{\"a\":1.e5}", "{\"a\":1e}", "{\"a\":1e+}",
            "{\"a\":1e1.5}",
            "{\"a\":--1}", "{\"a\":1-}", "{\"a\":0x10}", "{\"a\":1_000}", "{\"a\":1a}",
            "{\"a\":1.2.3}",
            "{\"a\":\"b}", "{\"a\":\"\\\"}", "{\"a\":\"\\x41\"}", "{\"a\":\"\\u12\"}",
            "{\"a\":\"\\u12g4\"}",
            "{\"a\":\"\\U0041\"}", "{\"a\":\"\\u+123\"}", "{\"a\":\"\\u 123\"}", "{\"a\":\"\\'\"}",
            "{\"a\":\"\\\n\"}", "{\"a\":\"\n\"}", "{\"a\":\"\t\"}", "{\"a\":\"\0\"}",
            "{\"a\":\"\u{1f}\"}",
            "{\"\u{1}\":1}", "{/**/}", "{}//", "# {}", "\u{feff}{}", "{\u{a0}}", "{\u{0b}}",
            "{\u{0c}}",
            "{\"a\":1\0}", "{}\0", "\0{}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\\udc00\"}",
            "{\"a\":\"\\ud800x\"}", "{\"a\":\"\\ud800\\n\"}", "{\"a\":\"\\ud800\\ud800\"}",
            "{\"a\":\"\\ud800\\u0041\"}", "{\"a\":\"\\udc00\\ud800\"}", "{\"\\udfff\":1}",
            "tru", "nulll", "1 2", "1,\"b\":2", "1,\"\":2", "1}", "\"a", "\"a\":1", "[", "[1",
            "[1,]", "[]]",
            "[] []", "[],[]", "-", "01", "1.", "[\"\\ud800\"]", "1}{\"a\":1", "[}", "1}, {\"a\":1",
        ]
    )
    func refuses(document: String) {
        let outcome = scan(document)
        #expect(outcome.code == .notJSON)
        #expect(ReferenceValidator.outcome(Array(document.utf8)).code == .notJSON)
    }

    @Test("Every byte but the quote, the backslash and control characters stands for itself")
    func plainBytes() {
        var harness = Harness()
        for byte in UInt8.min..<0x80 {
            // At each place of a word, because eight bytes are looked at together.
            for position in 0..<17 {
                let text = Array(repeating: UInt8(ascii: "x"), count: position) + [byte]
                let document = Array("{\"a\":\"".utf8) + text + Array("yyyyyyyyy\"}".utf8)
                let outcome = harness.scan(document)
                let isPlain = byte >= 0x20 && byte != 0x5c && byte != 0x22
                #expect(outcome.isAccepted == isPlain, "byte \(byte) at place \(position)")
                if isPlain {
                    #expect(outcome.events?[2] == .string(text + Array("yyyyyyyyy".utf8)))
                }
            }
        }
    }

    @Test("Strings of every length up to forty are found whole, wherever they begin")
    func lengths() {
        var harness = Harness()
        for indent in 0..<9 {
            for length in 0..<40 {
                let text = String(repeating: "s", count: length)
                let document = String(repeating: " ", count: indent) + "{\"\(text)\":\"\(text)\"}"
                let expected: [Event] = [
                    .beginObject, .key(Array(text.utf8)), .string(Array(text.utf8)), .endObject,
                ]
                #expect(harness.scan(document) == .accepted(expected))
            }
        }
    }

    @Test("A scanner that has refused a document accepts the next one")
    func recovers() {
        var harness = Harness()
        for document in ["{\"a\":{\"b\":[", "{\"a\":1,\"a\":2}", "{\"a\":\"\\n", "[]", ""] {
            #expect(!harness.scan(document).isAccepted)
            #expect(harness.scan("{\"a\":1,\"b\":{\"a\":2}}").isAccepted)
        }
    }
}
