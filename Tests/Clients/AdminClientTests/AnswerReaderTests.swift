import Basics
import Testing

@testable import AdminClient

@Suite("An answer of an admin server")
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
            #expect(reader.answer == AdminReply(status: status, body: Array(body.utf8)))
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
        #expect(throws: AdminClientError.tooLarge) {
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
        let error = try #require(throws: AdminClientError.self) { try read(text, to: reader) }
        #expect(error.description.hasPrefix("what answers is not an admin server: invalid"))
        #expect(reader.answer == nil)
    }

    @Test("that is cut off is refused when its connection ends")
    func cutOff() throws {
        let reader = AnswerReader(bodyLimit: 100)
        try read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", to: reader)
        #expect(throws: AdminClientError.self) { try reader.read(.empty) }
    }

    @Test("A question says its length, and that it is the only one")
    func question() {
        let plain = AdminQuestion("/v1/status", headers: ["Authorization: Bearer x"])
        #expect(
            String(decoding: plain.request(to: "[::1]:7411"), as: UTF8.self)
                == "GET /v1/status HTTP/1.1\r\nHost: [::1]:7411\r\nConnection: close\r\n"
                + "Authorization: Bearer x\r\n\r\n"
        )
        let posted = AdminQuestion("/v1/explain", body: Array("{}".utf8))
        #expect(
            String(decoding: posted.request(to: "a:80"), as: UTF8.self)
                == "POST /v1/explain HTTP/1.1\r\nHost: a:80\r\nConnection: close\r\n"
                + "Content-Length: 2\r\n\r\n{}"
        )
        let removal = AdminQuestion("/v1/apps/a/devices/d", method: "DELETE")
        #expect(
            String(decoding: removal.request(to: "a:80"), as: UTF8.self)
                == "DELETE /v1/apps/a/devices/d HTTP/1.1\r\nHost: a:80\r\nConnection: close\r\n\r\n"
        )
    }
}
