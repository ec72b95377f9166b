import Testing

@testable import AdminAPI

@Suite("The payloads of a request")
struct PayloadsTests {
    private func lines(_ text: String) throws -> [String] {
        try Payloads(linesOf: Array(text.utf8)).texts
    }

    @Test func `Each line is a payload, with or without a carriage return`() throws {
        #expect(try lines("a\nbc\r\n\n\r\nd") == ["a", "bc", "", "", "d"])
        #expect(try lines("a\n") == ["a"])
        #expect(try lines("\na") == ["", "a"])
        #expect(try lines("\n").isEmpty)
        #expect(try lines("a\rb\r") == ["a\rb"])
        #expect(try lines("").isEmpty)
    }

    @Test func `Lines beyond the limit are refused`() throws {
        let limit = AdminInput.pushesLimit
        let most = Array(String(repeating: "[\n", count: limit).utf8)
        let payloads = try Payloads(linesOf: most)
        #expect(payloads.count == limit && payloads.allSatisfy { Array($0) == [0x5b] })
        #expect(throws: AdminProblem.self) { try Payloads(linesOf: most + [0x5b]) }
    }

    @Test func `A line costs its bytes and eight more`() throws {
        let body = Array(String(repeating: "[\n", count: 1_000).utf8)
        #expect(try Payloads(linesOf: body).byteCount == 10_000)
        #expect(Payloads(body).byteCount == 2_008)
    }

    @Test func `Texts are payloads one after the other`() {
        let payloads = Payloads(joining: [Array("{}".utf8), [], Array(#"{"a":1}"#.utf8)])
        #expect(payloads.texts == ["{}", "", #"{"a":1}"#])
    }
}
