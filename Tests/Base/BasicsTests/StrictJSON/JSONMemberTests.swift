import Basics
import Testing

@Suite("Members of objects")
struct JSONMemberTests {
    @Test func `Each value is written as what it is, and none as null`() {
        let bytes = JSONWriter.object { json in
            json.member("text", value: "\"é\n")
            json.member("none", value: nil as String?)
            json.member("whole", value: -3)
            json.member("most", value: UInt64.max)
            json.member("missing", value: nil as Int?)
            json.member("half", value: 0.5)
            json.member("truth", value: true)
            json.member("json", json: "[1, 2]")
        }
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"text":"\"é\n","none":null,"whole":-3,"most":18446744073709551615,"#
                + #""missing":null,"half":0.5,"truth":true,"json":[1, 2]}"#
        )
    }

    @Test func `Integers beyond 64 bits are clamped`() {
        let bytes = JSONWriter.object { json in
            json.member("least", value: Int128.min)
            json.member("most", value: UInt128.max)
        }
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"least":-9223372036854775808,"most":18446744073709551615}"#
        )
    }

    @Test func `Lists and objects have what their closures write`() {
        let bytes = JSONWriter.object { json in
            json.list("texts", of: ["a", "b"])
            json.list("squares", of: 1...3) { number, json in json.integer(number * number) }
            json.list("nothing", of: [String]())
            json.object("inner") { json in json.object("empty") { _ in } }
        }
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"texts":["a","b"],"squares":[1,4,9],"nothing":[],"inner":{"empty":{}}}"#
        )
    }

    @Test func `A value that was read is written as it was`() throws {
        let text = #"{"b":[1.50,-0,"x",null,{"a":true}],"a":{}}"#
        let value = try text.withByteView { (view) throws(JSONError) in
            try JSONValue(parsing: view)
        }
        #expect(value.text == text)
        #expect(
            value
                == .object([
                    JSONValue.Member(
                        name: "b",
                        value: .list([
                            .number("1.50"), .number("-0"), .string("x"), .null,
                            .object(["a": .boolean(true)]),
                        ])
                    ), JSONValue.Member(name: "a", value: .object([:])),
                ])
        )
    }
}
