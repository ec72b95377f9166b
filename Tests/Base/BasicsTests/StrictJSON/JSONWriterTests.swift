import Basics
import Testing

@Suite struct JSONWriterTests {
    @Test("Commas stand where they must and nowhere else")
    func commas() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("a")
        writer.beginArray()
        writer.integer(-1)
        writer.unsigned(.max)
        writer.beginObject()
        writer.endObject()
        writer.beginArray()
        writer.endArray()
        writer.null()
        writer.endArray()
        writer.key("b")
        writer.boolean(true)
        writer.key("c")
        writer.beginObject()
        writer.key("d")
        "[1, 2]".withByteView { writer.raw($0) }
        writer.key("e")
        writer.boolean(false)
        writer.endObject()
        writer.endObject()
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"{"a":[-1,18446744073709551615,{},[],null],"b":true,"c":{"d":[1, 2],"e":false}}"#
        )
    }

    @Test("Every string is written so that a scan yields the same string")
    func strings() {
        let all = String(String.UnicodeScalarView((0..<0x300).map { Unicode.Scalar($0)! }))
        for text in ["", "plain", "\"\\/\u{8}\u{c}\n\r\t", all, "é€😀\u{10ffff}\0\u{1f}\u{7f}"] {
            var writer = JSONWriter()
            writer.beginObject()
            writer.key(text)
            writer.string(text)
            writer.key(text + "2")
            text.withByteView { writer.string($0) }
            writer.endObject()
            let bytes = Array(text.utf8)
            #expect(
                scan(writer.bytes).events == [
                    .beginObject, .key(bytes), .string(bytes), .key(bytes + [0x32]),
                    .string(bytes), .endObject,
                ]
            )
        }
    }

    @Test("A writer appends to what it is given")
    func appends() {
        var writer = JSONWriter(Array("head".utf8))
        writer.beginObject()
        writer.endObject()
        #expect(writer.bytes == Array("head{}".utf8))
    }
}
