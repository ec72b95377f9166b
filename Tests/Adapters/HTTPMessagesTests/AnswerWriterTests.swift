import Basics
import Testing

@testable import HTTPMessages

/// Answers as bytes.
@Suite("Writing answers")
struct AnswerWriterTests {
    private func answer(to request: String, isLast: Bool = false) -> String {
        let reader = RequestReader()
        Array(request.utf8).withByteView { _ = reader.read($0) }
        var writer = AnswerWriter()
        var text = ""
        for status: UInt32 in [500, 202] {
            // The memory of the first answer is used again.
            writer.begin(status, date: HTTPDate(784_111_777), to: reader.head, isLast: isLast)
            writer.header("A", value: "b")
            writer.header(named: "C", text: "d")
            writer.end(Array("{}".utf8)) { text = $0.string }
        }
        return text
    }

    @Test func `An answer has a date, its headers and the length of its body`() {
        let lines = [
            "HTTP/1.1 202 Accepted", "Date: Sun, 06 Nov 1994 08:49:37 GMT", "A: b", "C: d",
            "Content-Length: 2", "", "{}",
        ]
        #expect(
            answer(to: "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n")
                == lines.joined(separator: "\r\n")
        )
    }

    @Test func `An answer without content states no length`() {
        let reader = RequestReader()
        Array("PUT / HTTP/1.1\r\nHost: r\r\n\r\n".utf8).withByteView { _ = reader.read($0) }
        var writer = AnswerWriter()
        var texts: [String] = []
        for status: UInt32 in [204, 200] {
            writer.begin(status, date: HTTPDate(0), to: reader.head, isLast: false)
            writer.end([]) { texts.append($0.string) }
        }
        #expect(texts[0].hasPrefix("HTTP/1.1 204 No Content\r\n"))
        #expect(!texts[0].contains("Content-Length") && texts[0].hasSuffix("GMT\r\n\r\n"))
        #expect(texts[1].hasSuffix("Content-Length: 0\r\n\r\n"))
    }

    @Test(arguments: [("GET", 200, true), ("HEAD", 200, false), ("GET", 304, false)])
    func `A body may follow in parts, or in chunks`(
        method: String,
        status: UInt32,
        hasBody: Bool
    ) {
        let reader = RequestReader()
        Array("\(method) / HTTP/1.1\r\nHost: r\r\n\r\n".utf8).withByteView { _ = reader.read($0) }
        var writer = AnswerWriter()
        var texts: [String] = []
        writer.begin(status, date: HTTPDate(0), to: reader.head, isLast: false)
        writer.endHead(bodyCount: 12) { texts.append($0.string) }
        #expect(writer.hasBody == hasBody)
        for isChunked in [true, false] {
            writer.begin(status, date: HTTPDate(0), to: reader.head, isLast: false)
            writer.endHead(isChunked: isChunked) { texts.append($0.string) }
        }
        #expect(texts[0].contains("\r\nContent-Length: 12\r\n\r\n") == (status == 200))
        #expect(texts[1].hasSuffix("\r\nTransfer-Encoding: chunked\r\n\r\n"))
        #expect(texts[2].hasSuffix("GMT\r\n\r\n"))
    }

    @Test func `HEAD gets the length and no body`() {
        #expect(answer(to: "HEAD / HTTP/1.1\r\n\r\n").hasSuffix("Content-Length: 2\r\n\r\n"))
    }

    @Test func `The client learns whether the connection is kept`() {
        let last = answer(to: "GET / HTTP/1.1\r\n\r\n", isLast: true)
        #expect(last.contains("\r\nConnection: close\r\n"))
        let old = answer(to: "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(old.contains("\r\nConnection: keep-alive\r\n"))
    }

    @Test(
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
            (4_102_444_800, "Fri, 01 Jan 2100 00:00:00 GMT"),
        ] as [(Int64, String)]
    )
    func `Dates are written as HTTP wants them`(_ second: Int64, _ text: String) {
        #expect(String(decoding: HTTPDate(second).text, as: UTF8.self) == text)
    }
}
