import Basics
import Credentials
import Foundation
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
            return (try? authorization.judge(request, inQuery: inQuery, isSecure: false)) != nil
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
        let admitted = try authorization.judge(request, inQuery: false, isSecure: false)
        #expect(authorization.admits(admitted))
        authorization.replace(with: [.tokenFile(AdminStage.digest("another-token-0123"))])
        #expect(!authorization.admits(admitted))
        #expect(throws: Authorization.Refusal.self) {
            try authorization.judge(request, inQuery: false, isSecure: false)
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
        let found = try authorization.judge(request, inQuery: false, isSecure: false)
        #expect(found.name == "prometheus" && found.way == .certificate)
        request.certificate = ShownCertificate(names: [.dns("p.example")], notAfter: 1_000_000)
        let refused = #expect(throws: Authorization.Refusal.self) {
            try authorization.judge(request, inQuery: false, isSecure: false)
        }
        #expect(refused?.problem.code == "token-expired")
        request = HTTPRequest(
            method: "GET",
            path: "/",
            headers: [("Authorization", "Bearer wrong-token-0123")]
        )
        request.certificate = ShownCertificate(names: [.dns("p.example")], notAfter: .max)
        #expect(throws: Authorization.Refusal.self) {
            try authorization.judge(request, inQuery: false, isSecure: false)
        }
    }

    // MARK: - One-time links

    /// What a browser shows that has exchanged the code of a link; nil if that is refused.
    private func open(_ code: String, on stage: AdminStage) -> Browser? {
        let answer = stage.ask("POST", "/v1/sessions", #"{"code":"\#(code)"}"#)
        guard answer.status == 200 else {
            #expect(answer.status == 401 && answer.code == "unauthorized")
            return nil
        }
        let cookie = answer.header("Set-Cookie") ?? ""
        #expect(cookie.hasSuffix("; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict"))
        return Browser(
            token: String(answer.text.split(separator: "\"token\":\"").last!.prefix(43)),
            cookie: String(cookie.split(separator: ";")[0])
        )
    }

    private struct Browser {
        let token: String
        let cookie: String

        var headers: [(name: String, value: String)] {
            [("Authorization", "Bearer \(token)"), ("Cookie", "other=1; \(cookie)")]
        }

        func isIn(_ stage: AdminStage) -> Bool {
            stage.ask("GET", "/v1/operator", headers: headers).status == 200
        }
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
        let answer = stage.ask("GET", "/v1/operator", headers: browser?.headers ?? [])
        #expect(answer.text.contains(#""name":"(token file)","role":"admin","by":"browser""#))
        #expect(open("never-made", on: stage) == nil)
        // The code itself lets nobody in.
        let again = stage.ask("GET", "/v1/apps", headers: [("Authorization", "Bearer \(code)")])
        #expect(again.status == 401)
    }

    @Test func `Links and browsers come to an end, and the oldest make room`() {
        let time = Mutex<WallTime>(0)
        let stage = AdminStage(token: token, now: { time.withLock { $0 } })
        func isIn(_ browser: Browser?) -> Bool { browser?.isIn(stage) == true }
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

    @Test func `A browser does not stay longer by a link of its own`() throws {
        let time = Mutex<WallTime>(0)
        let stage = AdminStage(token: token, now: { time.withLock { $0 } })
        let browser = try #require(open(link(on: stage), on: stage))
        time.withLock { $0 = $0 + BrowserSessions.sessionLifetime - 1_000 }
        let made = stage.ask("POST", "/v1/links", headers: browser.headers)
        let code = String(made.text.split(separator: "#once=")[1].prefix(43))
        let opened = stage.ask("POST", "/v1/sessions", #"{"code":"\#(code)"}"#)
        let cookie = opened.header("Set-Cookie") ?? ""
        #expect(cookie.contains("; Max-Age=1;"))
        let next = Browser(
            token: String(opened.text.split(separator: "\"token\":\"").last!.prefix(43)),
            cookie: String(cookie.split(separator: ";")[0])
        )
        #expect(next.isIn(stage))
        time.withLock { $0 = $0 + 1_000 }
        #expect(!next.isIn(stage))
    }

    @Test func `A browser is let in by its token and its cookie together alone`() throws {
        let stage = AdminStage(token: token) { $0.isSecure = true }
        let code = link(on: stage)
        let opened = stage.ask("POST", "/v1/sessions", #"{"code":"\#(code)"}"#)
        let cookie = opened.header("Set-Cookie") ?? ""
        #expect(cookie.hasPrefix("__Host-reload-router=") && cookie.hasSuffix("; Secure"))
        let browser = Browser(
            token: String(opened.text.split(separator: "\"token\":\"").last!.prefix(43)),
            cookie: String(cookie.split(separator: ";")[0])
        )
        #expect(browser.isIn(stage))
        let value = browser.cookie.split(separator: "=")[1]
        for headers in [
            [("Authorization", "Bearer \(browser.token)")], [("Cookie", browser.cookie)],
            [("Authorization", "Bearer \(value)"), ("Cookie", browser.cookie)],
            [
                ("Authorization", "Bearer \(browser.token)"),
                ("Cookie", "reload-router=\(browser.token)"),
            ],
            [
                ("Authorization", "Bearer \(browser.token)"),
                ("Cookie", "reload-router-7411=\(value)"),
            ],
            // Another server of the host may have set it, without TLS.
            [
                ("Authorization", "Bearer \(browser.token)"),
                ("Cookie", "reload-router=\(value)"),
            ],
        ] {
            #expect(stage.ask("GET", "/v1/operator", headers: headers).status == 401)
        }
        // No other browser's cookie does, either.
        let other = stage.ask("POST", "/v1/sessions", #"{"code":"\#(link(on: stage))"}"#)
        let foreign = String((other.header("Set-Cookie") ?? "").split(separator: ";")[0])
        #expect(!Browser(token: browser.token, cookie: foreign).isIn(stage))
    }

    @Test func `A browser's session ends when it asks for that`() throws {
        let stage = AdminStage(token: token)
        let browser = try #require(open(link(on: stage), on: stage))
        let other = try #require(open(link(on: stage), on: stage))
        let ended = stage.ask("DELETE", "/v1/sessions", headers: browser.headers)
        #expect(ended.text.contains(#"{"ended":true}"#))
        #expect(ended.header("Set-Cookie")?.hasPrefix("reload-router=; Path=/; Max-Age=0") == true)
        #expect(!browser.isIn(stage) && other.isIn(stage))
        let none = stage.ask(
            "DELETE",
            "/v1/sessions",
            headers: [("Authorization", "Bearer \(token)")]
        )
        #expect(none.text.contains(#"{"ended":false}"#))
    }

    @Test func `A session ends though no line of the audit log can be written`() throws {
        let folder = TestFolder()
        let path = folder.path + "/audit.jsonl"
        let worksAgain = Signal()
        let log = try AuditLog(
            path,
            now: { 1_001 },
            onFailure: { if $0 == .writing(nil) { worksAgain.give() } }
        )
        let stage = AdminStage(token: token) { $0.audit = log }
        let browser = try #require(open(link(on: stage), on: stage))
        let lines = TestFolder.read(path)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(stage.ask("POST", "/v1/links", headers: browser.headers).status == 503)
        let ended = stage.ask("DELETE", "/v1/sessions", headers: browser.headers)
        #expect(ended.status == 200 && ended.text.contains(#"{"ended":true}"#))
        #expect(!browser.isIn(stage))
        // The log has it once it can be written.
        try FileManager.default.removeItem(atPath: path)
        try Data(lines).write(to: URL(fileURLWithPath: path))
        worksAgain.wait()
        let line = TestFolder.read(path).text.split(separator: "\n").last ?? ""
        #expect(line.contains(#""command":"DELETE /v1/sessions","state":"done","status":200"#))
    }

    @Test func `Two routers of a machine have two cookies`() {
        let hosts = ["localhost:7411", "localhost:7412", "[::1]:7411", "[::1]", "router.example"]
        let names = [false, true].map { isSecure in
            hosts.map { host in
                let header = BrowserCookie.header("x", at: host, lasting: 1_000, isSecure: isSecure)
                return String(header.value.prefix { $0 != "=" })
            }
        }
        let plain = "reload-router"
        #expect(names[0] == ["\(plain)-7411", "\(plain)-7412", "\(plain)-7411", plain, plain])
        #expect(names[1] == names[0].map { "__Host-\($0)" })
    }

    @Test func `Browsers stay over a restart, of operators that are as they were`() throws {
        let kept = Mutex<[UInt8]>([])
        let ben = Operator(name: "ben", role: .viewer, proof: .token(AdminStage.digest("ben-0123")))
        let anna = Operator(name: "anna", role: .admin, proof: .certificate(.dns("anna")))
        func start(_ operators: [Operator], at now: WallTime = 0) throws -> Authorization {
            let drawn = Mutex<UInt8>(0)
            let authorization = Authorization(
                operators,
                random: { count in
                    let byte = drawn.withLock { drawn in
                        drawn += 1
                        return drawn
                    }
                    return [UInt8](repeating: byte, count: count)
                },
                now: { now },
                keep: { file in kept.withLock { $0 = file } }
            )
            let file = kept.withLock { $0 }
            if !file.isEmpty { try authorization.restore(file) }
            return authorization
        }
        let first = try start([ben, anna])
        let browsers = try [ben, anna].map { one in
            let code = first.makeLink(for: AdmittedOperator(one, way: .token)).code
            return try #require(first.openSession(code))
        }
        func names(_ authorization: Authorization) -> [String] {
            browsers.compactMap { browser in
                let headers = [
                    ("Authorization", "Bearer \(browser.token)"),
                    ("Cookie", "reload-router=\(browser.cookie)"),
                ]
                let request = HTTPRequest(method: "GET", path: "/", headers: headers)
                return try? authorization.judge(request, inQuery: false, isSecure: false).name
            }
        }
        #expect(names(first) == ["ben", "anna"])
        let file = kept.withLock { String(decoding: $0, as: UTF8.self) }
        #expect(!file.contains("anna") && !file.contains(browsers[0].token))
        #expect(names(try start([anna, ben])) == ["ben", "anna"])
        var promoted = ben
        promoted.role = .admin
        #expect(names(try start([anna, promoted])) == ["anna"])
        #expect(names(try start([ben])) == ["ben"])
        #expect(names(try start([ben, anna], at: 0 + BrowserSessions.sessionLifetime)) == [])
        // One that was removed does not come back with its operator.
        let other = try start([ben, anna])
        other.replace(with: [anna])
        #expect(names(try start([ben, anna])) == ["anna"])
        for file in ["", "{}", #"{"sessions":[{}]}"#, #"{"sessions":7}"#] {
            #expect(throws: AdminProblem.self) { try first.restore(Array(file.utf8)) }
        }
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
        let browser = open(link(on: stage), on: stage)
        let waiting = link(on: stage)
        stage.authorization.replace(with: [.tokenFile(AdminStage.digest("another-token-0123"))])
        let answer = stage.ask("GET", "/v1/apps", headers: browser?.headers ?? [])
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
