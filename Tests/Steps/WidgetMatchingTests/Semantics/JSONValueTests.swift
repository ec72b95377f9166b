import Basics
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("JSON as a tree")
struct JSONValueTests {
    private func tree(_ json: String) throws -> JSONValue {
        try json.withByteView { bytes throws(JSONError) in try JSONValue(parsing: bytes) }
    }

    @Test(
        "A document keeps its members, their order and the spelling of its numbers",
        arguments: [
            "{}", #"{"b":1,"a":[]}"#, #"{"a":[1,-0.0,3E+1,"x",true,false,null,[[]],{"b":{}}]}"#,
            #"{"":"","é🧝":"\"\\ \n"}"#,
        ]
    )
    func roundTrip(json: String) throws {
        #expect(try tree(json).text == json)
    }

    @Test("Text is decoded, and numbers compare by value")
    func values() throws {
        let tree = try tree(#"{"\u0061":"\ud83e\udddd","n":[3e1,30.0,31,"30"]}"#)
        #expect(tree.member("a")?.text == #""🧝""#)
        let numbers = tree.member("n")?.elements ?? []
        #expect(numbers.map { $0.isSame(as: .number("30")) } == [true, true, false, false])
        #expect(tree.member("b") == nil)
    }

    @Test("Names that only look the same are two")
    func names() throws {
        let tree = try tree("{\"caf\u{e9}\":1,\"cafe\u{301}\":2}")
        #expect(tree.member("cafe\u{301}")?.text == "2")
    }

    @Test("What is no JSON object is refused", arguments: ["", "[]", "{", #"{"a":1,"a":2}"#])
    func refused(json: String) {
        #expect(throws: JSONError.self) { try tree(json) }
    }

    @Test("A long list is read in one go")
    func longList() throws {
        let list = "[\((0..<20_000).map(String.init).joined(separator: ","))]"
        #expect(try tree(#"{"a":\#(list)}"#).member("a")?.elements.count == 20_000)
    }
}
