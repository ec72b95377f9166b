import HTTPServing
import TestSupport
import Testing

@Suite("What a request says")
struct RequestTests {
    @Test(
        arguments: [
            ("/", [""]), ("/a/b", ["a", "b"]), ("/a/", ["a", ""]),
            ("/a%2Fb/c%20d", ["a/b", "c d"]),
            ("/%C3%BC", ["ü"]), ("/%zz%4", ["%zz%4"]), ("/%00", ["\0"]), ("/%e2%82", nil),
            ("/%ff/a", nil), ("//", ["", ""]), ("", []), ("*", []),
        ] as [(String, [String]?)]
    )
    func `A path is cut at its slashes before it is decoded`(path: String, segments: [String]?) {
        #expect(HTTPRequest(method: "GET", path: path).segments == segments)
    }

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
                    request.rawPath, request.segments?.joined(separator: "|") ?? "none",
                    request.header("x-one") ?? "none", request.query("q") ?? "none",
                ]
                responder.send(.text(200, lines: lines))
            }
        )
        let client = TestClient(server.address)
        client.send("GET /a%2Fb%00/c?q=%41+%2B HTTP/1.1\r\nHost: a\r\nX-One: two\r\n\r\n")
        #expect(client.answer()?.body == "/a%2Fb%00/c\na/b\0|c\ntwo\nA +\n")
        client.send("GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.answer()?.body == "/%ff\nnone\nnone\nnone\n")
    }
}
