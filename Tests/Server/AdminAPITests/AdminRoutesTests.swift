import HTTPServing
import TestSupport
import Testing

@testable import AdminAPI

@Suite("From a request to what the loop is asked")
struct AdminRoutesTests {
    private let stage = AdminStage()

    /// An app file with a key of P-256 that is no point of the curve.
    private static let keyOffTheCurve =
        #"{"apps":[{"app":"a","kinds":[],"devices":[{"id":"k","jwk":{"kty":"EC","crv":"P-256","#
        + #""x":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","#
        + #""y":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE"}}]}]}"#

    private static let slots =
        #"{"app":"a","kind":"k","dates":[{"id":"x\n","after":5},{"after":0,"id":""}]}"#

    @Test(
        arguments: [
            ("GET", "/v1/connections", "", "connections - 100"),
            ("GET", "/v1/connections?after=7&limit=1000", "", "connections 7 1000"),
            ("GET", "/v1/connections?after=4294967295", "", "connections 4294967295 100"),
            ("GET", "/v1/apps", "", "apps"),
            ("GET", "/v1/apps/com.mygame", "", "app com.mygame"),
            ("GET", "/v1/apps/a%2Fb%20c", "", "app a/b c"),
            ("GET", "/v1/apps/%C3%BC", "", "app ü"),
            ("GET", "/v1/app-file", "", "appFile"),
            ("POST", "/v1/apps/a/pause", "", "pause a"),
            ("POST", "/v1/apps/a/resume", "ignored", "resume a"),
            ("GET", "/v1/apps/a/devices", "", "devices a - 100"),
            ("GET", "/v1/apps/a/devices?after=d-9&limit=5", "", "devices a d-9 5"),
            ("GET", "/v1/apps/a/devices/d%2F1", "", "device a d/1"),
            ("DELETE", "/v1/apps/a/devices/d%2F1", "", "forgetDevice a d/1"),
            ("PUT", "/v1/apps/a/revocations/d%2F1", "", "revokeTokens a d/1 -"),
            ("PUT", "/v1/apps/a/revocations/d", "{}", "revokeTokens a d -"),
            ("PUT", "/v1/apps/a/revocations/d", #"{"before":5}"#, "revokeTokens a d 5"),
            ("DELETE", "/v1/apps/a/revocations/d", "", "withdrawRevocation a d"),
            ("GET", "/v1/apps/a/revocations?after=d&limit=2", "", "revocations a d 2"),
            ("GET", "/v1/apps/a/pushes", "", "pushes a - false - 100"),
            (
                "GET", "/v1/apps/a/pushes?producer=p&key=k%20k&credential=c&after=7&limit=2", "",
                "pushes a p true 7 2"
            ),
            (
                "GET", "/v1/apps/a/pushes?source=%2Fs&id=1&credential=c&sub=shard-*", "",
                "pushes a - true - 100"
            ),
            ("GET", "/v1/apps/a/pushes/p%2F1/41", "", "history a p/1 41 - 100"),
            ("GET", "/v1/apps/a/pushes/p/1?after=0&limit=3", "", "history a p 1 0 3"),
            ("GET", "/v1/origins", "", "origins - 100"),
            ("GET", "/v1/origins?after=0&limit=7", "", "origins 0 7"),
            ("GET", "/v1/history", "", "history 3600000 -"),
            ("GET", "/v1/apps/a/history", "", "appHistory a - 3600000"),
            ("GET", "/v1/apps/a/history?kind=k&range=60", "", "appHistory a k 60000"),
            ("GET", "/v1/history?range=120&resolution=10", "", "history 120000 10"),
            ("GET", "/v1/hot-keys", "", "hotKeys"),
            ("POST", "/v1/drain", "", "drain"),
            ("GET", "/v1/log-level", "", "logLevel"),
            ("HEAD", "/v1/log-level", "", "logLevel"),
            ("PUT", "/v1/log-level", #"{"level":"debug"}"#, "setLogLevel debug"),
            ("POST", "/v1/backup", #"{"name":"2026-11-27_a"}"#, "backup 2026-11-27_a"),
            (
                "POST", "/v1/explain", #"{"app":"a","payload":{"x": [1]}}"#,
                #"explain a {"x": [1]} false - - 100"#
            ),
            (
                "POST", "/v1/explain",
                #"{"kind":"k","limit":1e3,"device":"d","urgent":true,"payload":{},"app":"a"}"#,
                "explain a {} true d k 1000"
            ),
            (
                "POST", "/v1/explain", #"{"app":"a","payload":{},"device":null,"kind":null}"#,
                "explain a {} false - - 100"
            ),
            ("POST", "/v1/slots", slots, #"slots a k ["x\n@5", "@0"]"#),
            ("POST", "/v1/slots", #"{"app":"a","kind":"k","dates":[]}"#, "slots a k []"),
            (
                "PUT", "/v1/app-file", #"{"apps":[{"app":"a","kinds":[]}]}"#,
                #"replaceAppFile ["a"] {"apps":[{"app":"a","kinds":[]}]}"#
            ),
        ]
    )
    func `A request is understood`(method: String, path: String, body: String, asked: String) {
        let answer = stage.ask(method, path, body)
        #expect(answer.status == 200 && answer.text == "{\"echo\":true}\n", "\(answer.text)")
        #expect(stage.port.take() == [asked])
    }

    @Test(
        arguments: [
            ("/v1/pushes?app=a", nil, "{}", #"push a ["{}"] - - false -"#),
            ("/v1/pushes?app=a", "application/json", "{\n}", "push a [\"{\\n}\"] - - false -"),
            (
                "/v1/pushes?app=a", "Application/JSON; charset=utf-8", "y",
                #"push a ["y"] - - false -"#
            ),
            (
                "/v1/pushes?app=a&producer=p&seq=7&urgent=true&voidAt=9", nil, "x",
                #"push a ["x"] (operator:p) 7 true 9"#
            ),
            ("/v1/pushes?app=a&urgent=false", nil, "x", #"push a ["x"] - - false -"#),
            (
                "/v1/pushes?app=a", "application/x-ndjson", "{}\n{\"a\":1}\r\n\nx\n",
                #"push a ["{}", "{\"a\":1}", "", "x"] - - false -"#
            ),
            (
                "/v1/pushes?app=a", "application/x-ndjson", "\na\n\n",
                #"push a ["", "a"] - - false -"#
            ),
            ("/v1/pushes?app=a", "application/x-ndjson", "a", #"push a ["a"] - - false -"#),
        ] as [(String, String?, String, String)]
    )
    func `Pushes are one body or one a line`(
        path: String,
        type: String?,
        body: String,
        asked: String
    ) {
        #expect(stage.ask("POST", path, body, type: type).status == 200)
        #expect(stage.port.take() == [asked])
    }

    @Test func `The number of pushes in a request is limited`() {
        let type = "application/x-ndjson"
        let most = String(repeating: "{}\n", count: 10_000)
        #expect(stage.ask("POST", "/v1/pushes?app=a", most, type: type).status == 200)
        let refused = stage.ask("POST", "/v1/pushes?app=a", most + "{}", type: type)
        #expect(refused.status == 413 && refused.code == "body-too-large")
        #expect(stage.port.take().count == 1)
    }

    @Test(
        arguments: [
            ("GET", "/v1/connections?after=-1", "", "parameter-invalid"),
            ("GET", "/v1/connections?after=4294967296", "", "parameter-invalid"),
            ("GET", "/v1/connections?after=", "", "parameter-invalid"),
            ("GET", "/v1/connections?limit=0", "", "parameter-invalid"),
            ("GET", "/v1/connections?limit=1001", "", "parameter-invalid"),
            ("GET", "/v1/connections?limit=+1", "", "parameter-invalid"),
            ("GET", "/v1/connections?limt=1", "", "parameter-invalid"),
            ("GET", "/v1/connections?limit=1&limit=1", "", "parameter-invalid"),
            ("GET", "/v1/apps?x", "", "parameter-invalid"),
            ("GET", "/v1/apps/a/pushes?key=", "", "parameter-invalid"),
            ("GET", "/v1/apps/a/pushes?source=s", "", "parameter-invalid"),
            ("GET", "/v1/apps/a/pushes?id=1", "", "parameter-invalid"),
            ("GET", "/v1/apps/a/pushes?source=s&id=1&key=k", "", "parameter-invalid"),
            ("GET", "/v1/apps/a/pushes?credential=c", "", "parameter-invalid"),
            ("GET", "/v1/apps/a/pushes?key=k&sub=s", "", "parameter-invalid"),
            ("GET", "/v1/apps/a/pushes/p/0", "", "parameter-invalid"),
            ("GET", "/v1/apps/a/pushes/p/+1", "", "parameter-invalid"),
            ("GET", "/v1/apps/a/pushes/p/9007199254740992", "", "parameter-invalid"),
            ("GET", "/v1/apps/a/pushes/p/1?after=4294967296", "", "parameter-invalid"),
            ("GET", "/v1/history?range=0", "", "parameter-invalid"),
            ("GET", "/v1/history?range=86401", "", "parameter-invalid"),
            ("GET", "/v1/history?resolution=5", "", "parameter-invalid"),
            ("GET", "/v1/history?resolution=01", "", "parameter-invalid"),
            ("GET", "/v1/apps/%22", "", "identifier-invalid"),
            ("GET", "/v1/apps/a%00", "", "identifier-invalid"),
            ("GET", "/v1/apps/", "", "identifier-invalid"),
            ("GET", "/v1/apps/a/devices?after=%5C", "", nil),
            ("GET", "/v1/apps/a/devices?after=\\", "", "identifier-invalid"),
            ("POST", "/v1/pushes?app=a", "", "body-invalid"),
            ("POST", "/v1/pushes", "{}", "parameter-invalid"),
            ("POST", "/v1/pushes?app=", "{}", "identifier-invalid"),
            ("POST", "/v1/pushes?app=a&seq=1", "{}", "parameter-invalid"),
            (
                "POST", "/v1/pushes?app=a&seq=1&producer=\(String(repeating: "p", count: 118))",
                "{}",
                "identifier-invalid"
            ),
            ("POST", "/v1/pushes?app=a&producer=p", "{}", "parameter-invalid"),
            ("POST", "/v1/pushes?app=a&producer=p&seq=0", "{}", "parameter-invalid"),
            (
                "POST", "/v1/pushes?app=a&producer=p&seq=18446744073709551615", "{}",
                "parameter-invalid"
            ),
            ("POST", "/v1/pushes?app=a&urgent=1", "{}", "parameter-invalid"),
            ("POST", "/v1/pushes?app=a&voidAt=253402300800000", "{}", "parameter-invalid"),
            ("PUT", "/v1/log-level", "", "body-invalid"),
            ("PUT", "/v1/log-level", "[]", "body-invalid"),
            ("PUT", "/v1/log-level", "{}", "body-invalid"),
            ("PUT", "/v1/log-level", #"{"level":"loud"}"#, "body-invalid"),
            ("PUT", "/v1/log-level", #"{"level":1}"#, "body-invalid"),
            ("PUT", "/v1/log-level", #"{"level":"info","x":1}"#, "body-invalid"),
            ("PUT", "/v1/log-level", #"{"level":"info","level":"info"}"#, "body-invalid"),
            ("POST", "/v1/backup", #"{"name":"/a"}"#, "body-invalid"),
            ("POST", "/v1/backup", #"{"name":"a/b"}"#, "body-invalid"),
            ("POST", "/v1/backup", #"{"name":".."}"#, "body-invalid"),
            ("POST", "/v1/backup", #"{"name":"a.b"}"#, "body-invalid"),
            ("POST", "/v1/backup", #"{"name":""}"#, "body-invalid"),
            ("POST", "/v1/backup", #"{"name":"-rf"}"#, "body-invalid"),
            ("POST", "/v1/backup", #"{"name":"_a"}"#, "body-invalid"),
            ("POST", "/v1/backup", #"{"name":"a\u0000"}"#, "body-invalid"),
            ("POST", "/v1/backup", #"{"folder":"/a"}"#, "body-invalid"),
            ("PUT", "/v1/app-file", keyOffTheCurve, "body-invalid"),
            ("POST", "/v1/app-file/validate", keyOffTheCurve, "body-invalid"),
            ("POST", "/v1/explain", #"{"app":"a"}"#, "body-invalid"),
            ("POST", "/v1/explain", #"{"payload":{}}"#, "body-invalid"),
            ("POST", "/v1/explain", #"{"app":"a","payload":[]}"#, "body-invalid"),
            ("POST", "/v1/explain", #"{"app":"","payload":{}}"#, "identifier-invalid"),
            ("POST", "/v1/explain", #"{"app":null,"payload":{}}"#, "body-invalid"),
            ("POST", "/v1/explain", #"{"app":"a","payload":{},"limit":0}"#, "body-invalid"),
            ("POST", "/v1/explain", #"{"app":"a","payload":{},"limit":1.5}"#, "body-invalid"),
            ("POST", "/v1/explain", #"{"app":"a","payload":{},"urgent":1}"#, "body-invalid"),
            ("POST", "/v1/slots", #"{"app":"a","kind":"k"}"#, "body-invalid"),
            ("POST", "/v1/slots", #"{"app":"a","kind":"k","dates":{}}"#, "body-invalid"),
            ("POST", "/v1/slots", #"{"app":"a","kind":"k","dates":[1]}"#, "body-invalid"),
            ("POST", "/v1/slots", #"{"app":"a","kind":"k","dates":[{"id":""}]}"#, "body-invalid"),
            (
                "POST", "/v1/slots", #"{"app":"a","kind":"k","dates":[{"id":"","after":-1}]}"#,
                "body-invalid"
            ),
            ("PUT", "/v1/app-file", "{", "body-invalid"),
            ("PUT", "/v1/app-file", #"{"apps":1}"#, "body-invalid"),
            ("POST", "/v1/app-file/validate", #"{"aps":[]}"#, "body-invalid"),
        ] as [(String, String, String, String?)]
    )
    func `What is wrong is refused before the loop is asked`(
        method: String,
        path: String,
        body: String,
        code: String?
    ) {
        let answer = stage.ask(method, path, body)
        // The query is decoded before: %5C here is three letters.
        if code == nil { return }
        #expect(answer.status == 400 && answer.code == code, "\(answer.text)")
        #expect(stage.port.take() == [])
    }

    @Test(
        arguments: [
            (
                "/v1/slots", #"{"app":"a","kind":"k","dates":[{"id":"","after":1},{"id":2}]}"#,
                "dates[1].id must be a string"
            ),
            (
                "/v1/slots", #"{"app":"a","kind":"k","dates":[{"id":"","date":1}]}"#,
                "there is no member dates[0].date; there are id and after"
            ),
            (
                "/v1/slots", #"{"app":"a","kind":"k","dates":[{"id":""}]}"#,
                "dates[0] has no member after"
            ),
            (
                "/v1/explain", "{\"app\":\"a\",}",
                "byte 11: '}' stands where a key in quotation marks is expected"
            ),
            ("/v1/explain", #"{"app":"a"}"#, "the body has no member payload"),
        ]
    )
    func `A problem says what is wrong, and where`(path: String, body: String, detail: String) {
        let answer = stage.ask("POST", path, body)
        let parts = answer.text.split(separator: "\"detail\":\"")
        #expect(parts.last?.hasPrefix(detail + "\"") == true, "\(answer.text)")
    }

    @Test func `A rule that is wrong has the code of its parser, and its position`() {
        let file = #"{"apps":[{"app":"a","kinds":[{"kind":"k","match":{"x":[{"prefix":1}]}}]}]}"#
        for (method, path) in [("PUT", "/v1/app-file"), ("POST", "/v1/app-file/validate")] {
            let answer = stage.ask(method, path, file)
            #expect(answer.status == 400)
            #expect(answer.code != nil && answer.code != "body-invalid")
            #expect(answer.text.contains("line 1, column"))
        }
        #expect(stage.port.take() == [])
    }

    @Test func `A validation says what is in the file, and what is seldom intended`() {
        let file = #"{"apps":[{"app":"a","publishers":"open","devices":[],"kinds":[]}]}"#
        #expect(
            stage.ask("POST", "/v1/app-file/validate", file).text == """
                {"apps":1,"kinds":0,"warnings":["a: everybody may be a publisher: the role is \
                open","a: nobody may be a device: none is listed","a: nobody may be a gateway: none \
                is listed","a: no kinds are declared"]}

                """
        )
        #expect(stage.port.take() == [])
    }

    @Test func `Another media type is refused`() {
        let answer = stage.ask("POST", "/v1/pushes?app=a", "{}", type: "text/plain")
        #expect(answer.status == 415 && answer.code == "media-type")
    }

    @Test func `As many dates as allowed, and not one more`() {
        func body(_ count: Int) -> String {
            let dates = (0..<count).map { "{\"id\":\"\($0)\",\"after\":1}" }.joined(separator: ",")
            return "{\"app\":\"a\",\"kind\":\"k\",\"dates\":[\(dates)]}"
        }
        #expect(stage.ask("POST", "/v1/slots", body(1_000)).status == 200)
        #expect(stage.ask("POST", "/v1/slots", body(1_001)).status == 400)
    }

    // MARK: - Anything

    @Test(arguments: 0..<20)
    func `Any path and query is answered, and asks at most once`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let parts = [
            "/", "v1", "apps", "a", "devices", "%", "%2F", "%00", "%ff", "{app}", "..", "ü", "?",
            "&", "=", "limit", "after", "1", "-", "pushes", "seq", "producer", "app", "assets",
            "status", "log-level", "\0", "\"",
        ]
        let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "x"]
        for _ in 0..<500 {
            let target = "/" + (0..<random.below(12)).map { _ in random.pick(parts) }.joined()
            let method = random.pick(methods)
            if target.split(separator: "?")[0].hasSuffix("/events") { continue }
            let answer = stage.ask(method, target, random.pick(["", "{}", "{\"app\":\"a\"}"]))
            let isProblem = answer.contentType == "application/problem+json"
            #expect(isProblem == (answer.status >= 400), "seed \(seed): \(method) \(target)")
            #expect(answer.status < 500)
            #expect(stage.port.take().count <= 1)
        }
    }

    @Test func `A viewer's routes change nothing but who looks`() {
        let changes = AdminRoutes.all.filter { $0.method != "GET" && $0.role == .viewer }.map(
            \.path
        )
        #expect(
            Set(changes) == ["/v1/links", "/v1/sessions", "/v1/app-file/validate", "/v1/explain"]
        )
        #expect(AdminRoutes.all.filter { $0.isCommand && $0.method == "GET" }.isEmpty)
        let unrecorded = AdminRoutes.all.filter { $0.method != "GET" && !$0.isCommand }.map(\.path)
        #expect(
            Set(unrecorded)
                == ["/v1/app-file/validate", "/v1/explain", "/v1/slots", "/v1/pushes"]
        )
        let open = AdminRoutes.all.filter(\.isOpen).map(\.path)
        #expect(Set(open) == ["/healthz", "/readyz", "/", "/runbook", "/assets/{name}"])
    }

    @Test(arguments: 0..<20)
    func `Any body is taken or refused with a problem`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bodies: [(String, String)] = [
            ("/v1/slots", Self.slots),
            ("/v1/explain", #"{"app":"a","payload":{"x":[1,"y"]},"device":null,"limit":10}"#),
            ("/v1/backup", #"{"name":"a"}"#),
            ("/v1/app-file/validate", #"{"apps":[{"app":"a","kinds":[{"kind":"k"}]}]}"#),
        ]
        for _ in 0..<400 {
            let (path, body) = random.pick(bodies)
            var bytes = Array(body.utf8)
            for _ in 0..<1 + random.below(4) where !bytes.isEmpty {
                let position = random.below(bytes.count)
                switch random.below(4) {
                case 0: bytes.remove(at: position)
                case 1: bytes.insert(random.pick(Array(#"{}[]",:0\e"#.utf8)), at: position)
                case 2: bytes[position] = UInt8(truncatingIfNeeded: random.next())
                default: bytes = Array(bytes[..<position])
                }
            }
            let answer = stage.ask("POST", path, .whole(bytes))
            #expect([200, 400].contains(answer.status), "seed \(seed): \(bytes.text)")
            #expect((answer.code == nil) == (answer.status == 200))
            let asked = stage.port.take().count
            #expect(asked == (answer.status == 200 && !path.hasSuffix("validate") ? 1 : 0))
        }
    }
}
