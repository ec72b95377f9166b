import HTTPServing
import RouterCore
import Synchronization
import Testing

@testable import AdminAPI

@Suite("What the admin server answers")
struct AdminResourcesTests {
    @Test(arguments: ["GET", "HEAD"])
    func `What is there is read`(method: String) {
        let stage = AdminStage(snapshot: AdminStage.ready { $0.counters.pushesAccepted = 7 })
        #expect(stage.ask(method, "/healthz").text == "ok\n")
        #expect(stage.ask(method, "/readyz").text == "ready\n")
        let metrics = stage.ask(method, "/metrics")
        #expect(metrics.status == 200)
        #expect(metrics.contentType == "text/plain; version=0.0.4; charset=utf-8")
        #expect(metrics.text.contains("\nreload_router_pushes_accepted_total 7\n"))
    }

    @Test func `Reasons are one a line`() {
        let answer = AdminStage(
            snapshot: AdminStage.ready {
                $0.isDraining = true
                $0.areInputsPaused = true
            }
        ).ask("GET", "/readyz")
        #expect(answer.status == 503)
        #expect(answer.text.split(separator: "\n").count == 2)
        #expect(answer.text.hasSuffix("\n"))
    }

    @Test func `Strangers learn of readiness a word, and operators the reasons`() {
        let open = AdminStage(
            snapshot: AdminStage.ready { $0.warnings = ["a: everybody may push"] },
            token: AdminStage.token
        )
        let draining = AdminStage(
            snapshot: AdminStage.ready { $0.isDraining = true },
            token: AdminStage.token
        )
        let bearer = [(name: "Authorization", value: "Bearer \(AdminStage.token)")]
        for headers in [[], [(name: "Authorization", value: "Bearer wrong-wrong-wrong")]] {
            #expect(open.ask("GET", "/readyz", headers: headers).text == "ready\n")
            let refused = draining.ask("GET", "/readyz", headers: headers)
            #expect(refused.status == 503 && refused.text == "not ready\n")
        }
        #expect(
            open.ask("GET", "/readyz", headers: bearer).text
                == "ready\nfor trials only: a: everybody may push\n"
        )
        let foreign = bearer + [(name: "Origin", value: "https://evil.example")]
        #expect(open.ask("GET", "/readyz", headers: foreign).text == "ready\n")
        #expect(
            draining.ask("GET", "/readyz", headers: bearer).text.hasPrefix("draining: no new")
        )
    }

    @Test func `While the store is loaded only health is reported`() {
        let stage = AdminStage(snapshot: StatusSnapshot())
        #expect(stage.ask("GET", "/healthz").status == 200)
        #expect(stage.ask("GET", "/readyz").text == "loading the store\n")
        for path in ["/metrics", "/v1/status"] {
            let refused = stage.ask("GET", path)
            #expect(refused.status == 503)
            #expect(refused.header("Retry-After") == "1")
            #expect(
                refused.text == """
                    {"type":"about:blank","title":"Service Unavailable","status":503,\
                    "detail":"loading the store","code":"loading"}

                    """
            )
        }
    }

    @Test(
        arguments: [
            "/healthz/", "/metrics/x", "/Healthz", "", "//", "/v1", "/v1/apps/", "/v1/apps/a/b",
            "/v2/status", "/assets/", "/%ff", "/v1/apps/a/devices/b/c", "*",
        ]
    )
    func `Anything else is not found`(path: String) {
        for method in ["GET", "POST", "BREW"] {
            let answer = AdminStage().ask(method, path.isEmpty ? "x" : path)
            let isIdentifier = path == "/v1/apps/" || path == "/assets/"
            #expect(answer.status == (isIdentifier ? answer.status : 404), "\(method) \(path)")
            #expect(answer.contentType == "application/problem+json")
        }
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "get", "BREW", ""])
    func `What is read cannot be written`(method: String) {
        for path in ["/healthz", "/readyz", "/metrics", "/", "/v1/status", "/v1/apps/a"] {
            let answer = AdminStage().ask(method, path)
            #expect(answer.status == 405 && answer.code == "method-not-allowed")
            #expect(answer.header("Allow") == "GET, HEAD")
        }
    }

    @Test func `A path with several methods names all of them`() {
        let answer = AdminStage().ask("POST", "/v1/log-level")
        #expect(answer.status == 405 && answer.header("Allow") == "GET, HEAD, PUT")
        #expect(AdminStage().ask("GET", "/v1/drain").header("Allow") == "POST")
        #expect(AdminStage().ask("HEAD", "/v1/events").header("Allow") == "GET")
    }

    @Test func `What the loop answers is sent as JSON with a line end`() {
        let stage = AdminStage(port: FakePort { _ in .body(status: 202, Echo()) })
        let answer = stage.ask("POST", "/v1/drain")
        #expect(answer.status == 202 && answer.text == "{\"echo\":true}\n")
        #expect(answer.contentType == "application/json")
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(answer.header("X-Content-Type-Options") == "nosniff")
    }

    @Test func `What the loop refuses is a problem, whatever its words`() {
        let problem = AdminProblem(409, code: "conflict", detail: "\"\\ ü\n")
        let stage = AdminStage(port: FakePort { _ in .problem(problem) })
        #expect(
            stage.ask("POST", "/v1/drain").text == """
                {"type":"about:blank","title":"Conflict","status":409,\
                "detail":"\\"\\\\ ü\\n","code":"conflict"}

                """
        )
    }

    @Test func `A body that is too large or has no room is refused`() {
        let stage = AdminStage()
        for method in ["GET", "PUT"] {
            let large = stage.ask(method, "/v1/app-file", .tooLarge)
            #expect(large.status == 413 && large.code == "body-too-large")
            let full = stage.ask(method, "/v1/app-file", .noRoom)
            #expect(full.status == 503 && full.code == "busy")
            #expect(full.header("Retry-After") == "1")
        }
        #expect(stage.port.take() == [])
    }

    @Test func `Bodies are read up to 8 MiB, and not at all for what is refused anyway`() {
        let stage = AdminStage(token: AdminStage.token)
        let token = [("Authorization", "Bearer \(AdminStage.token)")]
        func limit(_ method: String, _ path: String, _ headers: [(String, String)]) -> Int? {
            stage.resources.bodyLimit(
                of: HTTPRequest(method: method, path: path, headers: headers)
            )
        }
        #expect(limit("PUT", "/v1/app-file", token) == 8 << 20)
        #expect(limit("PUT", "/v1/app-file", []) == 0)
        #expect(limit("POST", "/v1/app-file", token) == 0)
        #expect(limit("PUT", "/v1/none", token) == 0)
    }

    // MARK: - Request ids

    @Test func `A request keeps its id, or gets one of its own`() {
        let stage = AdminStage()
        for id in ["a", "A-1_b.c", String(repeating: "x", count: 64)] {
            let answer = stage.ask("GET", "/healthz", headers: [("x-request-id", id)])
            #expect(answer.header("X-Request-Id") == id)
        }
        var made: Set<String> = []
        for id in ["", "a b", "a\u{7f}", "ü", "a\"", String(repeating: "x", count: 65), nil] {
            let headers = id.map { [("X-Request-Id", $0)] } ?? []
            let answer = stage.ask("GET", "/none", headers: headers)
            made.insert(answer.header("X-Request-Id") ?? "")
        }
        #expect(made == Set((1...7).map { "lfls-\($0)" }))
    }

    private func answered(
        _ id: String,
        _ method: String,
        _ route: String,
        _ status: UInt32,
        isCommand: Bool = false
    ) -> AnsweredRequest {
        AnsweredRequest(
            id: id,
            method: method,
            route: route,
            isCommand: isCommand,
            status: status
        )
    }

    @Test func `Operators' commands are reported from what programs ask for`() {
        let reported = Reported()
        let stage = AdminStage { settings in settings.onAnswer = { reported.put($0) } }
        for (method, path) in [
            ("POST", "/v1/drain"), ("POST", "/v1/apps/a/pause"), ("POST", "/v1/slots"),
            ("POST", "/v1/pushes"), ("GET", "/v1/log-level"), ("PUT", "/v1/log-level"),
        ] {
            _ = stage.ask(method, path)
        }
        #expect(reported.list.map(\.isCommand) == [true, true, false, false, false, true])
    }

    @Test func `Each answer is reported and counted by its route`() {
        let reported = Reported()
        let stage = AdminStage { settings in settings.onAnswer = { reported.put($0) } }
        _ = stage.ask("GET", "/v1/apps/a%20b", headers: [("X-Request-Id", "r1")])
        _ = stage.ask("GET", "/v1/apps/%22", headers: [("X-Request-Id", "r2")])
        _ = stage.ask("BREW", "/secret", headers: [("X-Request-Id", "r3")])
        _ = stage.ask("GET", "/v1/apps?secret", headers: [("X-Request-Id", "r4")])
        #expect(
            reported.list == [
                answered("r1", "GET", "/v1/apps/{app}", 200),
                answered("r2", "GET", "/v1/apps/{app}", 400),
                answered("r3", "(other)", "(none)", 404),
                answered("r4", "GET", "/v1/apps", 400),
            ]
        )
        let metrics = stage.ask("GET", "/metrics").text
        let expected = """
            # HELP reload_router_admin_requests_total Requests to the admin server, by route and \
            status.
            # TYPE reload_router_admin_requests_total counter
            reload_router_admin_requests_total{route="(none)",status="404"} 1
            reload_router_admin_requests_total{route="/v1/apps",status="400"} 1
            reload_router_admin_requests_total{route="/v1/apps/{app}",status="200"} 1
            reload_router_admin_requests_total{route="/v1/apps/{app}",status="400"} 1
            # HELP reload_router_admin_connections_displaced_total
            """
        #expect(metrics.contains(expected))
    }

    private final class Reported: Sendable {
        private let answers = Mutex<[AnsweredRequest]>([])
        var list: [AnsweredRequest] { answers.withLock { $0 } }
        func put(_ answered: AnsweredRequest) { answers.withLock { $0.append(answered) } }
    }

    // MARK: - Files

    @Test func `Files are sent with a tag, and not again to a client that has them`() throws {
        func file(_ type: String, _ text: String) -> StaticFile {
            StaticFile(contentType: "text/" + type, bytes: Array(text.utf8), policy: policy)
        }
        let policy = "default-src 'self'"
        let stage = AdminStage { settings in
            settings.files = StaticFiles(
                page: file("html; charset=utf-8", "<p>"),
                assets: ["page.js": file("javascript", "1"), "other.js": file("javascript", "2")]
            )
        }
        let page = stage.ask("GET", "/?x=y")
        #expect(page.status == 200 && page.text == "<p>")
        #expect(page.contentType == "text/html; charset=utf-8")
        #expect(page.header("Content-Security-Policy") == policy)
        let tag = try #require(page.header("ETag"))
        for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
            let again = stage.ask("GET", "/", headers: [("If-None-Match", known)])
            #expect(again.status == 304 && again.body == [] && again.header("ETag") == tag)
            #expect(again.header("Cache-Control") == "no-cache")
        }
        #expect(stage.ask("GET", "/", headers: [("If-None-Match", "\"x\"")]).status == 200)
        let tags = ["page.js", "other.js"].map { stage.ask("GET", "/assets/\($0)").header("ETag") }
        #expect(Set(tags + [tag]).count == 3)
        for path in ["/assets/none.js", "/assets/..%2Fpage.js", "/assets/page.js%00"] {
            #expect(stage.ask("GET", path).status == 404)
        }
        #expect(AdminStage().ask("GET", "/").code == "not-found")
    }

    @Test func `The document is served as it lies in protocol`() {
        let answer = AdminStage().ask("GET", "/openapi.json")
        #expect(answer.contentType == "application/json")
        #expect(answer.text.contains("\"openapi\": \"3.1.0\""))
    }
}
