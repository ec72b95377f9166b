import Basics
import Testing

@testable import HTTPMessages

@Suite("Misuse of RequestReader RequestHead")
struct RequestMisuse {
    private func read(_ text: String, with reader: RequestReader) -> RequestReader.Event {
        Array(text.utf8).withByteView { reader.read($0).event }
    }

    @Test("it can be read to after a failure, and reports the failure again")
    func afterFailure() {
        let reader = RequestReader()
        for text in ["no request\r\n\r\n", "", "GET / HTTP/1.1\r\n\r\n"] {
            guard case .failed = read(text, with: reader) else {
                Issue.record("\(text) is read")
                continue
            }
            #expect(reader.head.path.count == 0 && reader.head.header("Host") == nil)
        }
    }

    @Test("what follows a request is not read before the next one is asked for")
    func afterEnd() {
        let reader = RequestReader()
        _ = read("GET /a HTTP/1.1\r\n\r\n", with: reader)
        for text in ["", "GET /b HTTP/1.1\r\n\r\n"] {
            guard case .end = read(text, with: reader) else {
                Issue.record("\(text) is read")
                continue
            }
            #expect(reader.head.path.string == "/a")
        }
    }

    @Test("bytes that were not used may be others the next time")
    func otherBytes() {
        let reader = RequestReader()
        _ = read("GET /a HTTP/1.1\r\nHost: a\r\n", with: reader)
        _ = read("", with: reader)
        _ = read("\n", with: reader)
        guard case .head = read("GET /b HTTP/1.1\r\n\r\n", with: reader) else {
            Issue.record("it is not read")
            return
        }
        #expect(reader.head.path.string == "/b")
    }

    @Test("a head that is erased or replaced has no headers of the one before")
    func erased() {
        let reader = RequestReader()
        _ = read("GET /a HTTP/1.1\r\nHost: a\r\n\r\n", with: reader)
        reader.close()
        reader.head.eraseValue("Host")
        #expect(reader.head.header("Host") == nil && reader.head.query.count == 0)
        var arguments = 0
        _ = reader.head.visitArguments(.max) { _, _ in arguments += 1 }
        #expect(arguments == 0)
    }
}
