import Basics
import Testing

@Suite struct DuplicateKeyTests {
    @Test(
        "A key that its object has already is refused at its opening quote",
        arguments: [
            Refusal("{\"a\":1,\"a\":2}", .duplicateKey, 7),
            Refusal("{\"\":1,\"\":2}", .duplicateKey, 6),
            Refusal("{\"a\":1,\"b\":2, \"a\":3}", .duplicateKey, 14),
            Refusal("{\"x\":{\"a\":1,\"a\":2}}", .duplicateKey, 12),
            Refusal("{\"x\":[{},{\"a\":1,\"a\":2}]}", .duplicateKey, 16),
            Refusal("{\"a\":{\"b\":[{\"c\":1}]},\"a\":2}", .duplicateKey, 21),
            Refusal("{\"12345678\":1,\"12345678\":2}", .duplicateKey, 14),
            Refusal("{\"123456789\":1,\"123456789\":2}", .duplicateKey, 15),
            Refusal("{\"a-key-of-some-length\":1,\"a-key-of-some-length\":2}", .duplicateKey, 26),
            Refusal("{\"é\":1,\"é\":2}", .duplicateKey, 8),
        ]
    )
    func refuses(refusal: Refusal) {
        #expect(scan(refusal.document) == .refused(refusal.code, refusal.offset))
    }

    @Test(
        "Keys are compared as they are meant, not as they are written",
        arguments: [
            #"{"a":1,"\u0061":2}"#, #"{"\u0061":1,"a":2}"#, #"{"\u0061":1,"\u0061":2}"#,
            #"{"/":1,"\/":2}"#, #"{"\n":1,"\u000a":2}"#, #"{"\u00E9":1,"\u00e9":2}"#,
            "{\"\\u00e9\":1,\"é\":2}", "{\"😀\":1,\"\\ud83d\\ude00\":2}",
            "{\"\\u0000\":1,\"\\u0000\":2}",
            #"{"character":1,"ch\u0061racter":2}"#, #"{"12345678":1,"1234567\u0038":2}"#,
        ]
    )
    func refusesEscaped(document: String) {
        #expect(scan(document).code == .duplicateKey)
    }

    @Test(
        "Keys that differ in anything are different keys",
        arguments: [
            #"{"a":1,"A":2}"#, #"{"a":1,"a ":2}"#, #"{"":1,"\u0000":2,"\u0000\u0000":3}"#,
            #"{"12345678":1,"12345679":2,"123456780":3,"1234567":4}"#, "{\"é\":1,\"e\u{301}\":2}",
            #"{"character-one-a":1,"character-one-b":2,"character-two-a":3}"#,
            #"{"\\u0061":1,"a":2}"#,
            #"{"ab":1,"ab\u0000":2}"#, #"{"1234567":1,"1234567\u0000":2}"#,
        ]
    )
    func accepts(document: String) {
        #expect(scan(document).isAccepted)
    }

    @Test(
        "The same key may stand in different objects",
        arguments: [
            #"{"a":{"a":{"a":1}},"b":{"a":1},"c":[{"a":1},{"a":1},[{"a":1}]]}"#,
            #"{"a":[{"b":1,"c":2},{"b":1,"c":2}],"b":1,"c":2}"#,
        ]
    )
    func otherObjects(document: String) {
        #expect(scan(document).isAccepted)
    }

    @Test("A repeated key is found at every place of objects of every size")
    func everyPlace() {
        var harness = Harness()
        for count in 1...40 {
            let keys = Corpus.manyKeys(count)
            #expect(harness.scan(Corpus.object(keys: keys)).isAccepted, "\(count) keys")
            for repeated in 0..<count {
                let document = Corpus.object(keys: keys + ["key-\(repeated)"])
                let outcome = harness.scan(document)
                let offset = document.utf8.count - "\"key-\(repeated)\":1}".utf8.count
                #expect(outcome == .refused(.duplicateKey, offset), "\(repeated) of \(count)")
            }
        }
    }

    @Test("Ten thousand keys are distinguished, and a repetition among them is found")
    func tenThousand() {
        var harness = Harness()
        let keys = Corpus.manyKeys(10_000)
        #expect(harness.scan(Corpus.object(keys: keys)).isAccepted)
        for repeated in [0, 15, 16, 17, 4_999, 9_999] {
            let document = Corpus.object(keys: keys + ["\\u006bey-\(repeated)"])
            let offset = document.utf8.count - "\"\\u006bey-\(repeated)\":1}".utf8.count
            #expect(harness.scan(document) == .refused(.duplicateKey, offset))
        }
    }

    @Test("Large objects within large objects keep their keys apart")
    func nestedLarge() {
        var harness = Harness()
        let keys = Corpus.manyKeys(30)
        let inner = Corpus.object(keys: keys)
        let members = keys.map { "\"\($0)\":\(inner)" }.joined(separator: ",")
        let middle = "{\(members)}"
        let document = "{\"x\":[\(middle),\(middle)],\(members)"
        #expect(harness.scan(document + "}").isAccepted)
        // The outer object's first key, after thousands of others have come and gone.
        #expect(
            harness.scan(document + ",\"x\":1}")
                == .refused(.duplicateKey, document.utf8.count + 1)
        )
        #expect(
            harness.scan(document + ",\"key-29\":1}")
                == .refused(.duplicateKey, document.utf8.count + 1)
        )
    }

    @Test("Keys of earlier documents do not count")
    func earlierDocuments() {
        var harness = Harness()
        let document = Corpus.object(keys: Corpus.manyKeys(100))
        for _ in 0..<500 {
            #expect(harness.scan(document).isAccepted)
            // Breaks off inside the large object.
            #expect(!harness.scan(String(document.dropLast(30))).isAccepted)
        }
    }

    @Test("Ten thousand keys cost about ten times as much as one thousand")
    func linear() {
        var harness = Harness()
        let small = Array(Corpus.object(keys: Corpus.manyKeys(1_000)).utf8)
        let large = Array(Corpus.object(keys: Corpus.manyKeys(10_000)).utf8)
        let clock = ContinuousClock()
        var ratio = Double.infinity
        // The best of several, because other work may disturb any one.
        for _ in 0..<5 {
            let one = clock.measure { for _ in 0..<5 { _ = harness.scan(small) } }
            let ten = clock.measure { for _ in 0..<5 { _ = harness.scan(large) } }
            ratio = min(ratio, ten / one)
        }
        #expect(ratio < 30, "quadratic comparison would be a hundred times")
    }
}
