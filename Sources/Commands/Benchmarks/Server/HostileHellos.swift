import Basics
import Credentials
import FrameCodec
import LibuvLoop
import Platform

/// Opens connections over and over that each say HELLO, and end once it was answered.
final class HostileHellos: ConnectionOwner {
    private let kind: HostileKind
    private let bench: BenchLoop
    private let address: SocketAddress
    private let token: Secret?
    private var open: [TCPConnection] = []
    private var isStopping = false
    /// The number of connections that have ended.
    private(set) var count = 0

    /// An app that lists a thousand credentials.
    static let crowded = "crowded"
    /// The number of connections that are open at once.
    private static var openings: Int { 16 }

    init(_ kind: HostileKind, on bench: BenchLoop, port: UInt16) throws {
        self.kind = kind
        self.bench = bench
        address = try SocketAddress.resolve(host: "127.0.0.1", port: port, loop: bench.loop)[0]
        token = Self.token(kind)
        bench.keep(self)
        for _ in 0..<Self.openings { try connect() }
    }

    private static func token(_ kind: HostileKind) -> Secret? {
        switch kind {
        case .credentials: return Secret(String(repeating: "t", count: 43))
        case .tokens:
            let members = (0..<230).map { #""m\#($0)":0"# }.joined(separator: ",")
            let header = encodeBase64URL(#"{"alg":"HS256","kid":"key",\#(members)}"#.utf8)
            let claims = encodeBase64URL(#"{"sub":"nobody"}"#.utf8)
            return Secret("\(header).\(claims).\(String(repeating: "A", count: 43))")
        default: return nil
        }
    }

    private func connect() throws {
        open.append(try TCPConnection.connect(bench.loop, to: address, owner: self))
    }

    /// Stops, and waits until all connections are closed.
    func stop() throws {
        isStopping = true
        for tcp in open { tcp.close() }
        try bench.run(until: "the hostile connections were closed") { [unowned self] in
            open.isEmpty
        }
    }

    func connectionOpened(_ tcp: TCPConnection) {
        tcp.setNoDelay()
        tcp.resumeReading()
        // The name is new each time: a known producer would have to continue after its last push.
        var hello = HelloMessage(
            role: .publisher,
            app: kind == .credentials ? Self.crowded : BenchApp.name,
            token: nil,
            name: "\(kind.rawValue)-\(ExactTime.now.rawValue)"
        )
        hello.token = token
        encodeFrame(.hello, seq: 0, body: hello.encoded).withByteView { tcp.append($0) }
        tcp.flush()
    }

    func connection(_ tcp: TCPConnection, received bytes: ByteView) -> Int {
        tcp.close()
        return bytes.count
    }

    func connectionEnded(_ tcp: TCPConnection, error: UVError?) { tcp.close() }

    func connectionClosed(_ tcp: TCPConnection) {
        open.removeAll { $0 === tcp }
        if isStopping { return }
        count += 1
        do { try connect() } catch { bench.fail("no connection can be opened: \(error)") }
    }
}
