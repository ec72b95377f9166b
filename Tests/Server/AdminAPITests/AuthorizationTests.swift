import HTTPServing
import Testing

@testable import AdminAPI

@Suite("Who may ask the admin server")
struct AuthorizationTests {
    private let token = AdminStage.token

    @Test(
        arguments: [
            ("Bearer 0123456789abcdef", true), ("bearer 0123456789abcdef", true),
            ("BEARER 0123456789abcdef", true), ("Bearer 0123456789abcdeg", false),
            ("Bearer 0123456789abcde", false), ("Bearer 0123456789abcdef0", false),
            ("Bearer 0123456789abcdef0123456789abcdef", false), ("0123456789abcdef", false),
            ("Basic 0123456789abcdef", false), ("Bearer", false), ("Bearer ", false), ("", false),
            ("Bearer  0123456789abcdef", false), ("Bearer x", false),
        ]
    )
    func `Only the token opens`(header: String, opens: Bool) {
        let stage = AdminStage(token: token)
        for (method, path) in [("GET", "/v1/apps"), ("GET", "/none"), ("PUT", "/v1/drain")] {
            let answer = stage.ask(method, path, headers: [("Authorization", header)])
            #expect((answer.status == 401) == !opens, "\(method) \(path)")
            if !opens {
                #expect(answer.code == "unauthorized")
                #expect(answer.header("WWW-Authenticate") == "Bearer realm=\"reload-router\"")
            }
        }
        #expect(stage.port.take() == (opens ? ["apps"] : []))
    }

    @Test func `A client with the same token file is let in`() throws {
        let file = Array("\(token) \r\nsecond line\n".utf8)
        let header = try AdminToken(file: file).authorization
        #expect(header == "Bearer \(token)")
        let answer = AdminStage(token: token)
            .ask("GET", "/v1/apps", headers: [("Authorization", header)])
        #expect(answer.status == 200)
    }

    @Test func `Everything needs the token but probes and the page`() {
        let stage = AdminStage(token: token) { settings in
            let file = StaticFile(contentType: "text/html", bytes: [], policy: "default-src 'none'")
            settings.files = StaticFiles(page: file, runbook: file, assets: ["{name}": file])
        }
        for route in AdminRoutes.all where route.access != .bearerInQuery {
            let answer = stage.ask(route.method, route.path)
            let isOpen = route.access == .anybody
            #expect(answer.status == (isOpen ? 200 : 401), "\(route.path)")
        }
        #expect(stage.port.take() == [])
    }

    @Test func `Only events take the token from the query`() {
        let authorization = Authorization(try! AdminToken(file: Array(token.utf8)))
        func admits(_ value: String, inQuery: Bool, header: String? = nil) -> Bool {
            let request = HTTPRequest(
                method: "GET",
                path: "/v1/events",
                arguments: [("token", value)],
                headers: header.map { [("Authorization", $0)] } ?? []
            )
            return authorization.admits(request, inQuery: inQuery)
        }
        #expect(admits(token, inQuery: true))
        #expect(!admits(token, inQuery: false))
        #expect(!admits("x", inQuery: true))
        #expect(!admits(token, inQuery: true, header: "Bearer x"))
        let status = AdminStage(token: token).ask("GET", "/v1/status?token=\(token)").status
        #expect(status == 401)
    }

    @Test func `A token may be replaced`() {
        let authorization = Authorization(try! AdminToken(file: Array(token.utf8)))
        let request = HTTPRequest(
            method: "GET",
            path: "/",
            headers: [("Authorization", "Bearer \(token)")]
        )
        #expect(authorization.admits(request, inQuery: false))
        authorization.replace(with: try! AdminToken(file: Array("another-token-0123".utf8)))
        #expect(!authorization.admits(request, inQuery: false))
    }

    // MARK: - Files of tokens

    @Test(arguments: [
        "0123456789abcdef", "0123456789abcdef\n", "0123456789abcdef \r\n", "0123456789abcdef\nx y",
    ])
    func `The first line of a file is the token`(file: String) throws {
        let token = try AdminToken(file: Array(file.utf8))
        #expect(token.equals("0123456789abcdef"))
    }

    @Test(
        arguments: [
            ("", "its first line has 0 bytes; a token must have 16 to 1024"),
            ("\n0123456789abcdef", "its first line has 0 bytes; a token must have 16 to 1024"),
            ("0123456789abcde\n", "its first line has 15 bytes; a token must have 16 to 1024"),
            (
                "01234567 9abcdef",
                "byte 8 of its first line is not visible ASCII; a token must be made of that alone"
            ),
            (
                "0123456789abcdeü",
                "byte 15 of its first line is not visible ASCII; a token must be made of that alone"
            ),
            (
                String(repeating: "x", count: 1_025),
                "its first line has 1025 bytes; a token must have 16 to 1024"
            ),
        ]
    )
    func `What is no token is refused, and why`(file: String, reason: String) {
        let error = #expect(throws: AdminTokenError.self) { try AdminToken(file: Array(file.utf8)) }
        #expect(error?.description == reason)
    }

    // MARK: - Browsers

    @Test(
        arguments: [
            ("127.0.0.1:7411", nil, nil), ("localhost:7411", nil, nil), ("[::1]:7411", nil, nil),
            ("localhost", nil, nil), ("10.0.0.7", nil, nil),
            ("127.0.0.1:7411", "http://127.0.0.1:7411", nil),
            ("localhost:7411", "https://localhost:7411", nil),
            ("127.0.0.1:7411", "http://evil.example", "origin-foreign"),
            ("127.0.0.1:7411", "http://127.0.0.1:8080", "origin-foreign"),
            ("127.0.0.1:7411", "null", "origin-foreign"),
            ("evil.example:7411", "http://evil.example:7411", "host-foreign"),
            ("evil.example", nil, "host-foreign"), ("*", nil, "host-foreign"),
        ] as [(String, String?, String?)]
    )
    func `Pages of other servers are refused`(host: String, origin: String?, code: String?) {
        var headers = [(name: "Host", value: host)]
        if let origin { headers.append(("Origin", origin)) }
        let stage = AdminStage()
        for (method, path) in [("POST", "/v1/drain"), ("GET", "/v1/apps")] {
            let answer = stage.ask(method, path, headers: headers)
            #expect(answer.code == code)
            #expect(answer.status == (code == nil ? 200 : 403))
        }
        #expect(stage.port.take().count == (code == nil ? 2 : 0))
        // Probes are for everybody.
        #expect(stage.ask("GET", "/healthz", headers: headers).status == 200)
    }

    @Test func `With a token a server may have a name`() {
        let stage = AdminStage(token: token)
        let answer = stage.ask(
            "GET",
            "/v1/apps",
            headers: [("Host", "router.example"), ("Authorization", "Bearer \(token)")]
        )
        #expect(answer.status == 200)
    }
}
