import Basics
import Credentials
import HTTPServing
import Synchronization
import TestSupport
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
            ("Bearer  0123456789abcdef", true), ("Bearer x", false), ("Bearer   ", false),
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
        for route in AdminRoutes.all where ![.bearerInQuery, .code].contains(route.access) {
            let answer = stage.ask(route.method, route.path)
            let isOpen = route.isOpen
            #expect(answer.status == (isOpen ? 200 : 401), "\(route.path)")
        }
        #expect(stage.port.take() == [])
    }

    @Test func `Only events take the token from the query`() {
        let authorization = AdminStage.authorization([.tokenFile(AdminStage.digest(token))])
        func admits(_ value: String, inQuery: Bool, header: String? = nil) -> Bool {
            let request = HTTPRequest(
                method: "GET",
                path: "/v1/events",
                arguments: [("token", value)],
                headers: header.map { [("Authorization", $0)] } ?? []
            )
            return (try? authorization.judge(request, inQuery: inQuery)) != nil
        }
        #expect(admits(token, inQuery: true))
        #expect(!admits(token, inQuery: false))
        #expect(!admits("x", inQuery: true))
        #expect(!admits(token, inQuery: true, header: "Bearer x"))
        let status = AdminStage(token: token).ask("GET", "/v1/status?token=\(token)").status
        #expect(status == 401)
    }

    @Test func `Operators may be replaced`() throws {
        let authorization = AdminStage.authorization([.tokenFile(AdminStage.digest(token))])
        let request = HTTPRequest(
            method: "GET",
            path: "/",
            headers: [("Authorization", "Bearer \(token)")]
        )
        let admitted = try authorization.judge(request, inQuery: false)
        #expect(authorization.admits(admitted))
        authorization.replace(with: [.tokenFile(AdminStage.digest("another-token-0123"))])
        #expect(!authorization.admits(admitted))
        #expect(throws: Authorization.Refusal.self) {
            try authorization.judge(request, inQuery: false)
        }
    }

    // MARK: - Operators

    @Test func `Each role may do what those below it may, and no more`() {
        let roles = OperatorRole.allCases
        let stage = AdminStage(
            token: token,
            operators: roles.map { role in
                let digest = AdminStage.digest("token-of-\(role.rawValue)")
                return Operator(name: role.rawValue, role: role, proof: .token(digest))
            }
        )
        for route in AdminRoutes.all where !route.isOpen && route.access != .code {
            if route.isStream { continue }
            for role in roles {
                let answer = stage.ask(
                    route.method,
                    route.path,
                    headers: [("Authorization", "Bearer token-of-\(role.rawValue)")]
                )
                let isRefused = answer.code == "role-insufficient"
                #expect(isRefused == (role < route.role), "\(role) \(route.method) \(route.path)")
                #expect(!isRefused || answer.status == 403)
            }
        }
        let admins = AdminRoutes.all.filter { $0.role == .admin }.map(\.path)
        #expect(admins == ["/v1/app-file", "/v1/pushes"])
        #expect(AdminRoutes.all.allSatisfy { $0.method == "GET" ? $0.role == .viewer : true })
    }

    @Test func `An operator is let in until its credential expires`() {
        let time = Mutex<WallTime>(1_000)
        let stage = AdminStage(
            token: token,
            operators: [
                Operator(
                    name: "anna",
                    role: .viewer,
                    proof: .token(AdminStage.digest("annas-token-012345")),
                    notAfter: 2_000
                )
            ],
            now: { time.withLock { $0 } }
        )
        func ask() -> HTTPResponse {
            stage.ask(
                "GET",
                "/v1/operator",
                headers: [("Authorization", "Bearer annas-token-012345")]
            )
        }
        let until = "1970-01-01T00:00:02Z"
        #expect(
            ask().text
                == #"{"name":"anna","role":"viewer","by":"token","until":"\#(until)"}"# + "\n"
        )
        time.withLock { $0 = 2_000 }
        #expect(ask().status == 401)
        #expect(ask().code == "token-expired")
        #expect(ask().text.contains("this credential of anna was good until \(until)"))
    }

    @Test func `A certificate names its operator, but a header goes first`() throws {
        let authorization = AdminStage.authorization([
            Operator(name: "prometheus", role: .viewer, proof: .certificate(.dns("p.example"))),
            .tokenFile(AdminStage.digest(token)),
        ])
        var request = HTTPRequest(method: "GET", path: "/")
        request.certificate = ShownCertificate(
            names: [.dns("other.example"), .dns("p.example")],
            notAfter: .max
        )
        let found = try authorization.judge(request, inQuery: false)
        #expect(found.name == "prometheus" && found.way == .certificate)
        request.certificate = ShownCertificate(names: [.dns("p.example")], notAfter: 1_000_000)
        let refused = #expect(throws: Authorization.Refusal.self) {
            try authorization.judge(request, inQuery: false)
        }
        #expect(refused?.problem.code == "token-expired")
        request = HTTPRequest(
            method: "GET",
            path: "/",
            headers: [("Authorization", "Bearer wrong-token-0123")]
        )
        request.certificate = ShownCertificate(names: [.dns("p.example")], notAfter: .max)
        #expect(throws: Authorization.Refusal.self) {
            try authorization.judge(request, inQuery: false)
        }
    }

    // MARK: - One-time links

    /// The token that the code of a link is exchanged for; nil if it is refused.
    private func open(_ code: String, on stage: AdminStage) -> String? {
        let answer = stage.ask("POST", "/v1/sessions", #"{"code":"\#(code)"}"#)
        guard answer.status == 200 else {
            #expect(answer.status == 401 && answer.code == "unauthorized")
            return nil
        }
        return answer.text.split(separator: "\"token\":\"").last.map { String($0.prefix(43)) }
    }

    private func link(on stage: AdminStage) -> String {
        let answer = stage.ask(
            "POST",
            "/v1/links",
            headers: [("Authorization", "Bearer \(token)")]
        )
        #expect(answer.status == 200)
        return String(answer.text.split(separator: "#once=")[1].prefix(43))
    }

    @Test func `A link is good for one visit, whose browser then acts for its operator`() {
        let stage = AdminStage(token: token)
        let code = link(on: stage)
        let browser = open(code, on: stage)
        #expect(browser != nil && open(code, on: stage) == nil)
        let answer = stage.ask(
            "GET",
            "/v1/operator",
            headers: [("Authorization", "Bearer \(browser ?? "")")]
        )
        #expect(answer.text.contains(#""name":"(token file)","role":"admin","by":"browser""#))
        #expect(open("never-made", on: stage) == nil)
        // The code itself lets nobody in.
        let again = stage.ask("GET", "/v1/apps", headers: [("Authorization", "Bearer \(code)")])
        #expect(again.status == 401)
    }

    @Test func `Links and browsers come to an end, and the oldest make room`() {
        let time = Mutex<WallTime>(0)
        let stage = AdminStage(token: token, now: { time.withLock { $0 } })
        func isIn(_ browser: String?) -> Bool {
            let headers = [(name: "Authorization", value: "Bearer \(browser ?? "")")]
            return stage.ask("GET", "/v1/operator", headers: headers).status == 200
        }
        let late = link(on: stage)
        time.withLock { $0 = $0 + BrowserSessions.linkLifetime }
        #expect(open(late, on: stage) == nil)
        let codes = (0...BrowserSessions.linkLimit).map { _ in link(on: stage) }
        #expect(open(codes[0], on: stage) == nil)
        let first = open(codes[1], on: stage)
        #expect(isIn(first))
        for _ in 0..<BrowserSessions.sessionLimit { _ = open(link(on: stage), on: stage) }
        #expect(!isIn(first))
        let last = open(link(on: stage), on: stage)
        #expect(isIn(last))
        time.withLock { $0 = $0 + BrowserSessions.sessionLifetime }
        #expect(!isIn(last))
    }

    @Test func `A browser does not stay longer by a link of its own`() {
        let time = Mutex<WallTime>(0)
        let stage = AdminStage(token: token, now: { time.withLock { $0 } })
        let browser = open(link(on: stage), on: stage) ?? ""
        time.withLock { $0 = $0 + BrowserSessions.sessionLifetime - 1_000 }
        let headers = [(name: "Authorization", value: "Bearer \(browser)")]
        let made = stage.ask("POST", "/v1/links", headers: headers)
        let code = String(made.text.split(separator: "#once=")[1].prefix(43))
        let next = open(code, on: stage) ?? ""
        func isIn(_ browser: String) -> Bool {
            let headers = [(name: "Authorization", value: "Bearer \(browser)")]
            return stage.ask("GET", "/v1/operator", headers: headers).status == 200
        }
        #expect(isIn(next))
        time.withLock { $0 = $0 + 1_000 }
        #expect(!isIn(next))
    }

    @Test func `Browsers of one operator make no room for themselves at others' cost`() {
        let viewer = Operator(name: "v", role: .viewer, proof: .token(AdminStage.digest("v-token")))
        var sessions = BrowserSessions()
        let admin = AdmittedOperator(.tokenFile(AdminStage.digest("t")), way: .token)
        _ = sessions.addLink(AdminStage.digest("a"), for: admin, now: 0)
        #expect(sessions.open(AdminStage.digest("a"), as: AdminStage.digest("b"), now: 0) != nil)
        for number in 0..<200 {
            let (code, token) = (AdminStage.digest("c\(number)"), AdminStage.digest("d\(number)"))
            _ = sessions.addLink(code, for: AdmittedOperator(viewer, way: .token), now: 0)
            #expect(sessions.open(code, as: token, now: 0) != nil)
        }
        #expect(sessions.find(AdminStage.digest("b")) != nil)
        #expect(sessions.find(AdminStage.digest("d0")) == nil)
    }

    @Test func `A browser goes with its operator`() {
        let stage = AdminStage(token: token)
        let browser = open(link(on: stage), on: stage) ?? ""
        let waiting = link(on: stage)
        stage.authorization.replace(with: [.tokenFile(AdminStage.digest("another-token-0123"))])
        let answer = stage.ask("GET", "/v1/apps", headers: [("Authorization", "Bearer \(browser)")])
        #expect(answer.status == 401)
        #expect(open(waiting, on: stage) == nil)
    }

    // MARK: - Files of tokens

    @Test(arguments: [
        "0123456789abcdef", "0123456789abcdef\n", "0123456789abcdef \r\n", "0123456789abcdef\nx y",
    ])
    func `The first line of a file is the token`(file: String) throws {
        let token = try AdminToken(file: Array(file.utf8))
        #expect(token.text == "0123456789abcdef")
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
