import Basics
import Testing

@testable import HTTPMessages

/// Requests as bytes, in whatever pieces they come.
@Suite("Reading requests")
struct RequestReaderTests {
    /// Requests that are read one after the other, with what is special about each.
    private static let stream = """
        POST /v1/apps/g/pushes?producer=a%20b&seq=1 HTTP/1.1\r
        Host: router\r
        AUTHORIZATION: Bearer t \r
        Content-Length: 7\r
        \r
        {"a":1}\r
        GET /openapi.json HTTP/1.1\r
        Host: router\r
        Empty:\r
        \r
        POST /chunks HTTP/1.1\r
        Host: router\r
        Transfer-Encoding: chunked\r
        \r
        4;name=value\r
        abcd\r
        3\r
        efg\r
        0\r
        Trailer: x\r
        \r
        HEAD / HTTP/1.0\r
        Connection: keep-alive\r
        \r
        PUT /x HTTP/1.1
        Host: router
        Expect: 100-continue
        Content-Length: 2

        okDELETE /last HTTP/1.1\r
        Host: router\r
        Connection: close\r
        Upgrade: h2c\r
        \r

        """

    @Test func `Requests on one connection are read one after the other`() {
        let requests = RequestTranscript([Array(Self.stream.utf8)]).requests
        #expect(
            requests == [
                "POST /v1/apps/g/pushes query producer=a b, seq=1 [AUTHORIZATION=Bearer t] {\"a\":1}",
                "GET /openapi.json query  [] ",
                "POST /chunks query  [] abcdefg",
                "HEAD / query  [] ",
                "PUT /x query  [] ok expects",
                "other /last query  [] ends",
            ]
        )
    }

    @Test func `Requests are the same wherever their bytes are cut`() {
        let bytes = Array(Self.stream.utf8)
        let whole = RequestTranscript([bytes])
        for cut in bytes.indices {
            let parts = RequestTranscript([Array(bytes[..<cut]), Array(bytes[cut...])])
            #expect(parts == whole, "cut at \(cut)")
        }
        #expect(RequestTranscript(bytes.map { [$0] }) == whole)
    }

    @Test(arguments: [
        (
            "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            RequestFailure.malformed
        ),
        ("GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nA: b\r\n folded\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nA b: c\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nA\u{0}: c\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\rX\r\n\r\n", .malformed),
        ("GET /a b HTTP/1.1\r\n\r\n", .malformed),
        ("\u{16}\u{3}\u{1} GET\r\n\r\n", .malformed),
        ("hello\r\n\r\n", .malformed), (" GET / HTTP/1.1\r\n\r\n", .malformed),
        ("PRI * HTTP/2.0\r\n\r\n", .version),
        ("GET / HTTP/2.0\r\n\r\n", .version),
        ("GET / HTTP/one\r\n\r\n", .version),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", .malformed),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .transferCoding),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: identity,\tChunked\r\n\r\n", .transferCoding),
        (
            "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n",
            .transferCoding
        ),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked, gzip\r\n\r\n", .malformed),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked, chunked\r\n\r\n", .malformed),
        ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", .malformed),
        ("POST / HTTP/1.0\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .malformed),
        (
            "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\nContent-Length: 3\r\n\r\n",
            .malformed
        ),
        ("GET http:///a HTTP/1.1\r\nHost: r\r\n\r\n", .malformed),
        ("GET http://:80/a HTTP/1.1\r\nHost: r\r\n\r\n", .malformed),
        ("GET http://user@router/a HTTP/1.1\r\nHost: r\r\n\r\n", .malformed),
        ("GET ftp://router/a HTTP/1.1\r\nHost: r\r\n\r\n", .malformed),
        ("GET * HTTP/1.1\r\nHost: r\r\n\r\n", .malformed),
        ("QUERY * HTTP/1.1\r\nHost: r\r\n\r\n", .malformed),
        ("OPTIONS *?a HTTP/1.1\r\nHost: r\r\n\r\n", .malformed),
    ])
    func `What is no request, or an ambiguous one, is refused`(
        _ text: String,
        _ failure: RequestFailure
    ) {
        let bytes = Array(text.utf8)
        #expect(RequestTranscript([bytes]).failure == failure)
        #expect(RequestTranscript(bytes.map { [$0] }).failure == failure)
    }

    @Test(arguments: ["M", "QUERY", "CONNECT", "get", "A-LONG.method_WITH-other~LETTERS"])
    func `Any method is read, with any target`(_ method: String) {
        let bytes = Array("\(method) /a?b=c HTTP/1.1\r\nHost: r\r\n\r\n".utf8)
        for pieces in [[bytes], bytes.map { [$0] }] {
            #expect(RequestTranscript(pieces).requests == ["other /a query b=c [] "])
        }
    }

    @Test func `PUT is read as it is, also after another method`() {
        let text = "PATCH /a HTTP/1.1\r\nHost: r\r\n\r\n" + "PUT /a HTTP/1.1\r\nHost: r\r\n\r\n"
        let bytes = Array(text.utf8)
        for pieces in [[bytes], bytes.map { [$0] }] {
            #expect(
                RequestTranscript(pieces).requests == ["other /a query  [] ", "PUT /a query  [] "]
            )
        }
    }

    @Test(arguments: [
        ("http://router:80/a/b?c=d", "/a/b", "c=d", "router:80"),
        ("HTTPS://Router/a", "/a", "", "Router"),
        ("http://[::1]:7/", "/", "", "[::1]:7"),
        ("http://router", "/", "", "router"),
        ("http://router?c=d", "/", "c=d", "router"),
        ("/a?http://router/", "/a", "http://router/", "other"),
    ])
    func `A target in absolute form names the host`(
        _ target: String,
        _ path: String,
        _ query: String,
        _ host: String
    ) {
        let bytes = Array("POST \(target) HTTP/1.1\r\nHost: other\r\n\r\n".utf8)
        for pieces in [[bytes], bytes.map { [$0] }] {
            let reader = RequestReader()
            var kept: [UInt8] = []
            for piece in pieces {
                kept += piece
                kept.withByteView { _ = reader.read($0) }
            }
            let head = reader.head
            #expect(head.path.string == path && head.query.string == query)
            #expect(head.host?.string == host && head.hasValidHost)
        }
    }

    @Test(arguments: [
        ("Host: router", true), ("Host: [::1]:80", true), ("Host: 127.0.0.1:", true),
        ("Host:", true), ("Host: a_b.c-d%20", true),
        ("X: y", false), ("Host: a\r\nhost: a", false), ("Host: a b", false),
        ("Host: a:b", false), ("Host: user@a", false), ("Host: a/b", false), ("Host: [::1", false),
        ("Host: []", false), ("Host: [::1]a", false),
    ])
    func `One header names the host in the way that a URI does`(_ line: String, _ isValid: Bool) {
        let reader = RequestReader()
        Array("GET / HTTP/1.1\r\n\(line)\r\n\r\n".utf8).withByteView { _ = reader.read($0) }
        #expect(reader.head.hasValidHost == isValid)
    }

    @Test(arguments: [
        ("HTTP/1.1", "100-continue", true), ("HTTP/1.1", "100-Continue", true),
        ("HTTP/1.1", "another", false), ("HTTP/1.0", "100-continue", false),
    ])
    func `A client of this version may wait for permission`(
        _ version: String,
        _ value: String,
        _ expects: Bool
    ) {
        let reader = RequestReader()
        let text = "POST / \(version)\r\nHost: r\r\nExpect: \(value)\r\nContent-Length: 1\r\n\r\n"
        Array(text.utf8).withByteView { _ = reader.read($0) }
        #expect(reader.head.expectsContinue == expects)
    }

    @Test func `Headers of one name are a list, and are found to be several`() {
        let reader = RequestReader()
        let text = "GET / HTTP/1.1\r\nA: 1\r\nBC: 2\r\na: 3, 4\r\nCB: 5\r\nA:\r\n\r\n"
        Array(text.utf8).withByteView { _ = reader.read($0) }
        #expect(reader.head.headers(named: "a") == ["1", "3, 4", ""])
        #expect(reader.head.repeatedNames == ["a", "A"])
    }

    @Test func `Heads beyond the limits are refused, whole or not`() {
        var limits = RequestLimits()
        limits.headBytes = 100
        limits.targetBytes = 20
        limits.fields = 3
        let long = String(repeating: "a", count: 200)
        let many = "GET / HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 4) + "\r\n"
        for (text, failure) in [
            ("GET /\(long)", RequestFailure.targetTooLong),
            ("GET /a?\(long.prefix(18)) HTTP/1.1\r\n\r\n", .targetTooLong),
            ("GET / HTTP/1.1\r\nA: \(long)", .headTooLong),
            ("GET / HTTP/1.1\r\nA: \(long)\r\n\r\n", .headTooLong), (many, .headTooLong),
        ] {
            let bytes = Array(text.utf8)
            #expect(RequestTranscript([bytes], limits: limits).failure == failure)
            #expect(RequestTranscript(bytes.map { [$0] }, limits: limits).failure == failure)
        }
        let few =
            "GET /a?\(long.prefix(17)) HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 3)
            + "\r\n"
        #expect(RequestTranscript([Array(few.utf8)], limits: limits).requests.count == 1)
    }

    @Test func `No more arguments are decoded than asked for`() {
        let reader = RequestReader()
        Array("GET /?a=1&&b=2&c HTTP/1.1\r\nHost: r\r\n\r\n".utf8).withByteView {
            _ = reader.read($0)
        }
        for (most, names) in [(0, ""), (2, "ab"), (3, "abc"), (9, "abc")] {
            var found = ""
            let isAll = reader.head.visitArguments(most) { name, _ in
                found += String(decoding: name, as: UTF8.self)
            }
            #expect(found == names && isAll == (most >= 3))
        }
    }

    @Test func `Bytes of an unfinished head stay with the caller, and those of a body do not`() {
        let reader = RequestReader()
        let head = Array("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n".utf8)
        head.dropLast().array.withByteView { bytes in
            let (used, event) = reader.read(bytes)
            guard case .incomplete = event else { return fail("\(event)") }
            #expect(used == 0)
        }
        (head + [0x61]).withByteView { bytes in
            let (used, event) = reader.read(bytes)
            guard case .head = event else { return fail("\(event)") }
            #expect(used == head.count && reader.head.bodyCount == 5)
            let (rest, piece) = reader.read(bytes.slice(used, to: bytes.count))
            guard case .piece(let view) = piece else { return fail("\(piece)") }
            #expect(rest == 1 && view.array == [0x61])
        }
    }

    @Test func `A header is erased on request, and the others stay`() {
        let reader = RequestReader()
        Array("GET / HTTP/1.1\r\nA: secret\r\nB: c\r\n\r\n".utf8).withByteView {
            _ = reader.read($0)
        }
        reader.head.eraseValue("a")
        #expect(reader.head.header("A")?.array == [0, 0, 0, 0, 0, 0])
        #expect(reader.head.header(named: "b")?.string == "c")
    }

    @Test func `A head has its method and all headers, until its text is erased`() {
        let reader = RequestReader()
        let text = "BREW /a?b=c&d HTTP/1.0\r\nOne: 1\r\none: 2\r\nContent-Length: 4\r\n\r\n"
        Array(text.utf8).withByteView { _ = reader.read($0) }
        let head = reader.head
        var found: [String] = []
        head.visitHeaders { found.append("\($0.string)=\($1.string)") }
        head.visitArguments { name, value in
            found.append(String(decoding: name + [0x3d] + value, as: UTF8.self))
        }
        #expect(found == ["One=1", "one=2", "Content-Length=4", "b=c", "d="])
        head.eraseText()
        #expect(head.header("One") == nil && head.path.count == 0 && head.query.count == 0)
        head.visitHeaders { _, _ in Issue.record("a header is left") }
        #expect(head.methodName == "BREW" && head.bodyCount == 4 && head.isOld)
        for method in ["GET", "HEAD", "POST", "PUT"] {
            let reader = RequestReader()
            Array("\(method) / HTTP/1.1\r\n\r\n".utf8).withByteView { _ = reader.read($0) }
            #expect(reader.head.methodName == method)
        }
    }

    private func fail(_ message: String) { Issue.record("\(message)") }
}

extension ArraySlice<UInt8> {
    fileprivate var array: [UInt8] { Array(self) }
}
