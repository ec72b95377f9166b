import Basics
import Credentials
import Cryptography
import FrameCodec
import HTTPMessages
import HTTPServing
import TestSupport
import Testing

@testable import AdminAPI

/// The listener for publishers, from the bytes of a request to what the router is asked, and back.
@Suite("Publishers over HTTP")
struct PublishingTests {
    static let accepted = PublishAnswer(
        PushesBody(accepted: 1, matched: 7, lastSeq: 5, outcome: PushesOutcome())
    )

    /// A table that lets in the token `right` as a publisher of `game`, with producers of
    /// `shard-*`, and signed tokens of a key.
    private static func table(
        _ token: String = "right",
        until end: WallTime? = nil
    ) throws -> CredentialTable {
        let credential = Credential(
            id: "ci",
            proof: .token(token.withByteView { SHA256.digest($0) }),
            names: try NamePatterns(["shard-*"]),
            notAfter: end
        )
        let access = AppAccess(app: "game", publishers: .listed([credential]))
        return CredentialTable([access], decoys: try VerificationKey.decoys())
    }

    private static func resources(
        _ gate: PublisherGate,
        origins: WebHookOrigins = .all
    ) -> PublishResources {
        var settings = PublishResources.Settings(startedAt: .zero)
        settings.webHookOrigins = origins
        return PublishResources(gate, counts: HTTPRequestCounts("publish"), settings: settings)
    }

    private static func bytes(
        _ method: String,
        _ target: String,
        headers: [(name: String, value: String)],
        body: String
    ) -> [UInt8] {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: router"]
        lines += headers.map { "\($0.name): \($0.value)" }
        lines.append("Content-Length: \(body.utf8.count)")
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }

    func ask(
        _ body: String = #"{"a":1}"#,
        path: String = "/v1/apps/game/pushes",
        method: String = "POST",
        query: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)] = [],
        token: String? = "right",
        now: WallTime = 1_000,
        origins: WebHookOrigins = .all,
        reply: PublishAnswer = PublishingTests.accepted,
        onLookup: (PushLookup) -> Void = { _ in }
    ) throws -> (response: HTTPResponse, asked: [PushRequest]) {
        let resources = Self.resources(PublisherGate(try Self.table()), origins: origins)
        let bearer = token.map { [("Authorization", "Bearer \($0)")] } ?? []
        let arguments = query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let reader = RequestReader()
        var content: [UInt8] = []
        Self.bytes(
            method,
            query.isEmpty ? path : "\(path)?\(arguments)",
            headers: bearer + headers,
            body: body
        )
        .withByteView { bytes in
            var offset = 0
            while offset < bytes.count {
                let (used, event) = reader.read(bytes.slice(offset, to: bytes.count))
                offset += used
                if case .piece(let piece) = event { content += piece.array }
                if used == 0 { break }
            }
        }
        var judged: PublisherGate.Judged?
        let (admission, route) = resources.admit(
            reader.head,
            certificate: nil,
            judged: &judged,
            revocation: { _, _ in nil },
            now: now
        )
        var asked: [PushRequest] = []
        let answer: PublishAnswer
        switch admission {
        case .body(let target):
            do {
                let head = reader.head
                if let lookup = target.lookup {
                    onLookup(try resources.lookup(lookup, head: head, target: target))
                } else {
                    asked = [
                        try resources.pushTerms(head, target: target, now: now).request(content)
                    ]
                }
                answer = reply
            } catch {
                answer = PublishAnswer(error)
            }
        case .answer(let refusal): answer = refusal
        case .unverified: preconditionFailure("no token is signed")
        }
        var response: HTTPResponse?
        resources.write(answer, to: reader.head, route: route, isLast: false, now: .zero) {
            response = Self.response($0)
        }
        return (try #require(response), asked)
    }

    /// The answer that bytes are.
    private static func response(_ bytes: ByteView) -> HTTPResponse {
        let parts = bytes.string.split(separator: "\r\n\r\n", maxSplits: 1)
        var lines = parts[0].split(separator: "\r\n")
        let status = UInt32(lines.removeFirst().split(separator: " ")[1])!
        let headers = lines.map { line in
            let name = line.prefix { $0 != ":" }
            return (name: String(name), value: String(line.dropFirst(name.count + 2)))
        }
        let body = parts.count == 2 ? Array(parts[1].utf8) : []
        let length = headers.first { $0.name == "Content-Length" }?.value
        #expect(length == (status == 204 ? nil : "\(body.count)"))
        return HTTPResponse(status: status, headers: headers, body: body)
    }

    func code(_ response: HTTPResponse) -> String? {
        var code: String?
        response.body.withByteView { view in
            var reader = JSONReader(view)
            reader.enterObject()
            while let name = reader.nextKey() {
                if name == "code" { code = reader.readString().string } else { reader.skipValue() }
            }
        }
        return code
    }

    @Test func `A push is passed on as it is, and answered with its counts`() throws {
        let (response, asked) = try ask()
        #expect(response.status == 202)
        #expect(
            response.body
                == Array(#"{"accepted":1,"duplicates":0,"matched":7,"rejected":[]}"#.utf8) + [0x0a]
        )
        let push = try #require(asked.first)
        #expect(push.isOfPublisher && push.app == "game" && push.producer == nil)
        #expect(push.payloads.texts == [#"{"a":1}"#])
        #expect(!push.isUrgent && push.expiresAt == nil)
    }

    @Test func `Pushes that had expired, and kinds that there are not, are in the answer`() throws {
        var body = PushesBody(accepted: 2, matched: 0, lastSeq: 2, outcome: PushesOutcome())
        body.expired = 2
        body.unknownKinds = ["a.\"b", "c"]
        let (response, _) = try ask(reply: PublishAnswer(body))
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(
            text == #"{"accepted":2,"duplicates":0,"matched":0,"expired":2,"#
                + #""unknownKinds":["a.\"b","c"],"rejected":[]}"# + "\n"
        )
    }

    @Test func `Headers say what is urgent and when it expires`() throws {
        for (text, isUrgent) in [("?1", true), ("true", true), ("?0", false), ("false", false)] {
            let asked = try ask(headers: [("reload-urgent", text), ("Reload-Void-At", "17")]).asked
            #expect(asked.first?.isUrgent == isUrgent)
            #expect(asked.first?.expiresAt == WallTime(rawValue: 17))
        }
        for header in [
            ("Reload-Urgent", "1"), ("Reload-Urgent", ""), ("Reload-Void-At", "-1"),
            ("Reload-Void-At", ""), ("Reload-Void-At", "+1"), ("Reload-Void-At", "1.5"),
            ("Reload-Void-At", "253402300800000"),
            ("Reload-Kinds", String(repeating: "k", count: 129)),
        ] {
            let (response, asked) = try ask(headers: [header])
            #expect(response.status == 400 && code(response) == "header-invalid" && asked.isEmpty)
        }
    }

    @Test func `Who asks what becomes of pushes is answered`() throws {
        for (text, isAsked) in [("?1", true), ("true", true), ("?0", false)] {
            let asked = try ask(headers: [("Reload-Outcomes", text)]).asked
            #expect(asked.first?.wantsOutcome == isAsked)
        }
        #expect(try ask().asked.first?.wantsOutcome == false)
        let (refusal, asked) = try ask(headers: [("Reload-Outcomes", "yes")])
        #expect(refusal.status == 400 && code(refusal) == "header-invalid" && asked.isEmpty)
        var body = PushesBody(accepted: 1, matched: 0, lastSeq: 2, outcome: PushesOutcome())
        body.showsOutcome = true
        let (response, _) = try ask(reply: PublishAnswer(body))
        #expect(
            String(decoding: response.body, as: UTF8.self)
                == #"{"accepted":1,"duplicates":0,"matched":0,"outcome":{"missed":0,"#
                + #""duplicates":0,"counts":{},"widgets":[]},"rejected":[]}"# + "\n"
        )
    }

    @Test func `A date in seconds is refused by its unit, wherever pushes come from`() throws {
        let now: WallTime = 1_795_945_299_000
        let text = "1795948899"
        let (response, asked) = try ask(headers: [("Reload-Void-At", text)], now: now)
        #expect(response.status == 400 && code(response) == "header-invalid" && asked.isEmpty)
        let sentence =
            "\(text), which looks like seconds since 1970; send milliseconds since 1970"
        #expect(String(decoding: response.body, as: UTF8.self).contains(sentence))
        #expect(try ask(headers: [("Reload-Void-At", text + "000")], now: now).asked.count == 1)
        let stage = AdminStage(now: { now })
        for (path, body) in [
            ("/v1/pushes?app=a&voidAt=\(text)", "{}"),
            ("/v1/slots", #"{"app":"a","kind":"k","dates":[{"id":"x","after":\#(text)}]}"#),
        ] {
            let answer = stage.ask("POST", path, body)
            #expect(answer.status == 400 && answer.text.contains(sentence), "\(answer.text)")
        }
        #expect(stage.port.take() == [])
    }

    @Test(arguments: ["Reload-VoidAt", "reload-kind", "Reload-Urgency", "Reload-X"])
    func `A header of the router's own that there is not is refused`(name: String) throws {
        let (response, asked) = try ask(headers: [(name, "1")])
        #expect(response.status == 400 && code(response) == "header-invalid" && asked.isEmpty)
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(text.contains("no header \(name) ") && text.contains("Reload-Void-At"), "\(text)")
        #expect(text.contains("did you mean") == (name != "Reload-X"), "\(text)")
        #expect(try ask(headers: [("X-Reload-Kind", "1")]).asked.count == 1)
    }

    @Test func `A header names the kinds that pushes are narrowed to`() throws {
        for (text, kinds) in [("a.b", ["a.b"]), ("a, b", ["a", "b"]), ("", [])] {
            let asked = try ask(headers: [("Reload-Kinds", text)]).asked
            #expect(try #require(asked.first).kinds == KindNames.encode(kinds))
        }
        #expect(try #require(try ask().asked.first).kinds == nil)
    }

    @Test func `A key names the places of the events that are none`() throws {
        let batch = [("Content-Type", CloudEvent.batchType), ("Idempotency-Key", "a-1")]
        let event = #"{"specversion":"1.0","id":"1","source":"s","type":"t","data":{}}"#
        func key(_ body: String) throws -> RequestKey {
            try #require(try ask(body, headers: batch).asked.first?.key)
        }
        let one = try key("[\(event),{}]")
        #expect(try key("[\(event),{\"id\":2}]") == one)
        for body in ["[{},\(event)]", "[\(event)]", "[\(event),{},{}]"] {
            let other = try key(body)
            #expect(other.hasName(of: one) && other.content != one.content)
        }
    }

    @Test func `A key names a request and what it says`() throws {
        func key(
            _ headers: [(String, String)],
            _ body: String = "{}"
        ) throws -> RequestKey? {
            try #require(try ask(body, headers: headers).asked.first).key
        }
        let one = try #require(try key([("Idempotency-Key", #""a-1""#)]))
        #expect(try key([("Idempotency-Key", "a-1")]) == one)
        #expect(
            try key([("Idempotency-Key", #""a\"1\\""#)]) == key([("Idempotency-Key", #"a"1\"#)])
        )
        #expect(try key([]) == nil)
        #expect(try key([("Idempotency-Key", "a-2")])?.hasName(of: one) == false)
        for others in [
            [("Reload-Urgent", "?1")], [("Reload-Void-At", "9")], [("Reload-Kinds", "k")],
        ] {
            let other = try #require(try key([("Idempotency-Key", "a-1")] + others))
            #expect(other.hasName(of: one) && other.content != one.content)
        }
        let other = try #require(try key([("Idempotency-Key", "a-1")], "[]"))
        #expect(other.hasName(of: one) && other.content != one.content)
        for text in [
            "", #"""#, #""""#, #""a"b""#, #""a\b""#, "é", String(repeating: "k", count: 256),
        ] {
            let (response, asked) = try ask(headers: [("Idempotency-Key", text)])
            #expect(response.status == 400 && code(response) == "header-invalid" && asked.isEmpty)
        }
        let numbered = try ask(
            query: [("producer", "shard-1"), ("seq", "1")],
            headers: [("Idempotency-Key", "a-1")]
        )
        #expect(try #require(numbered.asked.first).key == nil)
    }

    @Test func `Who has proved nothing learns nothing about the apps`() throws {
        for token in [nil, "wrong"] as [String?] {
            let known = try ask(token: token).response
            let unknown = try ask(path: "/v1/apps/gone/pushes", token: token).response
            #expect(known.status == 401 && unknown.status == 401)
            #expect(code(known) == "token-invalid" && code(unknown) == "token-invalid")
            let text = String(decoding: unknown.body, as: UTF8.self)
            #expect(String(decoding: known.body, as: UTF8.self).count == text.count)
        }
        #expect(try ask(path: "/v1/apps/gone/pushes").response.status == 401)
    }

    @Test func `A producer needs a credential for its name`() throws {
        let seq = (name: "seq", value: "4")
        let mine = try ask(query: [("producer", "shard-7"), seq])
        #expect(mine.response.status == 202)
        #expect(mine.asked.first?.producer == "shard-7" && mine.asked.first?.firstSeq == 4)
        let other = try ask(query: [("producer", "ci"), seq])
        #expect(other.response.status == 403 && other.asked.isEmpty)
        #expect(try ask(query: [("producer", "shard-7")]).response.status == 400)
        #expect(try ask(query: [("seqs", "1")]).response.status == 400)
        #expect(try ask(query: [seq, seq]).response.status == 400)
    }

    @Test func `Too many parameters are refused, and only to those who were let in`() throws {
        let many = Array(
            repeating: (name: "x", value: ""),
            count: PublishTarget.parameterLimit + 1
        )
        #expect(code(try ask(query: many, token: "wrong").response) == "token-invalid")
        let (response, asked) = try ask(query: many)
        #expect(response.status == 400 && code(response) == "parameter-invalid" && asked.isEmpty)
        #expect(String(decoding: response.body, as: UTF8.self).contains("more than 16 parameters"))
    }

    @Test func `A token that is longer than a HELLO may be is refused, whatever was before`() throws
    {
        let long = String(repeating: "a", count: CredentialTable.tokenBytes + 1)
        #expect(code(try ask(token: long).response) == "token-invalid")
        let connection = Connection(PublisherGate(try Self.table()))
        #expect(connection.admits("right"))
        #expect(!connection.admits(long) && connection.judged == nil)
    }

    /// Judges one request after the other on a connection.
    private final class Connection {
        var judged: PublisherGate.Judged?
        let gate: PublisherGate
        let resources: PublishResources

        init(_ gate: PublisherGate) {
            self.gate = gate
            resources = PublishingTests.resources(gate)
        }

        /// Whether a request is let in.
        func admits(_ token: String, query: String = "", at now: WallTime = 1_000) -> Bool {
            let reader = RequestReader()
            PublishingTests.bytes(
                "POST",
                "/v1/apps/game/pushes\(query)",
                headers: [("authorization", "BEARER \(token)")],
                body: ""
            )
            .withByteView { _ = reader.read($0) }
            let admission = resources.admit(
                reader.head,
                certificate: nil,
                judged: &judged,
                revocation: { _, _ in nil },
                now: now
            )
            if case .body = admission.admission { return true }
            return false
        }
    }

    @Test func `A connection that was let in is judged anew when anything differs`() throws {
        let gate = PublisherGate(try Self.table(until: 2_000))
        let connection = Connection(gate)
        #expect(connection.admits("right") && connection.judged != nil)
        #expect(connection.admits("right"))
        #expect(!connection.admits("wrong") && connection.judged == nil)
        #expect(connection.admits("right", query: "?producer=shard-1&seq=1"))
        #expect(!connection.admits("right", query: "?producer=other&seq=1"))
        #expect(connection.admits("right", at: 1_999))
        #expect(!connection.admits("right", at: 2_000), "it has expired")
        #expect(connection.admits("right", at: 1_999))
        gate.replace(try Self.table("another"))
        #expect(!connection.admits("right"), "the app file no longer lists it")
        #expect(connection.admits("another"))
    }

    @Test func `Who was let in is judged again by what is in force when its body ends`() throws {
        let gate = PublisherGate(try Self.table(until: 2_000))
        let connection = Connection(gate)
        #expect(connection.admits("right"))
        let judged = try #require(connection.judged)
        func code(at now: WallTime = 1_000) -> String? {
            gate.problem(of: judged, revocation: { _, _ in nil }, now: now)?.code
        }
        #expect(code() == nil)
        #expect(code(at: 2_000) == "token-expired")
        gate.replace(try Self.table(until: 2_000))
        #expect(code() == nil, "another app file lists it, too")
        gate.replace(try Self.table("another"))
        #expect(code() == "token-invalid")
    }

    @Test func `A request without a host or with two is refused`() throws {
        for lines in ["", "Host: a\r\nHost: b\r\n"] {
            let reader = RequestReader()
            Array("GET /openapi.json HTTP/1.1\r\n\(lines)\r\n".utf8).withByteView {
                _ = reader.read($0)
            }
            var judged: PublisherGate.Judged?
            let resources = Self.resources(PublisherGate(try Self.table()))
            let admission = resources.admit(
                reader.head,
                certificate: nil,
                judged: &judged,
                revocation: { _, _ in nil },
                now: .zero
            )
            guard case .answer(let answer) = admission.admission else {
                Issue.record("it is admitted")
                continue
            }
            #expect(answer.status == 400)
        }
    }

    @Test func `Segments of a path are decoded before they are compared`() throws {
        #expect(try ask(path: "/v1/apps/g%61me/pushe%73").response.status == 202)
        #expect(try ask(path: "/v1/apps/game%2Fpushes", token: nil).response.status == 404)
        #expect(try ask(path: "/v1/apps/%ff/pushes").response.status == 404)
    }

    @Test func `Another path or method is a problem`() throws {
        #expect(try ask(path: "/").response.status == 404)
        #expect(try ask(path: "/v1/apps/game/pushes/").response.status == 404)
        let wrong = try ask(method: "PUT", token: nil).response
        #expect(wrong.status == 405 && wrong.header("Allow") == "GET, HEAD, POST, OPTIONS")
        #expect(try ask(path: "/openapi.json", method: "GET", token: nil).response.status == 200)
    }

    @Test func `The only push that is refused is a problem, one among several is a line`() throws {
        func answer(_ accepted: Int) -> PublishAnswer {
            let rejection = PushesBody.Rejection(line: 2, code: "payload-not-json", detail: "no")
            return PublishAnswer(
                PushesBody(
                    accepted: accepted,
                    matched: 0,
                    lastSeq: 1,
                    refused: RefusedLines(count: 1, named: [rejection]),
                    outcome: PushesOutcome()
                )
            )
        }
        let only = try ask(reply: answer(0)).response
        #expect(only.status == 422 && code(only) == "payload-not-json")
        #expect(try ask(reply: answer(1)).response.status == 202)
    }

    @Test func `A refusal that may pass says when to try again`() throws {
        for status: UInt32 in [429, 503] {
            let problem = AdminProblem(status, code: "busy", detail: "later")
            #expect(try ask(reply: .problem(problem)).response.header("Retry-After") == "1")
        }
    }

    @Test func `Duplicates are counted apart`() throws {
        var outcome = PushesOutcome()
        var duplicate = OutcomeMessage()
        duplicate.isDuplicate = true
        outcome.add(duplicate)
        let body = PushesBody(accepted: 3, matched: 2, lastSeq: 9, outcome: outcome)
        let text = try ask(reply: PublishAnswer(body)).response.text
        #expect(text.hasPrefix(#"{"accepted":2,"duplicates":1,"matched":2,"#))
    }
}
