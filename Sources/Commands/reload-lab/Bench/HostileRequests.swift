import AdminAPI
import CommandSupport
import DataStructures
import LibuvLoop
import Times

/// Sends requests that cost the router much over and over, each after the answer to the one
/// before, and counts the answers, whatever they are.
final class HostileRequests: ConnectionOwner {
    private let bench: BenchLoop
    private let address: SocketAddress
    /// What is sent, in turn.
    private let requests: [[UInt8]]
    private var open: [TCPConnection] = []
    private var openedCount = 0
    private var closedCount = 0
    private var isStopping = false
    /// The number of answers.
    private(set) var answerCount = 0

    /// The connections of each kind.
    private static var connections: Int { 4 }

    /// - Parameters:
    ///   - kind: what to send.
    ///   - bench: the loop of its connections.
    ///   - target: the router. Nil if the kind is none of requests.
    /// - Throws: an error of the system.
    init?(_ kind: HostileSender.Kind, on bench: BenchLoop, to target: HostileTarget) throws {
        let port: UInt16
        if kind == .kinds {
            port = target.adminPort
            requests = [HostileSender.fewApps, HostileSender.apps].map { Self.put($0, to: target) }
        } else {
            guard let request = Self.request(kind, to: target) else { return nil }
            port = request.port
            requests = [request.bytes]
        }
        self.bench = bench
        address = try SocketAddress.resolve(host: "127.0.0.1", port: port, loop: bench.loop)[0]
        bench.keep(self)
        for _ in 0..<Self.connections { try connect() }
    }

    private static func request(
        _ kind: HostileSender.Kind,
        to target: HostileTarget
    ) -> (port: UInt16, bytes: [UInt8])? {
        let path = "/v1/apps/\(BenchApp.name)/pushes"
        switch kind {
        case .queries:
            // As long as a request line may be, and of as many parameters.
            let query = (0..<1_800).map { "p\($0)=%41" }.joined(separator: "&")
            return (target.publishPort, post("/v1/apps/nobody/pushes?\(query)", body: "{}"))
        case .events:
            let members = (0..<300_000).map { #""m\#($0)":{"v":[\#($0)]}"# }
            let body =
                #"{"specversion":"1.0","id":"1","source":"/hostile","type":"t","#
                + #""data":{\#(members.joined(separator: ","))}}"#
            let type = "application/cloudevents+json"
            return (target.publishPort, post(path, type: type, body: body))
        case .lines:
            let note = String(repeating: "x", count: 750)
            let lines = (0..<10_000).map { #"{"event":"e-\#($0)","note":"\#(note)"}"# }
            let body = lines.joined(separator: "\n")
            // Always the same key: what was counted is not pushed again, but read and compared.
            let key = "Idempotency-Key: \"hostile\"\r\n"
            let type = "application/x-ndjson"
            return (target.publishPort, post(path, type: type, headers: key, body: body))
        case .explain:
            let fields = (0..<400).map { #""f\#($0)":"a\#($0)""# }.joined(separator: ",")
            let body =
                #"{"app":"\#(BenchApp.name)","device":"\#(BenchApp.character)-1-000000","#
                + #""payload":{"character":"nobody",\#(fields)}}"#
            return (
                target.adminPort,
                post("/v1/explain", headers: authorization(target), body: body)
            )
        case .origins:
            let head =
                "GET /v1/origins?limit=250 HTTP/1.1\r\nHost: bench\r\n\(authorization(target))\r\n"
            return (target.adminPort, Array(head.utf8))
        default: return nil
        }
    }

    private static func put(_ appFile: String, to target: HostileTarget) -> [UInt8] {
        let head =
            "PUT /v1/app-file HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
            + "\(authorization(target))Content-Length: \(appFile.utf8.count)\r\n\r\n"
        return Array((head + appFile).utf8)
    }

    private static func authorization(_ target: HostileTarget) -> String {
        let token = AdminTokenFile.forServer(onPort: target.adminPort)
        return token.map { "Authorization: \($0.authorization)\r\n" } ?? ""
    }

    private static func post(
        _ path: String,
        type: String = "application/json",
        headers: String = "",
        body: String
    ) -> [UInt8] {
        let head =
            "POST \(path) HTTP/1.1\r\nHost: bench\r\nContent-Type: \(type)\r\n\(headers)"
            + "Content-Length: \(body.utf8.count)\r\n\r\n"
        return Array((head + body).utf8)
    }

    private func connect() throws {
        let tcp = try TCPConnection.connect(bench.loop, to: address, owner: self)
        openedCount += 1
        open.append(tcp)
    }

    /// Sends nothing more, and waits until all connections are closed.
    func stop() throws {
        isStopping = true
        for tcp in open { tcp.close() }
        try bench.run(until: "the hostile connections were closed") { [unowned self] in
            closedCount == openedCount
        }
    }

    private func send(on tcp: TCPConnection) {
        requests[answerCount % requests.count].withByteView { tcp.append($0) }
        tcp.flush()
    }

    // MARK: - Called by connections

    func connectionOpened(_ tcp: TCPConnection) {
        tcp.setNoDelay()
        tcp.resumeReading()
        send(on: tcp)
    }

    func connection(_ tcp: TCPConnection, received bytes: ByteView) -> Int {
        guard let length = RequestGenerator.answerLength(bytes) else { return 0 }
        answerCount += 1
        if !isStopping { send(on: tcp) }
        return length
    }

    func connectionEnded(_ tcp: TCPConnection, error: UVError?) { tcp.close() }

    func connectionClosed(_ tcp: TCPConnection) {
        closedCount += 1
        open.removeAll { $0 === tcp }
        if isStopping { return }
        do { try connect() } catch { bench.fail("no connection can be opened: \(error)") }
    }
}
