import Basics
import Credentials
import Foundation
import HTTPServing
import Platform
import Synchronization
import TestSupport
import Testing

@testable import AdminAPI

@Suite("The audit log")
struct AuditLogTests {
    private let folder = TestFolder()
    private var path: String { folder.path + "/audit.jsonl" }

    private func log(
        onFailure: @escaping @Sendable (AuditFailure) -> Void = { _ in }
    ) throws -> AuditLog {
        try AuditLog(path, now: { 1_001 }, onFailure: onFailure)
    }

    private func key() throws -> AuditKey { try AuditKey(ofLog: path, mayBeNew: true) }

    /// The lines of a file without their codes.
    private func lines(_ path: String) -> [String] {
        sealed(path).map { String($0.prefix { $0 != "~" }) }
    }

    private func sealed(_ path: String) -> [String] {
        (text(path) ?? "").replacing(",\"previous\"", with: "~")
            .split(separator: "\n").map(String.init)
    }

    private func text(_ path: String) -> String? {
        try? String(contentsOfFile: path, encoding: .utf8)
    }

    private func problems() throws -> [String] { try AuditVerification(path).problems }

    // MARK: - Records

    @Test func `A record says who, from where, what, before and after`() {
        let head =
            #"{"at":"1970-01-01T00:00:01.001Z","operator":"anna","role":"operator","#
            + #""by":"certificate","from":"127.0.0.1:5123","request":"r-1","#
            + #""command":"POST /v1/apps/a%2Fb/pause","#
        #expect(AuditRecord.begun("r-1").object.text == head + #""state":"begun"}"#)
        #expect(
            AuditRecord.ended("r-1").object.text
                == head + #""state":"done","status":200,"before":{"isPaused":false},"#
                + #""after":{"isPaused":true}}"#
        )
        #expect(
            AuditRecord.ended("r-1", status: 404).object.text
                == head + #""state":"refused","status":404,"problem":"app-unknown","#
                + #""before":null,"after":null}"#
        )
    }

    @Test func `No line is longer than a limit in bytes, and none is cut within a character`() {
        let long = String(repeating: "€", count: 5_000)
        var record = AuditRecord.begun("r", path: "/v1/apps/\(long)/pause")
        record.state = .ended(
            status: 200,
            problem: nil,
            change: AuditedChange(
                before: { $0.member("x", value: long) },
                after: { $0.member("y", value: String(repeating: "y", count: 100)) }
            )
        )
        let object = record.object
        #expect(object.count < AuditFile.lineLimit - 1_000)
        #expect(String(validating: object, as: UTF8.self) != nil)
        #expect(object.text.contains(#""before":{"bytes":15008}"#))
    }

    @Test func `Another secret under the same name has another code`() throws {
        let key = try key()
        func summary(_ proofs: [(String, UInt8)]) -> AppFileSummary {
            AppFileSummary(
                source: AdminStage.digest("file"),
                credentials: proofs.map { (name: "a device \($0.0)", proof: Secret([$0.1])) },
                digest: { key.digest(of: $0) }
            )
        }
        func written(_ own: AppFileSummary, unlike other: AppFileSummary) -> String {
            JSONWriter.object { own.write(to: &$0, unlike: other) }.text
        }
        let former = summary([("k", 1), ("l", 2)])
        let swapped = summary([("k", 9), ("l", 2)])
        let (before, after) = (written(former, unlike: swapped), written(swapped, unlike: former))
        #expect(before != after)
        #expect(before.contains("a device k") && after.contains("a device k"))
        #expect(!after.contains("a device l"), "what is the same is not listed")
        #expect(written(former, unlike: former).contains(#""credentials":[]"#))
        let many = summary((0..<1_000).map { ("key-number-\($0)", 1) })
        #expect(written(many, unlike: former).utf8.count < AuditRecord.stateLimit)
        #expect(written(many, unlike: former).contains("furtherCredentials"))
    }

    // MARK: - Commands

    @Test func `A command is on the disk before its effect, and its end before the answer`() throws
    {
        let log = try log()
        let before = Mutex<[String]>([])
        let path = path
        let port = FakePort { _ in
            before.withLock {
                $0 = (TestFolder.read(path).text).split(separator: "\n").map(String.init)
            }
            return .body(Echo())
        }
        let stage = AdminStage(port: port) { $0.audit = log }
        #expect(stage.ask("POST", "/v1/apps/a/pause").status == 200)
        #expect(before.withLock { $0.count } == 1)
        #expect(before.withLock { $0[0].contains(#""state":"begun""#) })
        let found = lines(path)
        #expect(found.count == 2)
        #expect(found[1].contains(#""operator":"tester","role":"admin""#))
        #expect(
            found[1].contains(#""command":"POST /v1/apps/a/pause","state":"done","status":200"#)
        )
        #expect(try problems() == [])
    }

    @Test func `Requests that change nothing are not written down`() throws {
        let log = try log()
        let stage = AdminStage { $0.audit = log }
        #expect(stage.ask("GET", "/v1/apps").status == 200)
        #expect(stage.ask("POST", "/v1/explain", #"{"app":"a","payload":{}}"#).status == 200)
        log.stop()
        #expect(lines(path) == [])
    }

    @Test func `While it cannot be written no command has an effect, and then it works again`()
        throws
    {
        let changes = Mutex<[AuditFailure]>([])
        let log = try log { failure in changes.withLock { $0.append(failure) } }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let stage = AdminStage { $0.audit = log }
        // A command does not wait until what is left is tried again.
        let begin = MonotonicTime.now
        for _ in 0..<10 {
            let refused = stage.ask("POST", "/v1/drain")
            #expect(refused.status == 503 && refused.code == "audit-log-failing")
            #expect(log.isFailing)
        }
        #expect(MonotonicTime.now - begin < AuditLog.retryPause * 4)
        #expect(stage.port.take() == [])
        #expect(stage.ask("GET", "/metrics").text.contains("\nreload_router_audit_log_failing 1\n"))
        #expect(stage.ask("GET", "/v1/apps").status == 200)
        try FileManager.default.removeItem(atPath: path)
        #expect(stage.ask("POST", "/v1/drain").status == 200)
        #expect(stage.port.take() == ["apps", "drain"])
        #expect(!log.isFailing)
        #expect(stage.ask("GET", "/metrics").text.contains("\nreload_router_audit_log_failing 0\n"))
        #expect(lines(path).count == 3)
        let gap = #""state":"failed","since":"1970-01-01T00:00:01.001Z","problem":"Is a directory""#
        #expect(lines(path).first?.contains(gap) == true)
        #expect(changes.withLock { $0 } == [.writing("Is a directory"), .writing(nil)])
    }

    @Test func `It works again by itself, without a command`() throws {
        let worksAgain = Signal()
        let log = try log { if $0 == .writing(nil) { worksAgain.give() } }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let stage = AdminStage { $0.audit = log }
        #expect(stage.ask("POST", "/v1/drain").code == "audit-log-failing")
        try FileManager.default.removeItem(atPath: path)
        worksAgain.wait()
        #expect(!log.isFailing && lines(path).count == 1)
    }

    @Test func `That its end was cut off is reported when it is written`() throws {
        let changes = Mutex<[AuditFailure]>([])
        let log = try log { failure in changes.withLock { $0.append(failure) } }
        let stage = AdminStage { $0.audit = log }
        #expect(stage.ask("POST", "/v1/drain").status == 200)
        let whole = text(path)!
        let first = String(whole.prefix { $0 != "\n" }) + "\n"
        try first.write(toFile: path, atomically: false, encoding: .utf8)
        #expect(stage.ask("POST", "/v1/drain").status == 200)
        #expect(changes.withLock { $0 } == [.cut])
        #expect(try problems() == ["\(path), line 2: lines before it are missing, or were moved"])
    }

    @Test func `How a command has ended is written later if it cannot be at once`() throws {
        let log = try log()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let tried = Signal()
        log.end(AuditRecord.ended("r-1")) { tried.give() }
        tried.wait()
        let stage = AdminStage { $0.audit = log }
        #expect(stage.ask("POST", "/v1/drain").code == "audit-log-failing")
        try FileManager.default.removeItem(atPath: path)
        while stage.ask("POST", "/v1/drain").status != 200 { sched_yield() }
        #expect(lines(path).first?.contains(#""request":"r-1""#) == true)
    }

    @Test func `After its end nothing begins`() throws {
        let log = try log()
        let stage = AdminStage { $0.audit = log }
        log.stop()
        #expect(stage.ask("POST", "/v1/drain").code == "draining")
        #expect(stage.port.take() == [])
    }

    @Test func `At its end each command that waits for a line is refused`() throws {
        let file = try AuditFile(path, key: key(), limit: 1 << 20, formerFiles: 1)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let writer = AuditWriter(file, syslog: nil, now: { 1_001 }, onFailure: { _ in })
        let said = Mutex<[String]>([])
        @Sendable func append(_ name: String, then: @escaping @Sendable () -> Void = {}) {
            writer.append(
                { AuditRecord.begun(name).object },
                kind: .intent { problem in
                    said.withLock { $0.append("\(name) \(problem?.code ?? "begins")") }
                    then()
                }
            )
        }
        append("first") {
            // The first try has failed, and there is no second one: the log is ending.
            append("second")
            writer.append(
                { AuditRecord.ended("third").object },
                kind: .result { said.withLock { $0.append("third") } }
            )
        }
        #expect(writer.stop())
        writer.run()
        append("late")
        #expect(
            said.withLock { $0 } == [
                "first audit-log-failing", "second audit-log-failing", "third", "late draining",
            ]
        )
    }

    // MARK: - Refusals

    @Test func `What an operator was refused is one line, however often it was`() throws {
        let log = try log()
        let token = AdminStage.token
        let viewer = Operator(name: "v", role: .viewer, proof: .token(AdminStage.digest(token)))
        let old = Operator(
            name: "old",
            role: .admin,
            proof: .token(AdminStage.digest("old-old-old-old-old")),
            notAfter: 5
        )
        let stage = AdminStage(token: "another-token-0123", operators: [viewer, old]) {
            $0.audit = log
        }
        func ask(
            _ method: String,
            _ target: String,
            _ token: String,
            _ body: HTTPBody = .whole([]),
            _ headers: [(name: String, value: String)] = []
        ) -> String? {
            let bearer = (name: "Authorization", value: "Bearer \(token)")
            return stage.ask(method, target, body, headers: [bearer] + headers).code
        }
        for _ in 0..<50 {
            #expect(ask("POST", "/v1/apps/\(UUID())/pause", token) == "role-insufficient")
        }
        let foreign = [(name: "Origin", value: "https://evil.example")]
        #expect(ask("GET", "/v1/apps", token, .whole([]), foreign) == "origin-foreign")
        #expect(ask("POST", "/v1/links?x=1", token) == "parameter-invalid")
        #expect(ask("POST", "/v1/links", token, .tooLarge) == "body-too-large")
        #expect(ask("GET", "/v1/apps", "old-old-old-old-old") == "token-expired")
        #expect(ask("POST", "/v1/drain", "a-stranger-a-stranger") == "unauthorized")
        #expect(lines(path) == [])
        log.stop()
        let found = lines(path)
        #expect(found.count == 2)
        let own = found.first { $0.contains(#""operator":"v""#) } ?? ""
        #expect(own.contains(#""state":"counted","since":"#))
        #expect(
            own.contains(
                #"{"command":"POST /v1/apps/{app}/pause","problem":"role-insufficient","count":50}"#
            )
        )
        for problem in ["origin-foreign", "parameter-invalid", "body-too-large"] {
            #expect(own.contains(#""problem":"\#(problem)","count":1"#))
        }
        #expect(
            found.contains { $0.contains("\"operator\":\"old\"") && $0.contains("token-expired") }
        )
        #expect(stage.port.take() == [])
    }

    @Test func `Pushes are counted, and the first of a minute is on the disk before its effect`()
        throws
    {
        let log = try log()
        let stage = AdminStage { $0.audit = log }
        for app in ["a", "a", "b"] {
            #expect(stage.ask("POST", "/v1/pushes?app=\(app)", "{}").status == 200)
        }
        let lines = "{}\n{}\n{}\n"
        let type = "application/x-ndjson"
        #expect(stage.ask("POST", "/v1/pushes?app=a", lines, type: type).status == 200)
        #expect(stage.ask("POST", "/v1/pushes?app=", "{}").code == "identifier-invalid")
        let begun = self.lines(path)
        #expect(begun.count == 2 && begun.allSatisfy { $0.contains(#""state":"begun""#) })
        log.stop()
        let counted = self.lines(path).last ?? ""
        #expect(
            counted.contains(
                #""done":[{"command":"POST /v1/pushes","app":"a","count":3,"items":5},"#
            )
        )
        #expect(counted.contains(#""problem":"identifier-invalid","count":1"#))
    }

    @Test func `A push without a line has no effect`() throws {
        let log = try log()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let stage = AdminStage { $0.audit = log }
        #expect(stage.ask("POST", "/v1/pushes?app=a", "{}").code == "audit-log-failing")
        #expect(stage.port.take() == [])
    }

    @Test func `A minute of refusals has a bounded line`() {
        var counts = AuditCounts()
        for number in 0..<1_000 {
            let kind = AuditCounts.Kind(command: "GET /\(number)", problem: "x")
            counts.add(
                .init(kind: kind, admitted: AuditRecord.anna, client: "c"),
                now: 0,
                time: 0
            )
        }
        #expect(counts.due == 60_000)
        #expect(counts.take(until: 59_999, now: 0) == [])
        let lines = counts.take(until: 60_000, now: 60_000)
        #expect(lines.count == 1 && lines[0].count < 2_000)
        #expect(lines[0].text.contains(#""otherRefused":984"#))
        #expect(counts.due == nil)
    }

    @Test func `Each line is sent to syslog, too`() throws {
        let socket = folder.path(of: "log")
        let receiver = try DatagramReceiver(socket)
        let log = try AuditLog(
            path,
            syslog: AuditSyslog(socket, process: 7),
            now: { 1_001 },
            onFailure: { _ in }
        )
        let stage = AdminStage { $0.audit = log }
        #expect(stage.ask("POST", "/v1/drain").status == 200)
        let first = receiver.next()
        #expect(first.hasPrefix("<85>Jan  1 00:00:01 reload-router[7]: {\"at\":\"1970-"))
        #expect(first.contains(#""state":"begun""#) && first.hasSuffix("\"}"))
        #expect(receiver.next().contains(#""state":"done""#))
        #expect(throws: (any Error).self) { try AuditSyslog("relative", process: 7) }
    }

    @Test func `A place that cannot be written is refused at the start`() {
        let error = #expect(throws: AuditLogError.self) {
            try AuditLog("\(folder.path)/none/audit.jsonl", now: { 0 }, onFailure: { _ in })
        }
        #expect(error?.description.hasSuffix("No such file or directory") == true)
    }
}

/// A socket to which lines are sent.
private final class DatagramReceiver {
    private let descriptor: CInt

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &name) { name in
            name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(isBound == 0)
    }

    deinit { close(descriptor) }

    func next() -> String {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
