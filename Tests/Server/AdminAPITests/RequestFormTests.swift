import Basics
import HTTPMessages
import HTTPServing
import TestSupport
import Testing

@testable import AdminAPI

/// Requests as the standards allow them, and as they do not: at the listener for publishers and at
/// the admin server.
@Suite("Requests by the letter of the standards")
struct RequestFormTests {
    private let publishers = PublishingTests()

    @Test func `Kinds in several headers are one list`() throws {
        let asked = try publishers.ask(
            headers: [("Reload-Kinds", "a"), ("X", "y"), ("reload-kinds", "b, c")]
        ).asked
        #expect(asked.first?.kinds == KindNames.encode(["a", "b", "c"]))
    }

    @Test(arguments: [
        "Idempotency-Key", "Reload-Void-At", "Reload-Outcomes", "Content-Type", "Authorization",
        "ce-id", "CE-Subject", "ce-anything",
    ])
    func `A header that says one thing is ambiguous if it is there twice`(_ name: String) throws {
        let value = name == "Authorization" ? "Bearer right" : "1"
        let (response, asked) = try publishers.ask(
            headers: [(name, value), (name.lowercased(), value)],
            token: name == "Authorization" ? nil : "right"
        )
        #expect(response.status == 400 && asked.isEmpty)
        #expect(publishers.code(response) == "header-ambiguous")
        #expect(response.text.contains("\(name.lowercased()) is there more than once"))
        let stage = AdminStage()
        let answer = stage.ask(
            "POST",
            "/v1/pushes?app=a",
            .whole([0x7b, 0x7d]),
            headers: [(name, value), (name, value)]
        )
        #expect(answer.status == 400 && answer.text.contains("header-ambiguous"), "\(answer.text)")
        #expect(stage.port.take() == [])
    }

    @Test(arguments: ["Bearer right", "bearer  right", "BEARER    right"])
    func `A scheme and a token are separated by one blank or more`(_ value: String) throws {
        let asked = try publishers.ask(headers: [("Authorization", value)], token: nil).asked
        #expect(asked.count == 1)
        for wrong in ["Bearer", "Bearer ", "Bearer\tright", "Bearerright"] {
            let refused = try publishers.ask(headers: [("Authorization", wrong)], token: nil)
            #expect(refused.response.status == 401 && refused.asked.isEmpty, "\(wrong)")
        }
    }

    @Test(arguments: ["gzip", "GZIP", "identity, br", "deflate"])
    func `A compressed body is refused by what it is`(_ coding: String) throws {
        for type in ["application/json", "application/x-ndjson", "application/cloudevents+json"] {
            let (response, asked) = try publishers.ask(
                headers: [("Content-Encoding", coding), ("Content-Type", type)]
            )
            #expect(response.status == 415 && asked.isEmpty)
            #expect(publishers.code(response) == "content-encoding")
            #expect(response.header("Accept-Encoding") == "identity")
        }
        // A stranger learns nothing by it.
        let headers = [("Content-Encoding", coding)]
        #expect(try publishers.ask(headers: headers, token: nil).response.status == 401)
        let stage = AdminStage()
        let answer = stage.ask(
            "POST",
            "/v1/pushes?app=a",
            .whole([0x7b, 0x7d]),
            headers: headers
        )
        #expect(answer.status == 415 && answer.header("Accept-Encoding") == "identity")
        #expect(stage.port.take() == [])
    }

    @Test func `A body that says it is not compressed is read`() throws {
        for coding in ["identity", "Identity", ""] {
            let asked = try publishers.ask(headers: [("Content-Encoding", coding)]).asked
            #expect(asked.count == 1)
        }
    }

    @Test(
        arguments: [
            ("/", "/", []), ("/a/{x}", "/a/b", ["b"]), ("/a/{x}", "/%61/b", ["b"]),
            ("/a/{x}", "/a/", [""]), ("/{x}/{y}", "//", ["", ""]),
            ("/{x}/{y}", "/a%2Fb/c%20d", ["a/b", "c d"]), ("/{x}", "/%C3%BC", ["ü"]),
            ("/{x}", "/%zz%4", ["%zz%4"]), ("/{x}", "/%00", ["\0"]), ("/{x}", "/%e2%82", nil),
            ("/{x}/a", "/%ff/a", nil), ("/{x}", "/a/", nil), ("/a", "/a/", nil), ("/", "//", nil),
            ("/", "", nil), ("/", "*", nil), ("/{x}", "a", nil),
        ] as [(String, String, [String]?)]
    )
    func `A path is cut at its slashes before it is decoded`(
        pattern: String,
        path: String,
        names: [String]?
    ) {
        #expect(path.withByteView { PathPattern(pattern).names(in: $0) } == names)
    }

    @Test func `A path says which methods it accepts`() throws {
        for (path, allowed) in [
            ("/v1/apps/game/pushes", "GET, HEAD, POST, OPTIONS"),
            ("/openapi.json", "GET, HEAD, OPTIONS"),
            ("/v1/apps/game/devices/d/widgets", "PUT, OPTIONS"),
            ("*", "GET, HEAD, POST, PUT, OPTIONS"),
        ] {
            let response = try publishers.ask(path: path, method: "OPTIONS", token: nil).response
            #expect(response.status == 204 && response.header("Allow") == allowed)
            #expect(response.header("WebHook-Allowed-Origin") == nil)
        }
        #expect(try publishers.ask(path: "/", method: "OPTIONS").response.status == 404)
    }

    @Test func `An origin that may send events is answered that it may`() throws {
        let origin = ("WebHook-Request-Origin", "eventgrid.azure.net")
        let allowed = try publishers.ask(method: "OPTIONS", headers: [origin], token: nil).response
        #expect(allowed.status == 200 && allowed.body.isEmpty)
        #expect(allowed.header("WebHook-Allowed-Origin") == "eventgrid.azure.net")
        #expect(allowed.header("WebHook-Allowed-Rate") == nil)
        #expect(allowed.header("Allow") == "GET, HEAD, POST, OPTIONS")
        let rate = [origin, ("WebHook-Request-Rate", "120")]
        let rated = try publishers.ask(method: "OPTIONS", headers: rate, token: nil).response
        #expect(rated.header("WebHook-Allowed-Rate") == "*")
    }

    @Test func `Other origins than those of the setting may not`() throws {
        let some = try #require(WebHookOrigins(["EventGrid.azure.net", "b"]))
        for (origin, isAllowed) in [("eventgrid.azure.net", true), ("B", true), ("c", false)] {
            let response = try publishers.ask(
                method: "OPTIONS",
                headers: [("WebHook-Request-Origin", origin)],
                origins: some
            ).response
            #expect(response.status == (isAllowed ? 200 : 403))
            #expect(response.header("WebHook-Allowed-Origin") == (isAllowed ? origin : nil))
        }
        #expect(WebHookOrigins(["a b"]) == nil && WebHookOrigins([""]) == nil)
        #expect(WebHookOrigins(["a", "*"]) == .all)
    }

    @Test(arguments: [
        ("reply", true), ("return=minimal", true), ("wait=3, Return=Minimal ;foo", true),
        ("return=representation", false), ("replying", false),
    ])
    func `A client that wants no body gets none, unless it is a problem`(
        _ preference: String,
        _ isMinimal: Bool
    ) throws {
        let headers = [("Prefer", preference)]
        let response = try publishers.ask(headers: headers).response
        #expect(response.status == 202 && response.body.isEmpty == isMinimal)
        #expect((response.header("Content-Type") == nil) == isMinimal)
        let problem = PublishAnswer.problem(AdminProblem(503, code: "busy", detail: "later"))
        #expect(try !publishers.ask(headers: headers, reply: problem).response.body.isEmpty)
    }

    @Test func `Lines of which all are refused are a problem that lists them`() throws {
        var refused = RefusedLines()
        refused.add(2) { ("frame-length", "too long") }
        refused.add(1) { ("payload-not-json", "no JSON") }
        let body = PushesBody(
            accepted: 0,
            matched: 0,
            lastSeq: 7,
            refused: refused,
            outcome: PushesOutcome()
        )
        let response = try publishers.ask(reply: PublishAnswer(body)).response
        #expect(response.status == 422 && publishers.code(response) == "payload-not-json")
        #expect(
            response.text.contains(
                #""rejected":[{"line":1,"code":"payload-not-json","detail":"no JSON"},"#
            )
        )
        let own = HTTPResponse(AdminAnswer(body))
        #expect(own.status == 422 && own.text.contains(#""lastSeq":7"#))
    }

    @Test(arguments: [
        ("{}\n{}", 2), ("{}\n{}\n", 2), ("{}\r\n{}\r\n\r\n", 2), ("{}\n \t\n\n", 1),
        ("{}\n\n{}\n", 3), ("\n{}", 2),
    ])
    func `Blank lines at the end are no pushes`(_ body: String, _ count: Int) throws {
        #expect(try Payloads(linesOf: Array(body.utf8)).count == count)
    }

    @Test(
        arguments: [
            (RequestFailure.malformed, "request-invalid"), (.host, "request-invalid"),
            (.version, "request-invalid"), (.transferCoding, "request-invalid"),
            (.targetTooLong, "head-too-large"), (.headTooLong, "head-too-large"),
            (.late, "request-timeout"),
        ]
    )
    func `What is no request is refused by both servers in one form`(
        _ failure: RequestFailure,
        _ code: String
    ) throws {
        let own = AdminStage().resources.response(to: failure)
        #expect(own.status == failure.status && publishers.code(own) == code)
        #expect(own.contentType == "application/problem+json")
        #expect(own.header("X-Request-Id")?.isEmpty == false)
        guard case .problem(let problem) = PublishAnswer(failure) else {
            Issue.record("\(failure) is no problem")
            return
        }
        #expect(HTTPResponse(problem).body == own.body)
    }

    @Test func `A body of blank lines is empty`() throws {
        let type = [("Content-Type", "application/x-ndjson")]
        let (response, asked) = try publishers.ask("\n \r\n", headers: type)
        #expect(response.status == 400 && publishers.code(response) == "body-invalid")
        #expect(asked.isEmpty)
    }
}
