import APNsConnections
import APNsProtocol
import ArgumentParser
import Credentials
import Cryptography
import DataStructures
import Glibc
import HTTP2
import LibuvLoop
import LoadReporting
import Platform
import Times

/// `bench apns`: measures pushes to APNs, with h2load as the reference.
struct BenchAPNs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apns",
        abstract: "Pushes to APNs over 1 and 4 connections, beside h2load.",
        discussion: """
            This process pushes to a server on this machine with TLS: in the rows named mock to \
            `reload-lab apns-mock`, in the rows named nghttpd to that server, which answers \
            each request with an empty file. `cpu` is the CPU time of what sends, for a request; \
            the reference is h2load, which sends the same requests to the same server.
            """
    )

    @OptionGroup var rounds: BenchRounds

    @Option(help: "Pushes of a round.")
    var pushes = 100_000

    @Option(help: "Numbers of connections.")
    var connections = [1, 4]

    func validate() throws {
        try checkNumbers([pushes], within: 100...10_000_000, of: "--pushes")
        try checkNumbers(connections, within: 1...64, of: "--connections")
    }

    func run() throws {
        var report = BenchReport(json: rounds.json)
        let security = try BenchSecurity()
        for server in APNsBenchServer.Kind.allCases where server.isInstalled {
            let server = try APNsBenchServer(server, security: security)
            defer { server.process.stop() }
            for count in connections { try measure(count, on: server, into: &report) }
        }
        report.print()
    }

    private func measure(
        _ count: Int,
        on server: APNsBenchServer,
        into report: inout BenchReport
    ) throws {
        let name = "apns.\(count).\(server.kind.rawValue)"
        var ours: [APNsBenchRun] = []
        var theirs: [APNsBenchRun] = []
        for round in 1...rounds.count(otherwise: 3) {
            printProgress("\(name), \(round)")
            let sender = try APNsBenchSender(server, connections: count)
            ours.append(try sender.send(pushes))
            try sender.close()
            if let run = try server.h2load(pushes, connections: count) { theirs.append(run) }
        }
        report.add(
            "\(name).rate",
            value: median(ours.map(\.rate)),
            unit: "pushes/s",
            reference: theirs.isEmpty ? nil : median(theirs.map(\.rate))
        )
        report.add(
            "\(name).cpu",
            value: median(ours.map(\.microseconds)),
            unit: "µs/push",
            reference: theirs.isEmpty ? nil : median(theirs.map(\.microseconds)),
            aim: server.kind == .mock ? .value(4) : .ratio(1.3)
        )
    }
}

/// What was measured of a number of pushes.
struct APNsBenchRun {
    /// Pushes per second.
    var rate: Double
    /// CPU time of the sender for a push, in µs.
    var microseconds: Double
}

/// A server that pushes are sent to.
final class APNsBenchServer {
    enum Kind: String, CaseIterable {
        case mock, nghttpd

        /// Debian's package nghttp2-server has it here.
        static var program: String { "/usr/sbin/nghttpd" }

        var isInstalled: Bool { unsafe self == .mock || access(Self.program, X_OK) == 0 }
    }

    let kind: Kind
    let process: BenchProcess
    let port: UInt16
    let token = String(repeating: "0f", count: 32)
    let authorization: String
    private let folder: BenchFolder

    init(_ kind: Kind, security: BenchSecurity) throws {
        self.kind = kind
        folder = try BenchFolder(in: "/tmp")
        let header = encodeBase64URL(Array(#"{"alg":"ES256","kid":"ABCDE12345"}"#.utf8))
        let date = WallTime.now.rawValue / 1_000
        let claims = encodeBase64URL(Array(#"{"iss":"TEAM012345","iat":\#(date)}"#.utf8))
        authorization = "\(header).\(claims).\(String(repeating: "A", count: 86))"
        try BenchFolder.write(#"{"aps":{"content-changed":true}}"#, to: folder("body.json"))
        switch kind {
        case .mock:
            process = try BenchProcess(
                "apns-mock",
                program: .lab,
                // h2load does not wait for the server's settings.
                arguments: [
                    "apns-mock", "--listen", "127.0.0.1:0", "--first-streams", "1000",
                ] + security.flags
            )
            guard let port = process.line.split(separator: ":").last.flatMap({ UInt16($0) }) else {
                throw BenchFailure("apns-mock printed: \(process.line)")
            }
            self.port = port
        case .nghttpd:
            port = try BenchNginx.freePort()
            // It answers with this file, which is empty.
            for name in ["3", "3/device"] { unsafe _ = mkdir(folder(name), 0o700) }
            try BenchFolder.write("", to: folder("3/device/\(token)"))
            let files = security.flags
            process = try BenchProcess(
                "nghttpd",
                program: .shell,
                arguments: [
                    "-c",
                    "echo began; exec \(Kind.program) -a 127.0.0.1 -d \(folder.path) "
                        + "-m 1000 \(port) \(files[3]) \(files[1])",
                ]
            )
            try BenchNginx.wait(for: port)
        }
    }

    /// Sends as many pushes with h2load; nil if it is not installed.
    func h2load(_ count: Int, connections: Int) throws -> APNsBenchRun? {
        if unsafe access("/usr/bin/h2load", X_OK) != 0 { return nil }
        let fields = [
            "authorization: bearer \(authorization)", "apns-push-type: widgets",
            "apns-topic: com.mygame.push-type.widgets", "apns-priority: 5", "apns-expiration: 0",
            "apns-id: 00000000-0000-4000-8000-000000000000",
        ]
        let flags = fields.map { "-H '\($0)'" }.joined(separator: " ")
        let start = ExactTime.now
        let process = try BenchProcess(
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
        let seconds = (ExactTime.now - start).inSeconds
        if process.line != "1" { throw BenchFailure("not all pushes of h2load were accepted") }
        _ = process.readLine()
        // The times of the shell's children: 0m1.230s 0m0.450s
        let times = process.readLine().split(separator: " ").map { word in
            let parts = word.split(whereSeparator: { $0 == "m" || $0 == "s" })
            return (Double(parts.first ?? "") ?? 0) * 60
                + (Double(parts.dropFirst().first ?? "") ?? 0)
        }
        return APNsBenchRun(
            rate: Double(count) / seconds,
            microseconds: times.reduce(0, +) * 1e6 / Double(count)
        )
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
        // nghttpd accepts pushes, and has no apns-id by which a connection is known as Apple's.
        if server.kind == .nghttpd { limits.firstStreams = limits.streams }
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
    func send(_ count: Int) throws -> APNsBenchRun {
        leftCount = count
        let (start, cpu) = (ExactTime.now, Nanoseconds.threadCPU)
        fill()
        try bench.run(until: "all pushes were answered", within: 120) { [unowned self] in
            answeredCount == count || failure != nil
        }
        if let failure { throw BenchFailure(failure) }
        return APNsBenchRun(
            rate: Double(count) / (ExactTime.now - start).inSeconds,
            microseconds: (Nanoseconds.threadCPU - cpu).inSeconds * 1e6 / Double(count)
        )
    }

    func close() throws {
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
