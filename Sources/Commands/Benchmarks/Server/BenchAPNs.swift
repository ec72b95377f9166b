import APNsConnections
import APNsProtocol
import ArgumentParser
import Basics
import CommandSupport
import Credentials
import Cryptography
import Glibc
import HTTP2
import LibuvLoop
import LoadReporting
import Platform

/// `bench apns`: measures pushes to APNs, with h2load as the reference.
struct BenchAPNs: Benchmark {
    static let plan = BenchPlan(
        name: "apns",
        what: "pushes to APNs over 1 and 4 connections",
        aim: "at most 4 µs CPU a push",
        discussion: """
            This process pushes to `reload-lab apns-mock` with TLS. `cpu` is the CPU time of what \
            sends, for a request; the reference is h2load, which sends the same requests to the \
            same server. Without Debian's package nghttp2-client there is no reference.
            """,
        quick: "--pushes 200"
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Pushes of a round.")
    var pushes = 100_000

    @Option(help: "Numbers of connections.")
    var connections = [1, 4]

    func validate() throws {
        try checkNumbers([pushes], within: 100...10_000_000, of: "--pushes")
        try checkNumbers(connections, within: 1...64, of: "--connections")
    }

    func measure(_ run: BenchRun) throws {
        let server = try APNsBenchServer()
        defer { server.process.stop() }
        for count in connections {
            printProgress("\(count) connections")
            let sides = try run.alternate(APNsBenchServer.hasReference ? [true, false] : [true]) {
                isOurs in
                if !isOurs { return try server.h2load(pushes, connections: count) }
                let sender = try APNsBenchSender(server, connections: count)
                defer { sender.close() }
                return try sender.send(pushes)
            }
            run.add("\(count).rate", of: sides, as: \.rate, unit: "pushes/s")
            let cpu = { (windows: [BenchWindow]) in windows.cpu / 1_000 }
            run.add("\(count).cpu", of: sides, as: cpu, unit: "µs/push", aim: .value(4))
        }
    }
}

/// `reload-lab apns-mock`, to which pushes are sent.
final class APNsBenchServer {
    let process: LabProcess
    let port: UInt16
    let token = String(repeating: "0f", count: 32)
    let authorization: String
    private let folder: TemporaryFolder
    private let security: BenchSecurity

    /// True if h2load, of Debian's package nghttp2-client, is installed.
    static var hasReference: Bool { unsafe access("/usr/bin/h2load", X_OK) == 0 }

    init() throws {
        security = try BenchSecurity()
        folder = try TemporaryFolder(in: "/tmp")
        let header = encodeBase64URL(Array(#"{"alg":"ES256","kid":"ABCDE12345"}"#.utf8))
        let date = WallTime.now.rawValue / 1_000
        let claims = encodeBase64URL(Array(#"{"iss":"TEAM012345","iat":\#(date)}"#.utf8))
        authorization = "\(header).\(claims).\(String(repeating: "A", count: 86))"
        try ReportFile.write(#"{"aps":{"content-changed":true}}"#, to: folder("body.json"))
        process = try LabProcess(
            "apns-mock",
            program: .lab,
            // h2load does not wait for the server's settings.
            arguments: ["apns-mock", "--listen", "127.0.0.1:0", "--first-streams", "1000"]
                + security.flags
        )
        guard let port = process.line.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw BenchFailure("apns-mock printed: \(process.line)")
        }
        self.port = port
    }

    /// Sends as many pushes with h2load.
    func h2load(_ count: Int, connections: Int) throws -> BenchWindow {
        let fields = [
            "authorization: bearer \(authorization)", "apns-push-type: widgets",
            "apns-topic: com.mygame.push-type.widgets", "apns-priority: 5", "apns-expiration: 0",
            "apns-id: 00000000-0000-4000-8000-000000000000",
        ]
        let flags = fields.map { "-H '\($0)'" }.joined(separator: " ")
        let start = ExactTime.now
        let process = try LabProcess(
            "h2load",
            program: .shell,
            arguments: [
                "-c",
                "h2load -n \(count) -c \(connections) -m 1000 -t 1 -d \(folder("body.json")) "
                    + "\(flags) https://127.0.0.1:\(port)/3/device/\(token) | "
                    + "grep -c '\(count) succeeded'; times",
            ]
        )
        defer { process.stop() }
        let time = ExactTime.now - start
        if process.line != "1" { throw BenchFailure("not all pushes of h2load were accepted") }
        _ = process.readLine()
        // The times of the shell's children: 0m1.230s 0m0.450s
        let times = process.readLine().split(separator: " ").map { word in
            let parts = word.split(whereSeparator: { $0 == "m" || $0 == "s" })
            return (Double(parts.first ?? "") ?? 0) * 60
                + (Double(parts.dropFirst().first ?? "") ?? 0)
        }
        let cpu = Nanoseconds(seconds: times.reduce(0, +))
        return BenchWindow(operations: count, time: time, cpu: cpu)
    }
}

/// Sends pushes as the router would, as fast as they are answered.
final class APNsBenchSender: APNsPoolOwner {
    private let bench: BenchLoop
    private var pool: APNsPool?
    private let token: [UInt8]
    private let topic = Array("com.mygame.push-type.widgets".utf8)
    private let payload = APNsPushType.widgets.payload(kinds: [])
    private var leftCount = 0
    private var answeredCount = 0
    private var failure: String?

    init(_ server: APNsBenchServer, connections: Int) throws {
        bench = try BenchLoop()
        token = Array(server.token.utf8)
        var limits = APNsPoolLimits()
        limits.connections = connections
        let pool = try APNsPool(
            bench.loop,
            target: APNsTarget(
                host: BenchSecurity.host,
                port: server.port,
                // As h2load, which verifies nothing either.
                security: TLSClientContext(trust: .anybody, protocols: ["h2"])
            ),
            limits: limits,
            owner: self,
            now: { MonotonicTime.now },
            random: { 0 }
        )
        pool.authorize(Array(server.authorization.utf8))
        self.pool = pool
    }

    /// Sends pushes, and waits for their answers.
    func send(_ count: Int) throws -> BenchWindow {
        leftCount = count
        let (start, cpu) = (ExactTime.now, Nanoseconds.threadCPU)
        fill()
        try bench.run(until: "all pushes were answered", within: 120) { [unowned self] in
            answeredCount == count || failure != nil
        }
        if let failure { throw BenchFailure(failure) }
        let used = Nanoseconds.threadCPU - cpu
        return BenchWindow(operations: count, time: .now - start, cpu: used)
    }

    func close() {
        pool?.close()
        pool = nil
    }

    private func fill() {
        guard let pool else { return }
        token.withByteView { token in
            topic.withByteView { topic in
                payload.withByteView { payload in
                    var room = min(pool.room, leftCount)
                    while room > 0 {
                        let number = UInt64(leftCount)
                        let push = APNsPush(
                            token: token,
                            type: .widgets,
                            topic: topic,
                            expiration: .zero,
                            isUrgent: false,
                            id: APNsID(number, and: number),
                            payload: payload
                        )
                        do { try pool.send(push, number: number) } catch { failure = "\(error)" }
                        leftCount -= 1
                        room -= 1
                    }
                }
            }
        }
        pool.flush()
        if leftCount > 0 { pool.wantsRoom() }
    }

    func pool(_ pool: APNsPool, answered number: UInt64, with answer: APNsAnswer) {
        answeredCount += 1
        if answer.status != 200 { failure = "a push was answered: \(answer.status) \(answer.text)" }
    }

    func pool(_ pool: APNsPool, ended number: UInt64, by ending: HTTP2Ending) {
        failure = "a push has ended without an answer: \(ending)"
    }

    func poolHasRoom(_ pool: APNsPool) { if leftCount > 0 { fill() } }

    func pool(_ pool: APNsPool, lostConnectionBecause reason: String) { failure = reason }
}
