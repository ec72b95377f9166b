import HTTPServing
import TestSupport
import Testing

@Suite("What a request says")
struct RequestTests {
    @Test func `A header is found in whichever case it is written`() {
        let request = HTTPRequest(
            method: "GET",
            path: "/",
            headers: [("authorization", "a"), ("AUTHORIZATION", "b"), ("X-A", "c")]
        )
        #expect(request.header("Authorization") == "a")
        #expect(request.header("x-a") == "c")
        #expect(request.header("X") == nil && request.header("X-AB") == nil)
    }

    @Test func `Escapes and headers arrive as they were sent`() throws {
        let server = try HTTPServer(
            ClosureHandler { request, responder in
                let lines = [
                    request.rawPath, request.header("x-one") ?? "none",
                    request.query("q") ?? "none",
                ]
                responder.send(.text(200, lines: lines))
            }
        )
        let client = TestClient(server.address)
        client.send("GET /a%2Fb%00/c?q=%41+%2B HTTP/1.1\r\nHost: a\r\nX-One: two\r\n\r\n")
        #expect(client.answer()?.body == "/a%2Fb%00/c\ntwo\nA +\n")
        client.send("GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.answer()?.body == "/%ff\nnone\nnone\n")
    }
}
