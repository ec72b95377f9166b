import Basics
import Testing

@testable import HTTPMessages

@Suite("An answer over HTTP")
struct AnswerReaderTests {
    static let answers: [(text: String, status: Int, body: String)] = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, "hello"),
        ("HTTP/1.1 204 No Content\r\n\r\n", 204, ""),
        ("HTTP/1.1 409 Conflict\r\ncontent-length:2\r\nX: y\r\n\r\n{}", 409, "{}"),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n",
            200, "hello"
        ),
        (
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", 200,
            "x"
        ),
    ]

    private func read(_ text: String, to reader: AnswerReader) throws {
        try Array(text.utf8).withByteView { try reader.read($0) }
    }

    @Test("is the same in whatever two pieces it comes", arguments: answers)
    func pieces(text: String, status: Int, body: String) throws {
        for cut in 0...text.utf8.count {
            let reader = AnswerReader(bodyLimit: 5)
            let bytes = Array(text.utf8)
            for piece in [bytes[..<cut], bytes[cut...]] where !piece.isEmpty {
                #expect(reader.answer == nil)
                try Array(piece).withByteView { try reader.read($0) }
            }
            #expect(reader.answer == HTTPAnswer(status: status, body: Array(body.utf8)))
        }
    }

    @Test("without a length ends with its connection")
    func endless() throws {
        let reader = AnswerReader(bodyLimit: 100)
        try read("HTTP/1.1 200 OK\r\n\r\nall of it", to: reader)
        #expect(reader.answer == nil)
        try reader.read(.empty)
        #expect(reader.answer?.body == Array("all of it".utf8))
    }

    @Test("has no more bytes than it may")
    func limit() throws {
        let reader = AnswerReader(bodyLimit: 4)
        #expect(throws: AnswerProblem.tooLarge) {
            try read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", to: reader)
        }
    }

    @Test(
        "that is none is refused with what is wrong with it",
        arguments: [
            "220 mail.example ESMTP\r\n", "HTTP/1.1 two hundred\r\n", "\0\0\0\u{10}\u{1}",
            "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        ]
    )
    func broken(text: String) throws {
        let reader = AnswerReader(bodyLimit: 100)
        let error = try #require(throws: AnswerProblem.self) { try read(text, to: reader) }
        guard case .invalid(let reason) = error else { return #expect(error == .invalid("")) }
        #expect(reason.hasPrefix("invalid"))
        #expect(reader.answer == nil)
    }

    @Test("that is cut off is refused when its connection ends")
    func cutOff() throws {
        let reader = AnswerReader(bodyLimit: 100)
        try read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", to: reader)
        #expect(throws: AnswerProblem.self) { try reader.read(.empty) }
    }
}
