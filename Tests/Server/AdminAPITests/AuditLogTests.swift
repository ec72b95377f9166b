import Credentials
import Foundation
import HTTPServing
import Platform
import StrictJSON
import Synchronization
import TestSupport
import Testing
import Times

@testable import AdminAPI

@Suite("The audit log")
struct AuditLogTests {
    private let folder = TestFolder()
    private var path: String { folder.path + "/audit.jsonl" }

    private func record(_ id: String, status: UInt32 = 200) -> AuditRecord {
        var request = HTTPRequest(method: "POST", path: "/v1/apps/a%2Fb/pause")
        request.client = "127.0.0.1:5123"
        return AuditRecord(
            date: 1_000,
            admitted: AdmittedOperator(
                Operator(name: "anna", role: .operator, proof: .certificate(.dns("a"))),
                way: .certificate
            ),
            request: request,
            id: id,
            status: status,
            problem: nil,
            change: AuditedChange(
                before: { $0.member("isPaused", value: false) },
                after: { $0.member("isPaused", value: true) }
            )
        )
    }

    private func lines(_ path: String) -> [String] {
        (text(path) ?? "").split(separator: "\n").map(String.init)
    }

    private func text(_ path: String) -> String? {
        try? String(contentsOfFile: path, encoding: .utf8)
    }

    @Test func `A record says who, from where, what, before and after`() {
        #expect(
            String(decoding: record("r-1").line, as: UTF8.self)
                == #"{"at":"1970-01-01T00:00:01Z","operator":"anna","role":"operator","#
                + #""by":"certificate","from":"127.0.0.1:5123","request":"r-1","#
                + #""command":"POST /v1/apps/a/b/pause","status":200,"#
                + #""before":{"isPaused":false},"after":{"isPaused":true}}"# + "\n"
        )
    }

    @Test func `A command is answered when its record is on the disk`() throws {
        let log = try AuditLog(path) { _ in }
        let stage = AdminStage { $0.audit = log }
        let answered = Signal()
        stage.resources.serve(
            stage.identified(HTTPRequest(method: "POST", path: "/v1/apps/a/pause")),
            events: { preconditionFailure("a stream") },
            answer: { make in
                _ = make()
                answered.give()
                return true
            }
        )
        answered.wait()
        let found = lines(path)
        #expect(found.count == 1)
        #expect(found.first?.contains(#""operator":"tester","role":"admin""#) == true)
        #expect(found.first?.contains(#""command":"POST /v1/apps/a/pause","status":200"#) == true)
    }

    @Test func `Requests that change nothing are not written down`() throws {
        let log = try AuditLog(path) { _ in }
        let stage = AdminStage { $0.audit = log }
        #expect(stage.ask("GET", "/v1/apps").status == 200)
        #expect(stage.ask("POST", "/v1/explain", #"{"app":"a","payload":{}}"#).status == 200)
        #expect(lines(path) == [])
    }

    @Test func `A full file makes room, and the oldest is dropped`() throws {
        let file = try AuditFile(path, limit: 10, formerFiles: 2)
        for number in 1...5 { try file.append([Array("line \(number) is long\n".utf8)]) }
        #expect(lines(path) == ["line 5 is long"])
        #expect(lines("\(path).1") == ["line 4 is long"])
        #expect(lines("\(path).2") == ["line 3 is long"])
        #expect(text("\(path).3") == nil)
        #expect(text("\(path).new") == nil)
    }

    @Test func `A rotation that could not end loses no file at the next try`() throws {
        let file = try AuditFile(path, limit: 1, formerFiles: 3)
        for number in 1...3 { try file.append([Array("\(number)\n".utf8)]) }
        // A folder with something in it cannot be replaced by a file.
        try FileManager.default.createDirectory(
            atPath: "\(path).3/x",
            withIntermediateDirectories: true
        )
        #expect(throws: AuditLogError.self) { try file.append([Array("4\n".utf8)]) }
        #expect(throws: AuditLogError.self) { try file.append([Array("4\n".utf8)]) }
        #expect(lines(path) == ["3"] && lines("\(path).1") == ["2"] && lines("\(path).2") == ["1"])
        try FileManager.default.removeItem(atPath: "\(path).3")
        try file.append([Array("4\n".utf8)])
        #expect((1...3).map { lines("\(path).\($0)") } == [["3"], ["2"], ["1"]])
    }

    @Test func `A line that a crash has cut does not spoil the next one`() throws {
        try AuditFile(path, limit: 100, formerFiles: 1).append([Array("{\"a\":1}\n{\"b".utf8)])
        try AuditFile(path, limit: 100, formerFiles: 1).append([Array("{}\n".utf8)])
        #expect(lines(path) == ["{\"a\":1}", "{\"b", "{}"])
    }

    @Test func `Its owner alone can read it, and several may write it`() throws {
        let file = try AuditFile(path, limit: 100, formerFiles: 1)
        try file.append([Array("x\n".utf8)])
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        let other = try AuditFile(path, limit: 100, formerFiles: 1)
        try other.append([Array("y\n".utf8)])
        try file.append([Array("z\n".utf8)])
        #expect(lines(path) == ["x", "y", "z"])
    }

    @Test func `While it cannot be written, commands are refused and nothing is lost`() throws {
        let changes = Mutex<[String?]>([])
        let log = try AuditLog(path) { reason in changes.withLock { $0.append(reason) } }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let tried = Signal()
        log.append(record("r-1")) { tried.give() }
        tried.wait()
        #expect(log.problem?.code == "audit-log-failing")
        let stage = AdminStage { $0.audit = log }
        #expect(stage.ask("POST", "/v1/drain").code == "audit-log-failing")
        #expect(stage.port.take() == [])
        #expect(stage.ask("GET", "/v1/apps").status == 200)
        try FileManager.default.removeItem(atPath: path)
        while log.problem != nil { sched_yield() }
        #expect(lines(path).count == 1)
        #expect(changes.withLock { $0.map { $0 == nil } } == [false, true])
    }

    @Test func `A place that cannot be written is refused at the start`() {
        let error = #expect(throws: AuditLogError.self) {
            try AuditLog("\(folder.path)/none/audit.jsonl") { _ in }
        }
        #expect(error?.description.hasSuffix("No such file or directory") == true)
    }
}

/// Something that a test waits for.
private final class Signal: @unchecked Sendable {
    // Unchecked: the var is used under the monitor.
    private let monitor = Monitor()
    private var isGiven = false

    func give() {
        monitor.locked { isGiven = true }
        monitor.wake()
    }

    func wait() { monitor.locked { while !isGiven { monitor.wait() } } }
}
