import Basics
import Testing

/// A document, the code of its refusal and the byte that the refusal points at.
struct Refusal: Sendable, CustomTestStringConvertible {
    let document: [UInt8]
    let code: JSONErrorCode
    let offset: Int

    init(_ document: String, _ code: JSONErrorCode, _ offset: Int) {
        self.init(Array(document.utf8), code, offset)
    }

    init(_ document: [UInt8], _ code: JSONErrorCode, _ offset: Int) {
        self.document = document
        self.code = code
        self.offset = offset
    }

    /// The bytes as the only content of a string that begins at byte 6.
    static func string(_ bytes: [UInt8], _ code: JSONErrorCode, _ offset: Int) -> Refusal {
        Refusal(Array("{\"a\":\"".utf8) + bytes + Array("\"}".utf8), code, offset)
    }

    var testDescription: String { printable(document) }
}

@Suite struct ErrorTests {
    @Test(
        "A fault of the grammar is pointed at",
        arguments: [
            Refusal("", .notJSON, 0), Refusal("  ", .notJSON, 2), Refusal("{", .notJSON, 1),
            Refusal("}", .notJSON, 0), Refusal("x", .notJSON, 0), Refusal("{\"a\" 1}", .notJSON, 5),
            Refusal("{\"a\":}", .notJSON, 5), Refusal("{\"a\":1,}", .notJSON, 7),
            Refusal("{\"a\":1 2}", .notJSON, 7), Refusal("{\"a\":[1}", .notJSON, 7),
            Refusal("{\"a\":{\"b\":1]", .notJSON, 11), Refusal("{} {}", .notJSON, 3),
            Refusal("{x}", .notJSON, 1), Refusal("{\"a\":tru}", .notJSON, 5),
            Refusal("{\"a\":01}", .notJSON, 5), Refusal("{\"a\":-}", .notJSON, 5),
            Refusal("{\"a\":\"b\nc\"}", .notJSON, 7), Refusal("{\"a\":\"b\\x\"}", .notJSON, 7),
            Refusal("{\"a\":\"b\\ud800c\"}", .notJSON, 7), Refusal("{\"a\":\"b", .notJSON, 7),
            Refusal("{\"a\":\"\\u1\"}", .notJSON, 6),
            Refusal("{\"a\":\"\\ud800\\u1\"}", .notJSON, 12),
        ]
    )
    func grammar(refusal: Refusal) {
        #expect(scan(refusal.document) == .refused(refusal.code, refusal.offset))
    }

    @Test(
        "Bytes that are not UTF-8 are refused at their sequence's first byte",
        arguments: [
            Refusal.string([0x80], .notUTF8, 6), .string([0xbf], .notUTF8, 6),
            .string([0x61, 0xff], .notUTF8, 7), .string([0xfe], .notUTF8, 6),
            .string([0xc0, 0x80], .notUTF8, 6), .string([0xc1, 0xbf], .notUTF8, 6),
            .string([0xe0, 0x80, 0x80], .notUTF8, 6), .string([0xe0, 0x9f, 0xbf], .notUTF8, 6),
            .string([0xed, 0xa0, 0x80], .notUTF8, 6), .string([0xed, 0xbf, 0xbf], .notUTF8, 6),
            .string([0xf0, 0x80, 0x80, 0x80], .notUTF8, 6),
            .string([0xf0, 0x8f, 0xbf, 0xbf], .notUTF8, 6),
            .string([0xf4, 0x90, 0x80, 0x80], .notUTF8, 6),
            .string([0xf5, 0x80, 0x80, 0x80], .notUTF8, 6),
            .string([0xc3], .notUTF8, 6), .string([0xc3, 0x41], .notUTF8, 6),
            .string([0xe2, 0x82], .notUTF8, 6), .string([0xe2, 0x82, 0x41], .notUTF8, 6),
            .string([0xf0, 0x9f, 0x98], .notUTF8, 6),
            .string([0xf0, 0x9f, 0x98, 0xc0], .notUTF8, 6),
            .string(Array("12345678901234é".utf8) + [0xa9], .notUTF8, 22),
            Refusal([0xff], .notUTF8, 0), Refusal([0xc3], .notUTF8, 0),
            Refusal(Array("{\"a\":\"\u{e9}".utf8.dropLast()), .notUTF8, 6),
            // Outside strings nothing but ASCII is JSON, but it may not even be text.
            Refusal(Array("{\"a\":".utf8) + [0xff, 0x7d], .notUTF8, 5),
            Refusal(Array("{\"a\":1".utf8) + [0xc3, 0x7d], .notUTF8, 6),
            Refusal(Array("{".utf8) + [0xed, 0xa0, 0x80, 0x7d], .notUTF8, 1),
            Refusal(Array("{\"a\"".utf8) + [0x80], .notUTF8, 4),
            Refusal(Array("{}".utf8) + [0xfe], .notUTF8, 2),
            Refusal("{\"a\":é}", .notJSON, 5), Refusal("{}é", .notJSON, 2),
        ]
    )
    func utf8(refusal: Refusal) {
        #expect(scan(refusal.document) == .refused(refusal.code, refusal.offset))
    }

    @Test("The first and last sequences of every length are UTF-8")
    func utf8Bounds() {
        for scalar in [0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x1_0000, 0x10_ffff] {
            let text = String(Character(Unicode.Scalar(UInt32(scalar))!))
            for position in 0..<9 {
                let document = "{\"a\":\"" + String(repeating: "x", count: position) + text + "\"}"
                #expect(scan(document).isAccepted, "U+\(String(scalar, radix: 16)) at \(position)")
            }
        }
    }

    @Test(
        "A document that is not an object is refused at its value",
        arguments: [
            Refusal("[]", .notObject, 0), Refusal(" [1]", .notObject, 1),
            Refusal("\"a\"", .notObject, 0),
            Refusal("1", .notObject, 0), Refusal("-1.5e3", .notObject, 0),
            Refusal("true", .notObject, 0),
            Refusal("false", .notObject, 0), Refusal("\n\nnull", .notObject, 2),
        ]
    )
    func notObject(refusal: Refusal) {
        #expect(scan(refusal.document) == .refused(refusal.code, refusal.offset))
    }

    @Test(
        "A value that is no object and is broken besides is refused for that",
        arguments: [
            Refusal("[1,]", .notJSON, 3), Refusal("[1", .notJSON, 2),
            Refusal("1,\"b\":2", .notJSON, 1),
            Refusal("1,\"\":2", .notJSON, 1), Refusal("\"a\":1", .notJSON, 3),
            Refusal("[] x", .notJSON, 3),
            Refusal("1}", .notJSON, 1), Refusal(" tru", .notJSON, 1),
            Refusal("[{\"a\":1,\"a\":2}]", .duplicateKey, 8),
            Refusal("[1e400]", .numberRange, 1), Refusal("1e400", .numberRange, 0),
            Refusal(Array("[\"".utf8) + [0xff] + Array("\"]".utf8), .notUTF8, 2),
            Refusal(Array("1".utf8) + [0xff], .notUTF8, 1),
            Refusal(Array("[".utf8) + [0xc3], .notUTF8, 1),
            Refusal(
                String(repeating: "[", count: 33) + String(repeating: "]", count: 33),
                .tooDeep,
                32
            ),
        ]
    )
    func notObjectAndBroken(refusal: Refusal) {
        #expect(scan(refusal.document) == .refused(refusal.code, refusal.offset))
    }

    @Test(
        "A number out of range is refused at its first byte",
        arguments: [
            "1e400", "-1e400", "1E+400", "1e309", "1.8e308", "1.7976931348623159e308", "0.1e310",
            "1e99999999999999999999",
            "1e-401", "-1e-401", "0.1e-400", "1e-99999999999999999999",
            "1" + String(repeating: "0", count: 309),
            String(repeating: "9", count: 400), "0." + String(repeating: "0", count: 400) + "1",
            SlowDecimal.infinity, "-" + SlowDecimal.infinity, SlowDecimal.infinity + ".0e-0",
        ]
    )
    func numberRange(number: String) {
        #expect(scan("{\"a\":\(number)}") == .refused(.numberRange, 5))
        #expect(scan("{\"a\":[0, \(number) ]}") == .refused(.numberRange, 9))
    }

    @Test(
        "A number that a double can hold is accepted, and so is every zero",
        arguments: [
            "1e308", "-1e308", "1.7976931348623157e308", "1.7976931348623158e308",
            "17976931348623157e292",
            "1e-400", "0.1e-399", "5e-324", "0e400", "-0.000e99999999999999999999",
            "0E-99999999999999",
            "1" + String(repeating: "0", count: 308),
            "1" + String(repeating: "0", count: 400) + "e-100",
            "0." + String(repeating: "0", count: 399) + "1",
            "1." + String(repeating: "3", count: 500),
            String(SlowDecimal.infinity.dropLast()) + "1",
            "0." + String(repeating: "0", count: 500) + "1e200",
        ]
    )
    func numberInRange(number: String) {
        #expect(scan("{\"a\":\(number)}").isAccepted)
    }

    @Test("A byte order mark is named wherever a text begins")
    func byteOrderMark() {
        for (text, offset) in [("\u{feff}{}", 0), (" \u{feff}{}", 1), ("{\"a\":\u{feff}1}", 5)] {
            let error = scanError(Array(text.utf8))
            #expect(error?.offset == offset)
            #expect(error?.sentence.contains("byte order mark (U+FEFF)") == true)
        }
    }

    @Test("An error's sentence names the byte and holds nothing of the document")
    func messages() {
        for document in [
            "{\"secret\":1,\"secret\":2}", "{\"secret\"", "[\"secret\"]", "{\"a\":1e999}",
        ] {
            let error = scanError(Array(document.utf8))
            #expect(error?.message.contains("byte \(error?.offset ?? -1)") == true)
            #expect(error?.message.contains("secret") == false)
        }
    }

    @Test("Depth counts the outermost object as one, for objects and for arrays")
    func depth() {
        for limit in [1, 2, 3, 32, 100] {
            for arrays in [false, true] {
                let deepest = Corpus.nested(depth: limit, arrays: arrays)
                #expect(scan(deepest, depthLimit: limit).isAccepted)
                let tooDeep = Corpus.nested(depth: limit + 1, arrays: arrays)
                let offset = arrays ? 4 + limit : 5 * limit
                #expect(scan(tooDeep, depthLimit: limit) == .refused(.tooDeep, offset))
            }
        }
    }

    @Test("A hundred thousand brackets are refused without being followed")
    func hugeDepth() {
        let brackets = String(repeating: "[", count: 100_000)
        #expect(scan("{\"a\":" + brackets) == .refused(.tooDeep, 36))
    }

    @Test("Depth is that of the place, not the sum of what has been closed")
    func depthAfterClosing() {
        let siblings = Array(repeating: "{\"b\":[[]]}", count: 100).joined(separator: ",")
        #expect(scan("{\"a\":[\(siblings)]}", depthLimit: 5).isAccepted)
    }
}
