import Basics
import Credentials
import Cryptography
import FrameCodec
import HTTPMessages
import HTTPServing
import RouterCore
import TestSupport
import Testing

@testable import AdminAPI

/// Reports of devices, from the bytes of a request to what the router is asked, and back.
@Suite("Devices over HTTP")
struct ReportingTests {
    private static func credential(_ token: String, _ names: [String]) throws -> Credential {
        Credential(
            id: token,
            proof: .token(token.withByteView { SHA256.digest($0) }),
            names: try NamePatterns(names),
            notAfter: nil
        )
    }

    /// Lets in the token `mine` for devices `d-*`, and `edge` as a gateway for `eu-*`.
    private static func gate() throws -> PublisherGate { PublisherGate(try table()) }

    private static func table(edge names: [String] = ["eu-*"]) throws -> CredentialTable {
        let access = AppAccess(
            app: "game",
            publishers: .listed([try credential("cms", ["*"])]),
            devices: .listed([try credential("mine", ["d-*"])]),
            gateways: .listed([try credential("edge", names)])
        )
        return CredentialTable([access], decoys: try VerificationKey.decoys())
    }

    private func admit(
        _ path: String,
        method: String = "PUT",
        token: String? = "mine",
        headers: [String] = []
    ) throws -> (admission: PublishResources.Admission, route: String, head: RequestHead) {
        let resources = try Self.resources()
        let reader = RequestReader()
        var lines = ["\(method) \(path) HTTP/1.1", "Host: router", "Content-Length: 2"] + headers
        if let token { lines.append("Authorization: Bearer \(token)") }
        Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8).withByteView {
            _ = reader.read($0)
        }
        var judged: PublisherGate.Judged?
        let (admission, route) = resources.admit(
            reader.head,
            certificate: nil,
            judged: &judged,
            revocation: { _, _ in nil },
            now: 1_000
        )
        return (admission, route, reader.head)
    }

    private static func resources() throws -> PublishResources {
        PublishResources(
            try gate(),
            counts: HTTPRequestCounts("publish"),
            settings: .init(startedAt: .zero)
        )
    }

    private func refusal(_ admission: PublishResources.Admission) -> (UInt32, String)? {
        guard case .answer(.problem(let problem)) = admission else { return nil }
        return (problem.status, problem.code)
    }

    @Test(
        arguments: [
            ("PUT", "widgets", .widgets), ("POST", "timelines", .timeline),
            ("POST", "requests", .request), ("POST", "state", .state),
        ] as [(String, String, FrameType)]
    )
    func `Each path stands for a frame of the device that it names`(
        method: String,
        name: String,
        type: FrameType
    ) throws {
        let path = "/v1/apps/game/devices/d-%31/\(name)"
        let (admission, route, _) = try admit(path, method: method)
        guard case .body(let target) = admission else {
            Issue.record("\(admission)")
            return
        }
        #expect(route == "/v1/apps/{app}/devices/{device}/\(name)")
        #expect(target.report == PublishTarget.Report(device: "d-1", type: type))
        let asked = try #require(target.report)
        let report = try Self.resources().report(asked, target: target, body: [0x7b])
        #expect(report.app == "game" && report.device == "d-1" && report.type == type)
        #expect(!report.isOfGateway && report.body == [0x7b])
        let other = try admit(path, method: method == "PUT" ? "POST" : "PUT").admission
        guard case .answer(let answer) = other else {
            Issue.record("\(other)")
            return
        }
        #expect(answer.status == 405)
    }

    @Test func `A gateway that may speak for fewer devices meanwhile is judged so again`() throws {
        let gate = try Self.gate()
        let reader = RequestReader()
        let head =
            "PUT /v1/apps/game/devices/eu-1/widgets HTTP/1.1\r\nHost: router\r\n"
            + "Authorization: Bearer edge\r\nContent-Length: 2\r\n\r\n"
        Array(head.utf8).withByteView { _ = reader.read($0) }
        var admitted: PublisherGate.Judged?
        _ = PublishResources(
            gate,
            counts: HTTPRequestCounts("publish"),
            settings: .init(startedAt: .zero)
        )
        .admit(
            reader.head,
            certificate: nil,
            judged: &admitted,
            revocation: { _, _ in nil },
            now: 1_000
        )
        let judged = try #require(admitted)
        for (names, code) in [(["*"], nil), (["eu-2"], "token-invalid")] as [([String], String?)] {
            gate.replace(try Self.table(edge: names))
            let problem = gate.problem(of: judged, revocation: { _, _ in nil }, now: 1_000)
            #expect(problem?.code == code)
        }
    }

    @Test func `Devices and gateways are let in for their own devices, and no others`() throws {
        func judge(_ device: String, _ token: String?) throws -> String {
            let admission = try admit("/v1/apps/game/devices/\(device)/widgets", token: token)
                .admission
            if case .body(let target) = admission { return target.role.rawValue }
            return refusal(admission).map { "\($0.0) \($0.1)" } ?? "\(admission)"
        }
        #expect(try judge("d-1", "mine") == "device")
        #expect(try judge("eu-1", "mine") == "403 token-invalid")
        #expect(try judge("eu-1", "edge") == "gateway")
        #expect(try judge("d-1", "edge") == "403 device-foreign")
        for token in ["cms", "none", nil] {
            #expect(try judge("d-1", token) == "401 token-invalid")
        }
    }

    @Test func `What is no report is refused before its body is read`() throws {
        for (path, problem) in [
            ("/v1/apps/game/devices/d-1/widgets?seq=1", (400, "parameter-invalid")),
            ("/v1/apps/game/devices//widgets", (400, "identifier-invalid")),
            ("/v1/apps/game/devices/d%0a/widgets", (400, "identifier-invalid")),
            ("/v1/apps/game/devices/d-1/reloads", (404, "not-found")),
            ("/v1/apps/gone/devices/d-1/widgets", (401, "token-invalid")),
        ] as [(String, (UInt32, String))] {
            let refused = try #require(refusal(try admit(path).admission))
            #expect(refused == problem, "\(path)")
        }
        let path = "/v1/apps/game/devices/d-1/widgets"
        let admission = try admit(path, headers: ["Content-Type: text/xml"]).admission
        guard case .body(let target) = admission, let asked = target.report else {
            Issue.record("\(admission)")
            return
        }
        #expect(throws: AdminProblem.self) {
            try Self.resources().report(asked, target: target, body: [])
        }
    }

    @Test func `The router's answers become answers of HTTP`() throws {
        func text(_ answer: ReportAnswer) throws -> String {
            let reader = RequestReader()
            Array("PUT / HTTP/1.1\r\nHost: r\r\n\r\n".utf8).withByteView { _ = reader.read($0) }
            var found = ""
            try Self.resources().write(
                PublishAnswer(answer),
                to: reader.head,
                route: "/",
                isLast: false,
                now: .zero
            ) { found = $0.string }
            return found
        }
        let registered = try text(.registered(widgets: 7))
        #expect(registered.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(registered.hasSuffix("\r\n\r\n{\"widgets\":7}\n"))
        #expect(try text(.scheduled(Array("{}".utf8))).hasSuffix("\r\n\r\n{}\n"))
        let nothing = try text(.none)
        #expect(nothing.hasPrefix("HTTP/1.1 204 No Content\r\n"))
        #expect(nothing.hasSuffix("\r\n\r\n") && !nothing.contains("Content-Length"))
    }
}
