import HTTPServing
import TestSupport
import Testing

@testable import AdminAPI

@Suite("An operator of some apps")
struct OperatorAppsTests {
    private static let token = "a-token-of-an-admin-of-a"

    private let stage = AdminStage(
        token: "another-token-0123",
        operators: [
            Operator(
                name: "ben",
                role: .admin,
                proof: .token(AdminStage.digest(Self.token)),
                apps: ["a"]
            )
        ]
    )

    private func code(_ method: String, _ target: String, _ body: String = "") -> String? {
        let bearer = (name: "Authorization", value: "Bearer \(Self.token)")
        return stage.ask(method, target, .whole(Array(body.utf8)), headers: [bearer]).code
    }

    @Test(
        arguments: [
            ("GET", "/v1/apps/%", ""), ("POST", "/v1/apps/%/pause", ""),
            ("POST", "/v1/apps/%/resume", ""), ("POST", "/v1/apps/%/producers/p/forget", ""),
            ("GET", "/v1/apps/%/devices", ""), ("GET", "/v1/apps/%/devices/d", ""),
            ("GET", "/v1/apps/%/dead-tokens", ""), ("GET", "/v1/producers?app=%", ""),
            ("PUT", "/v1/apps/%/revocations/d", ""), ("DELETE", "/v1/apps/%/devices/d", ""),
            ("POST", "/v1/pushes?app=%", "{}"), ("GET", "/v1/apps/%/pushes", ""),
            ("GET", "/v1/apps/%/pushes/p/1", ""),
            ("POST", "/v1/explain", #"{"app":"%","payload":{}}"#),
            ("POST", "/v1/slots", #"{"app":"%","kind":"k","dates":[{"id":"x","after":1}]}"#),
        ]
    )
    func `asks for these alone`(method: String, target: String, body: String) {
        for (app, expected) in [("a", nil), ("b", "app-forbidden")] {
            let found = code(
                method,
                target.replacing("%", with: app),
                body.replacing("%", with: app)
            )
            #expect(found == expected, "\(app)")
        }
        #expect(stage.port.take().count == 1)
    }

    @Test(
        arguments: [
            ("GET", "/metrics"), ("GET", "/v1/status"), ("GET", "/v1/connections"),
            ("GET", "/v1/producers"),
            ("GET", "/v1/apps"), ("GET", "/v1/app-file"), ("GET", "/v1/origins"),
            ("GET", "/v1/hot-keys"), ("GET", "/v1/log-level"), ("POST", "/v1/drain"),
            ("GET", "/v1/events"),
        ]
    )
    func `does not ask about the router as a whole`(method: String, target: String) {
        #expect(code(method, target) == "app-forbidden")
        #expect(stage.port.take() == [])
    }

    @Test func `learns figures of the whole router, and which apps are its own`() {
        #expect(code("GET", "/v1/history") == nil)
        let bearer = (name: "Authorization", value: "Bearer \(Self.token)")
        let found = stage.ask("GET", "/v1/operator", headers: [bearer]).text
        #expect(found.hasSuffix("\"until\":null,\"apps\":[\"a\"]}\n"))
    }
}
