import HTTPServing
import RouterCore
import Testing
import Threading

@testable import AdminHTTP

@Suite("What the admin server answers")
struct AdminResourcesTests {
    /// Of a router whose last status is this one.
    private func resources(_ change: (inout RouterStatus) -> Void = { _ in }) -> AdminResources {
        var status = RouterStatus(time: 0)
        change(&status)
        let board = StatusBoard()
        board.close(status)
        return AdminResources(board)
    }

    @Test(arguments: ["GET", "HEAD"])
    func whatIsThereIsRead(method: String) {
        let resources = resources { $0.counters.pushesAccepted = 7 }
        #expect(resources.answer(method, "/healthz") == .text(200, ["ok"]))
        #expect(resources.answer(method, "/readyz") == .text(200, ["ready"]))
        let metrics = resources.answer(method, "/metrics")
        #expect(metrics.status == 200)
        #expect(metrics.contentType == "text/plain; version=0.0.4; charset=utf-8")
        #expect(metrics.text.contains("\nreload_router_pushes_accepted_total 7\n"))
    }

    @Test func reasonsAreOneALine() {
        let answer = resources {
            $0.isDraining = true
            $0.areInputsPaused = true
        }.answer("GET", "/readyz")
        #expect(answer.status == 503)
        #expect(answer.text.split(separator: "\n").count == 2)
        #expect(answer.text.hasSuffix("\n"))
    }

    @Test func whileTheStoreIsLoadedOnlyHealthIsTold() {
        let resources = AdminResources(StatusBoard())
        #expect(resources.answer("GET", "/healthz").status == 200)
        #expect(resources.answer("GET", "/readyz") == .text(503, ["loading the store"]))
        let metrics = resources.answer("GET", "/metrics")
        #expect(metrics.status == 503)
        #expect(
            metrics.text == """
                {"type":"about:blank","title":"Service Unavailable","status":503,\
                "detail":"loading the store"}

                """
        )
    }

    @Test(arguments: ["/", "", "/healthz/", "/metrics/x", "/Healthz"])
    func anythingElseIsNotFound(path: String) {
        for method in ["GET", "POST"] {
            let answer = resources().answer(method, path)
            #expect(answer.status == 404)
            #expect(answer.contentType == "application/problem+json")
        }
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "get", "BREW"])
    func nothingCanBeWritten(method: String) {
        for path in ["/healthz", "/readyz", "/metrics"] {
            let answer = resources().answer(method, path)
            #expect(answer.status == 405)
            #expect(answer.allow == "GET, HEAD")
            #expect(answer.contentType == "application/problem+json")
        }
    }
}

extension HTTPResponse {
    fileprivate var contentType: String? { header("Content-Type") }
    fileprivate var allow: String? { header("Allow") }
    fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}
