import ArgumentParser
import Credentials
import DataStructures
import FrameCodec
import LibuvLoop
import Platform
import Times

/// Sends frames that cost the router as much work as possible, as fast as it reads them.
///
/// It encodes the frames itself, because a `ClientSession` would never send most of them.
final class HostileSender: ConnectionOwner, TimerOwner {
    /// The kinds of hostile frames.
    enum Kind: String, CaseIterable, ExpressibleByArgument {
        /// Pushes with a list of 511 objects, for a rule with two equalities within one of them.
        case combinations
        /// Pushes with a long text, for wildcards that compare it again and again.
        case wildcards
        /// Devices with the largest configurations that are accepted.
        case configurations
        /// STATEs that name one widget thousands of times.
        case sight
        /// Frames that are refused.
        case refusals
        /// Connections that each say HELLO as another producer, and end.
        case hellos
        /// HELLOs with signed tokens whose headers have as many members as a HELLO has room for.
        case tokens
        /// HELLOs with wrong tokens to an app that lists a thousand.
        case credentials
        /// Devices with as many widgets and values as are accepted, each pair of which is a key.
        case values
        /// Requests over HTTP with queries as long as a head may be, and no credential.
        case queries
        /// CloudEvents with hundreds of thousands of members.
        case events = "cloud-events"
        /// 10,000 lines of 8 MB in one request, with a key.
        case lines
        /// Questions of an operator why a push does not match the widgets of a device.
        case explain
        /// Lists of origins for an operator.
        case origins
        /// SIGHUPs, for an app file of some MB that has not changed.
        case appFile = "app-file"
        /// App files of an operator, in turn with and without 12,000 apps of three kinds each.
        case kinds

        /// Whether each of its connections says HELLO, and ends.
        fileprivate var isOfHellos: Bool {
            self == .hellos || self == .tokens || self == .credentials
        }
    }

    /// The app file, with the kinds that the frames are for, and with many more.
    static let apps = file(followedBy: ",\n\(others)")

    /// The app file, with the kinds that the frames are for alone.
    static let fewApps = file(followedBy: "")

    private static func file(followedBy others: String) -> String {
        """
        {"apps":[{"app":"\(BenchApp.name)",\(BenchApp.open),"kinds":[
        {"kind":"\(BenchApp.character)","budget":"unlimited","match":{"character":["${configuration.character}"]}},
        {"kind":"loot","budget":"unlimited","match":{"items":{"name":["${configuration.name}"],"rarity":["${configuration.rarity}"]}}},
        {"kind":"banner","budget":"unlimited","match":{"text":[{"wildcard":"${configuration.pattern}"}]}},
        {"kind":"pairs","budget":"unlimited","match":{"a":["${configuration.a}"],"b":["${configuration.b}"]}}]},
        {"app":"\(crowded)","publishers":[\(credentials)],"devices":"open",
        "kinds":[{"kind":"k","match":{"f":["v"]}}]}\(others)]}
        """
    }

    /// An app that lists a thousand credentials.
    private static let crowded = "crowded"
    private static let credentials = (0..<1_000).map { number in
        let digits = String(number)
        let digest = String(repeating: "0", count: 64 - digits.count) + digits
        return #"{"id":"c-\#(number)","sha256":"\#(digest)"}"#
    }.joined(separator: ",")
    /// Apps that make the file long; each has an origin.
    private static let others = (0..<12_000).map { number in
        let kinds = (0..<3).map { kind in
            #"{"kind":"kind-\#(kind)","origin":"o","#
                + #""match":{"event":["e-\#(kind)"],"c":["${configuration.c}"]}}"#
        }.joined(separator: ",")
        return #"{"app":"com.other.\#(number)","devices":"open","#
            + #""origins":[{"origin":"o","perSecond":100}],"kinds":[\#(kinds)]}"#
    }.joined(separator: ",")

    /// The wildcards. All differ, because equal ones are evaluated only once.
    private static let patterns = (0..<40).map { number in
        "a*" + String(repeating: "a", count: 900 - number) + "b*a"
    }
    /// The most bytes of unsent output.
    private static var maximumUnsent: Int { 128 << 10 }
    /// The most unacknowledged frames.
    private static var window: UInt64 { 4_096 }
    /// The number of connections of the kinds of HELLOs that are open at once.
    private static var openings: Int { 16 }

    private let kind: Kind
    private let bench: BenchLoop
    private let address: SocketAddress
    private let frames: LoadGeneratorFrames?
    private var targets = LoadGeneratorTargets.every(1, from: 0)
    private var open: [TCPConnection] = []
    private var closedCount = 0
    private var openedCount = 0
    /// The highest sequence number that the router has answered.
    private var acknowledged: UInt64 = 0
    private var isReady = false
    private var isStopping = false
    private var timer: LoopTimer?
    /// The number of frames that were sent; of HELLOs, of connections that have ended.
    private(set) var sentCount = 0

    /// Registers the widgets that the pushes and STATEs are about.
    static func register(_ side: BenchSide, through gateways: Range<Int>) throws {
        let gateways = gateways.prefix(1)
        var widgets = [
            ("loot", #"{"name":"sword","rarity":"rare"}"#, 1),
            (BenchApp.character, #"{"character":"nobody"}"#, 256),
        ]
        widgets += patterns.map { ("banner", #"{"pattern":"\#($0)"}"#, 1) }
        for (number, (kind, configuration, count)) in widgets.enumerated() {
            try side.register(
                .widgets(
                    kind: kind,
                    configuration: configuration,
                    perDevice: count,
                    device: "\(kind)-\(number)-######"
                ),
                devices: 1,
                through: gateways
            )
        }
    }

    /// Connects, and starts sending.
    init(_ kind: Kind, on bench: BenchLoop, port: UInt16) throws {
        self.kind = kind
        self.bench = bench
        address = try SocketAddress.resolve(host: "127.0.0.1", port: port, loop: bench.loop)[0]
        frames = Self.frames(kind)
        bench.keep(self)
        for _ in 0..<(kind.isOfHellos ? Self.openings : 1) { try connect() }
        timer = try LoopTimer(bench.loop, owner: self)
        try timer?.start(after: .milliseconds(1), repeating: .milliseconds(1))
    }

    private static func frames(_ kind: Kind) -> LoadGeneratorFrames? {
        switch kind {
        case .combinations:
            let items = (0..<511).map { #"{"name":"n\#($0)","rarity":"r"}"# }
            return .pushes(#"{"items":[\#(items.joined(separator: ","))]}"#)
        case .wildcards:
            // A much longer text would be refused, because half of the wildcards would have to read
            // all of it.
            return .pushes(#"{"text":"\#(String(repeating: "a", count: 24_000))"}"#)
        case .configurations:
            let text = String(repeating: "x", count: 16_000)
            return .widgets(
                kind: BenchApp.character,
                configuration: #"{"character":"\#(text)"}"#,
                perDevice: 4,
                device: "h-######"
            )
        case .sight:
            let ids = repeatElement(#""w-000001""#, count: 5_900).joined(separator: ",")
            return .body(
                .state,
                text: #"{"device":"\#(BenchApp.character)-000000","visible":[\#(ids)]}"#
            )
        case .refusals: return .body(.widgets, text: "x")
        case .values:
            func list(_ letter: String) -> String {
                "[" + (0..<14).map { #""\#(letter)-######-\#($0)""# }.joined(separator: ",") + "]"
            }
            return .widgets(
                kind: "pairs",
                configuration: #"{"a":\#(list("a")),"b":\#(list("b"))}"#,
                perDevice: 100,
                device: "p-######"
            )
        default: return nil
        }
    }

    private var role: Peer {
        switch kind {
        case .configurations, .sight, .refusals, .values: .gateway
        default: .publisher
        }
    }

    private func connect() throws {
        let tcp = try TCPConnection.connect(bench.loop, to: address, owner: self)
        tcp.slot = UInt32(openedCount)
        openedCount += 1
        open.append(tcp)
    }

    /// Stops, and waits until all connections are closed.
    func stop() throws {
        assert(!isStopping, "the sender has been stopped before")
        isStopping = true
        timer?.close()
        timer = nil
        for tcp in open { tcp.close() }
        try bench.run(until: "the hostile connections were closed") { [unowned self] in
            closedCount == openedCount
        }
    }

    // MARK: - Sending

    func timerFired(_ timer: LoopTimer) {
        if !kind.isOfHellos, let tcp = open.first { fill(tcp) }
    }

    /// Writes frames until enough output is unsent, or enough frames are unacknowledged.
    private func fill(_ tcp: TCPConnection) {
        guard isReady, !isStopping, let frames else { return }
        while tcp.outputByteCount < Self.maximumUnsent
            && UInt64(sentCount) - acknowledged < Self.window
        {
            let count = frames.blockCount
            unsafe tcp.withOutput(count * frames.frameBytes) { memory in
                unsafe frames.write(count, from: UInt64(sentCount) + 1, for: &targets, to: memory)
            }
            sentCount += count
            tcp.flush()
        }
    }

    func connectionOpened(_ tcp: TCPConnection) {
        tcp.setNoDelay()
        tcp.resumeReading()
        // The name is new each time: a known producer would have to continue after its last push.
        let name = "\(kind.rawValue)-\(ExactTime.now.rawValue)-\(tcp.slot)"
        var hello = HelloMessage(
            role: role,
            app: kind == .credentials ? Self.crowded : BenchApp.name,
            token: nil,
            name: role == .gateway ? nil : name
        )
        hello.token = token
        encodeFrame(.hello, seq: 0, body: hello.encoded).withByteView { tcp.append($0) }
        tcp.flush()
    }

    private var token: Secret? {
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

    // MARK: - Receiving

    func connection(_ tcp: TCPConnection, received bytes: ByteView) -> Int {
        var offset = 0
        while bytes.count - offset >= FrameHeader.byteCount {
            let end = offset + 4 + Int(bytes.bigEndian(UInt32.self, at: offset))
            if end > bytes.count { break }
            let seq = bytes.bigEndian(UInt64.self, at: offset + 8)
            answered(FrameType(rawValue: bytes[offset + 4]), seq: seq)
            offset = end
        }
        if kind.isOfHellos && offset > 0 {
            tcp.close()
        } else {
            fill(tcp)
        }
        return offset
    }

    /// Records an answer of the router.
    private func answered(_ type: FrameType?, seq: UInt64) {
        switch type {
        case .welcome: isReady = true
        case .ack, .reject: acknowledged = max(acknowledged, seq)
        default: break
        }
    }

    func connectionEnded(_ tcp: TCPConnection, error: UVError?) {
        if !kind.isOfHellos && !isStopping {
            bench.fail("the hostile connection ended: \(error?.description ?? "by the server")")
        }
        tcp.close()
    }

    func connectionClosed(_ tcp: TCPConnection) {
        closedCount += 1
        assert(closedCount <= openedCount, "a connection is closed twice")
        open.removeAll { $0 === tcp }
        if !kind.isOfHellos || isStopping { return }
        sentCount += 1
        do { try connect() } catch { bench.fail("no connection can be opened: \(error)") }
    }
}
