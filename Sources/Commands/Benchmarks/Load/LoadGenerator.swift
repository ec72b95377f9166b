import Basics
import Cryptography
import FrameCodec
import LibuvLoop
import Platform

/// Loads one server over many connections and counts what comes back.
///
/// It does as little as possible, and the same for the router and the references: it sends blocks
/// of frames that were encoded before, and reads only the headers of most frames that arrive. It
/// has one thread, so that it costs both servers the same. The library's `ClientSession` keeps each
/// frame and checks each body: rates and times would be those of the client, not of the server.
/// Besides, the references do not speak its protocol.
final class LoadGenerator: ConnectionOwner {
    /// The protocol that a server speaks.
    enum Wire {
        case router
        /// References that forward pushes: HELLO is one letter, WELCOME is empty.
        case forwarding
        /// The reference that acknowledges every frame; it needs no HELLO.
        case acknowledging

        /// The frame that a connection begins with; nil for none.
        func hello(_ role: Peer, named name: String) -> [UInt8]? {
            let body: [UInt8]
            switch self {
            case .acknowledging: return nil
            case .forwarding: body = Array((role == .publisher ? "P" : "S").utf8)
            case .router:
                body =
                    HelloMessage(
                        role: role,
                        app: BenchApp.name,
                        token: nil,
                        name: role == .gateway ? nil : name
                    ).encoded
            }
            return encodeFrame(.hello, seq: 0, body: body)
        }
    }

    let bench: BenchLoop
    let wire: Wire
    private let address: SocketAddress
    /// What TLS sessions begin with; nil for no TLS.
    private let security: TLSClientContext?
    private(set) var connections: [LoadGeneratorConnection] = []
    /// The number of connections with a session, and of those that are closed.
    private var readyCount = 0
    private var closedCount = 0

    /// The number of frames that were sent and not acknowledged.
    private(set) var unacknowledged = 0
    private(set) var acknowledged = 0
    /// The number of matches, as stated in ACKs.
    private(set) var matched = 0
    private(set) var reloads = 0
    private(set) var pongs = 0
    /// The number of RELOADs at whose arrival `goalTime` is set to the time, and this number is
    /// reset.
    var reloadGoal = Int.max
    var goalTime: ExactTime?
    /// Called with a connection's index and the number of its frames that an ACK newly covers.
    var whenAcknowledged: ((Int, Int) -> Void)?
    var whenReloaded: ((ByteView) -> Void)?
    var whenAnswered: (() -> Void)?
    /// Whether a REJECT ends the run; otherwise it counts as an answer, as an ACK does.
    var failsAtRejection = true

    init(_ bench: BenchLoop, port: UInt16, wire: Wire, security: TLSClientContext? = nil) throws {
        self.bench = bench
        self.security = security
        self.wire = wire
        address = try SocketAddress.resolve(host: "127.0.0.1", port: port, loop: bench.loop)[0]
        bench.keep(self)
    }

    // MARK: - Opening and closing

    /// Opens connections, waits for their WELCOMEs, and returns their indices in `connections`. The
    /// server may allow fewer unacknowledged frames than `window`; names are those of producers or
    /// devices, by numbers from 0.
    func connect(
        _ count: Int,
        as role: Peer,
        window: Int = 8_192,
        named name: (Int) -> String = { _ in "" }
    ) throws -> Range<Int> {
        let first = connections.count
        while connections.count < first + count {
            // A few at a time: the server's backlog and its limit of connections without a HELLO
            // are finite.
            for _ in 0..<min(256, first + count - connections.count) {
                let tcp = try TCPConnection.connect(
                    bench.loop,
                    to: address,
                    security: try security?.session(with: BenchSecurity.host),
                    owner: self
                )
                tcp.slot = UInt32(connections.count)
                connections.append(
                    LoadGeneratorConnection(
                        tcp,
                        hello: wire.hello(role, named: name(connections.count - first)),
                        window: window
                    )
                )
            }
            try bench.run(until: "the sessions began") { [unowned self] in
                readyCount == connections.count
            }
        }
        return first..<first + count
    }

    /// Closes all connections and removes them.
    func closeAll() throws {
        for connection in connections { connection.tcp.close() }
        try bench.run(until: "the connections were closed") { [unowned self] in
            closedCount == connections.count
        }
        connections = []
        (readyCount, closedCount, unacknowledged) = (0, 0, 0)
    }

    func connectionOpened(_ tcp: TCPConnection) {
        let connection = connections[Int(tcp.slot)]
        tcp.setNoDelay()
        tcp.resumeReading()
        if let hello = connection.hello {
            hello.withByteView { tcp.append($0) }
            tcp.flush()
        } else {
            connection.isReady = true
            readyCount += 1
        }
    }

    func connectionEnded(_ tcp: TCPConnection, error: UVError?) {
        bench.fail("connection \(tcp.slot) ended: \(error?.description ?? "by the server")")
    }

    func connectionClosed(_ tcp: TCPConnection) {
        closedCount += 1
        assert(closedCount <= connections.count, "a connection is closed twice")
    }

    // MARK: - Sending

    /// Lets a connection send frames as its window allows: `count` of them, or without end if nil.
    func start(
        _ index: Int,
        sending frames: LoadGeneratorFrames,
        to targets: LoadGeneratorTargets,
        count: Int? = nil
    ) {
        let connection = connections[index]
        assert(connection.isReady, "connection \(index) has no session yet")
        connection.frames = frames
        connection.targets = targets
        connection.limit = connection.sent
        resume(index, count: count)
    }

    /// Sends one frame with a very high sequence number: the router then takes the frames that the
    /// same producer sends later, from number 1 on, for repetitions.
    func sendLast(_ index: Int, frames: LoadGeneratorFrames) {
        let connection = connections[index]
        // A producer's first number may be at most 2^32.
        connection.sent = 1 << 32 - 1
        connection.acknowledged = connection.sent
        start(index, sending: frames, to: .first, count: 1)
    }

    /// Lets a connection send further frames, as soon as its window allows: `count` of them, or
    /// without end if nil.
    func resume(_ index: Int, count: Int? = nil) {
        let connection = connections[index]
        assert(connection.frames != nil, "connection \(index) has no frames to send")
        connection.limit = count.map { connection.limit + UInt64($0) } ?? .max
        unacknowledged += connection.fill()
    }

    /// Stops a connection from sending further frames.
    func pause(_ index: Int) { connections[index].limit = connections[index].sent }

    /// Sends an empty PING on each of these connections.
    func ping(_ indices: Range<Int>) {
        for index in indices { send(encodeFrame(.ping, seq: 0), on: connections[index].tcp) }
    }

    private func send(_ frame: [UInt8], on tcp: TCPConnection) {
        frame.withByteView { tcp.append($0) }
        tcp.flush()
    }

    // MARK: - Receiving

    func connection(_ tcp: TCPConnection, received bytes: ByteView) -> Int {
        var offset = 0
        while bytes.count - offset >= FrameHeader.byteCount {
            let end = offset + 4 + Int(bytes.bigEndian(UInt32.self, at: offset))
            if end > bytes.count { break }
            switch bytes[offset + 4] {
            case FrameType.reload.rawValue:
                reloads += 1
                whenReloaded?(bytes.slice(offset, to: end))
            case FrameType.ack.rawValue: receivedAnswer(tcp, frame: bytes.slice(offset, to: end))
            default: receivedRare(tcp, frame: bytes.slice(offset, to: end))
            }
            offset = end
        }
        if reloads >= reloadGoal {
            reloadGoal = .max
            goalTime = ExactTime.now
        }
        return offset
    }

    private func receivedAnswer(_ tcp: TCPConnection, frame: ByteView) {
        let connection = connections[Int(tcp.slot)]
        let seq = max(connection.acknowledged, frame.bigEndian(UInt64.self, at: 8))
        let count = Int(seq - connection.acknowledged)
        assert(count <= unacknowledged, "the server acknowledges what was not sent")
        connection.acknowledged = seq
        acknowledged += count
        unacknowledged -= count
        whenAcknowledged?(Int(tcp.slot), count)
        if frame[4] == FrameType.ack.rawValue && frame.count >= FrameHeader.byteCount + 4 {
            matched += Int(frame.bigEndian(UInt32.self, at: FrameHeader.byteCount))
        }
        unacknowledged += connection.fill()
    }

    /// Handles a frame that is neither a RELOAD nor an ACK.
    private func receivedRare(_ tcp: TCPConnection, frame: ByteView) {
        let body = frame.slice(FrameHeader.byteCount, to: frame.count)
        switch FrameType(rawValue: frame[4]) {
        case .pong:
            pongs += 1
            whenAnswered?()
        case .ping: send(encodeFrame(.pong, seq: frame.bigEndian(UInt64.self, at: 8)), on: tcp)
        case .welcome:
            let connection = connections[Int(tcp.slot)]
            // The WELCOME of a reference is empty.
            if body.count > 0, let welcome = try? WelcomeMessage(reading: body) {
                connection.window = min(connection.window, UInt64(welcome.window))
            }
            connection.isReady = true
            readyCount += 1
        case .reject where !failsAtRejection: receivedAnswer(tcp, frame: frame)
        case .reject, .error: bench.fail("the server answered \(body.string)")
        default: break
        }
    }
}

/// One connection of the load generator, with the numbers of the frames sent and acknowledged.
final class LoadGeneratorConnection {
    let tcp: TCPConnection
    /// The HELLO to send once the connection is open; nil if the server wants none.
    let hello: [UInt8]?
    /// True once the server has answered the HELLO, or, without a HELLO, once the connection is
    /// open.
    var isReady = false
    /// The most frames that may be unacknowledged.
    var window: UInt64
    /// The sequence number of the last frame sent.
    var sent: UInt64 = 0
    /// The sequence number of the last frame acknowledged.
    var acknowledged: UInt64 = 0
    /// The sequence number of the last frame to send.
    var limit: UInt64 = 0
    /// The frames to send; nil until `LoadGenerator.start` sets them.
    var frames: LoadGeneratorFrames?
    /// The widgets or devices that the frames name, one after the other.
    var targets = LoadGeneratorTargets.first

    init(_ tcp: TCPConnection, hello: [UInt8]?, window: Int) {
        self.tcp = tcp
        self.hello = hello
        self.window = UInt64(window)
    }

    /// Sends what the window allows, in few large writes, and returns how many frames that were.
    func fill() -> Int {
        guard let frames else { return 0 }
        let last = min(limit, acknowledged + window)
        // At least half a window at a time: otherwise each ACK of a few frames would lead to a
        // small write.
        if last <= sent || (last < limit && sent - acknowledged > window / 2) { return 0 }
        let before = sent
        while sent < last {
            let count = min(frames.blockCount, Int(last - sent))
            unsafe tcp.withOutput(count * frames.frameBytes) { memory in
                unsafe frames.write(count, from: sent + 1, for: &targets, to: memory)
            }
            sent += UInt64(count)
        }
        tcp.flush()
        return Int(sent - before)
    }
}
