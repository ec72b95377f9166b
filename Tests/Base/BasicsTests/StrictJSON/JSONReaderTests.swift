import Basics
import TestSupport
import Testing

@Suite struct JSONReaderTests {
    /// All that is in the document, as a scan would tell it.
    private func events(_ bytes: [UInt8]) -> [Event] {
        bytes.withByteView { view in
            var reader = JSONReader(view)
            var events: [Event] = []
            reader.reportValue(&events)
            #expect(reader.offset == view.count)
            return events
        }
    }

    @Test("A reader finds in a document what a scan finds", arguments: Corpus.valid)
    func agrees(document: String) {
        #expect(events(Array(document.utf8)) == scan(document).events)
    }

    @Test("A reader finds in random documents what a scan finds", arguments: 1...UInt64(4))
    func agreesOnRandom(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for round in 0..<300 {
            let document = FuzzTests.document(&random)
            guard case .accepted(let expected) = scan(document) else { continue }
            #expect(
                events(document) == expected,
                "seed \(seed), round \(round): \(printable(document))"
            )
        }
    }

    /// Reads the one member of an object.
    private func member<Result>(_ value: String, _ body: (inout JSONReader) -> Result) -> Result {
        "{ \"a\" : \(value) , \"next\":1}".withByteView { view in
            var reader = JSONReader(view)
            reader.enterObject()
            #expect(reader.nextKey().map { $0 == "a" } == true)
            #expect(reader.offset == 8)
            let result = body(&reader)
            #expect(reader.nextKey().map { $0 == "next" } == true, "\(value) was not consumed")
            return result
        }
    }

    @Test("Whole numbers are read by value, and what is none is passed over")
    func integers() {
        let cases: [(String, Int64?, UInt64?)] = [
            ("0", 0, 0), ("-0", 0, 0), ("30", 30, 30), ("30.0", 30, 30), ("3e1", 30, 30),
            ("-5", -5, nil), ("1.5", nil, nil), ("-0.5", nil, nil), ("1e-1", nil, nil),
            ("9223372036854775807", .max, 9_223_372_036_854_775_807),
            ("9223372036854775808", nil, 9_223_372_036_854_775_808),
            ("-9223372036854775808", .min, nil), ("-9223372036854775809", nil, nil),
            ("18446744073709551615", nil, .max), ("18446744073709551616", nil, nil),
            ("1e19", nil, 10_000_000_000_000_000_000), ("1e20", nil, nil), ("1e300", nil, nil),
            ("18446744073709551615.0", nil, .max), ("184467440737095516150e-1", nil, .max),
            ("\"30\"", nil, nil), ("null", nil, nil), ("[30]", nil, nil), ("{\"b\":30}", nil, nil),
        ]
        for (text, signed, unsigned) in cases {
            #expect(member(text) { $0.readInteger() } == signed, "\(text)")
            #expect(member(text) { $0.readUnsigned() } == unsigned, "\(text)")
        }
    }

    @Test(
        "A value's own bytes are those between the spaces",
        arguments: [
            "1", "-1.5e3", "\"x\\\"y\\\\\"", "true", "null", "[ 1 , [ ] ]",
            "{\"b\":\"}\\\"\",\"c\":[\"]\"]}",
            "\"\"", "{}", "[]", "\"é\"",
        ]
    )
    func rawValues(value: String) {
        #expect(member(value) { $0.rawValue().string } == value)
        member(value) { $0.skipValue() }
    }

    @Test(
        "A number ends at a comma, a bracket, white space or the end, wherever these lie in a word",
        arguments: 1...20
    )
    func numbersEnd(count: Int) {
        let number = String(repeating: "7", count: count)
        let ends = [
            "]", "]          ", ",1]", ",\"0123456789\"]", " ]", "\t]", "\n]", "\r\n        ]",
        ]
        for end in ends {
            Array("[\(number)\(end)".utf8).withByteView { view in
                var reader = JSONReader(view)
                reader.enterArray()
                #expect(reader.nextElement() && reader.rawValue().string == number, "\(end)")
            }
        }
        Array("{\"a\":\(number)}        ".utf8).withByteView { view in
            var reader = JSONReader(view)
            reader.enterObject()
            #expect(reader.nextKey() != nil && reader.rawValue().string == number)
            #expect(reader.nextKey() == nil)
        }
        Array(number.utf8).withByteView { view in
            var reader = JSONReader(view)
            #expect(reader.rawValue().string == number)
        }
    }

    @Test("Texts compare by what they mean")
    func texts() {
        let plain = member("\"caf\u{e9}/\"") { $0.readString().string }
        #expect(plain == "café/")
        #expect(member(#""caf\u00e9\/""#) { $0.readString().string } == "café/")
        #expect(member(#""caf\u00e9\/""#) { $0.readString() == "café/" })
        #expect(member(#""publisher""#) { $0.readString() == "publisher" })
        #expect(!member(#""publisher""#) { $0.readString() == "publishe" })
        #expect(!member(#""\\u0061""#) { $0.readString() == "a" })
        #expect(member(#""""#) { $0.readString() == "" })
        #expect(member(#""a""#) { !$0.readString().hasEscapes })
        #expect(member(#""\u0061""#) { $0.readString().hasEscapes })
        let isSame = member(#"["\u0061bc","abc"]"#) { reader in
            reader.enterArray()
            _ = reader.nextElement()
            let left = reader.readString()
            _ = reader.nextElement()
            let right = reader.readString()
            _ = reader.nextElement()
            return left == right
        }
        #expect(isSame)
    }

    private func place(_ offset: Int, _ view: ByteView) -> [Int] {
        let position = sourcePosition(of: offset, in: view)
        return [position.line, position.column]
    }

    @Test("Lines and columns count from one, columns in characters")
    func positions() {
        "{\n  \"é€\": x\r\n}".withByteView { view in
            #expect(place(0, view) == [1, 1])
            #expect(place(2, view) == [2, 1])
            #expect(place(4, view) == [2, 3])
            #expect(place(13, view) == [2, 9])
            #expect(place(16, view) == [3, 1])
            #expect(place(view.count, view) == [3, 2])
        }
    }
}
