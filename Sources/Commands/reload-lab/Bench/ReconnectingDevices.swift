import Cryptography
import DataStructures
import FrameCodec
import LibuvLoop
import Platform
import Times

/// Devices with TLS, each on a connection of its own. One whose connection the server ends comes
/// again, as real ones do.
///
/// TLS is not left to the connections, so that the first message of each handshake can be made
/// before: otherwise this process could not come as fast as ten thousand devices.
final class ReconnectingDevices: ConnectionOwner, TimerOwner {
    /// One device.
    private struct Device {
        let session: TLSSession
        /// The first message of its handshake.
        var greeting: [UInt8] = []
        var connection: TCPConnection?
        /// True once its HELLO was answered.
        var isReady = false
    }

    private let bench: BenchLoop
    private let wire: LoadGenerator.Wire
    private let security: TLSClientContext
    private let address: SocketAddress
    private let count: Int
    private var devices: [Device] = []
    /// Devices whose connection has ended, and that connect again when the timer fires.
    private var cutOff: [Int] = []
    private var timer: LoopTimer?
    private var readyCount = 0
    private var openCount = 0
    private var isCutting = false
    /// The number of connections that the server has ended.
    private(set) var endedCount = 0
    /// The number of sessions that resumed an earlier one.
    var resumedCount: Int { devices.count { $0.session.isResumed } }
    /// The memory of what is decrypted.
    private var plain = [UInt8](repeating: 0, count: readBytes + TLSLimits.recordBytes)

    /// How long a device waits until it connects again.
    private static var pause: Milliseconds { .milliseconds(100) }
    /// The most bytes of one read.
    private static var readBytes: Int { 16 << 10 }

    /// Makes devices, which are not connected yet.
    init(
        _ count: Int,
        on bench: BenchLoop,
        port: UInt16,
        wire: LoadGenerator.Wire,
        security: TLSClientContext
    ) throws {
        self.bench = bench
        self.wire = wire
        self.security = security
        self.count = count
        address = try SocketAddress.resolve(host: "127.0.0.1", port: port, loop: bench.loop)[0]
        bench.keep(self)
        timer = try LoopTimer(bench.loop, owner: self)
        try timer?.start(after: Self.pause, repeating: Self.pause)
    }

    // MARK: - Connecting

    /// Connects all devices, a few at a time.
    func connect() throws {
        while devices.count < count {
            for _ in 0..<min(256, count - devices.count) {
                devices.append(try device())
                try open(devices.count - 1)
            }
            try bench.run(until: "the devices were connected") { [unowned self] in
                readyCount == devices.count
            }
        }
        endedCount = 0
    }

    /// Cuts all connections, and then connects all devices at once.
    ///
    /// - Returns: the time from the first connection to the last WELCOME.
    func reconnect() throws -> Nanoseconds {
        isCutting = true
        for device in devices { device.connection?.close() }
        try bench.run(until: "the connections were cut") { [unowned self] in openCount == 0 }
        isCutting = false
        readyCount = 0
        for number in devices.indices { devices[number] = try device() }
        let start = ExactTime.now
        for number in devices.indices { try open(number) }
        try bench.run(until: "all devices were back", within: 100) { [unowned self] in
            readyCount == devices.count
        }
        return .now - start
    }

    private func device() throws -> Device {
        var device = Device(session: try security.session(with: BenchSecurity.host))
        device.session.takeOutput { device.greeting = $0.array }
        return device
    }

    private func open(_ number: Int) throws {
        let connection = try TCPConnection.connect(bench.loop, to: address, owner: self)
        connection.slot = UInt32(number)
        connection.readLimit = Self.readBytes
        devices[number].connection = connection
        openCount += 1
    }

    func timerFired(_ timer: LoopTimer) {
        let numbers = cutOff
        cutOff = []
        do {
            for number in numbers {
                devices[number] = try device()
                try open(number)
            }
        } catch {
            bench.fail("a device cannot connect: \(error)")
        }
    }

    // MARK: - Events of connections

    func connectionOpened(_ tcp: TCPConnection) {
        tcp.setNoDelay()
        tcp.resumeReading()
        devices[Int(tcp.slot)].greeting.withByteView { tcp.append($0) }
        tcp.flush()
    }

    func connection(_ tcp: TCPConnection, received bytes: ByteView) -> Int {
        let session = devices[Int(tcp.slot)].session
        let wasEstablished = session.phase == .established
        do {
            let count = try unsafe plain.withUnsafeMutableBytes { plain in
                try unsafe session.receive(bytes, into: plain.baseAddress!, capacity: plain.count)
            }
            session.takeOutput { tcp.append($0) }
            if !wasEstablished && session.phase == .established { try sayHello(tcp, in: session) }
            try plain.withByteView { try received($0.slice(0, to: count), on: tcp, in: session) }
            tcp.flush()
        } catch {
            // The server has ended the session, perhaps with an alert.
            connectionEnded(tcp, error: nil)
        }
        return bytes.count
    }

    private func sayHello(_ tcp: TCPConnection, in session: TLSSession) throws {
        let name = "d-" + String(String(1_000_000 + Int(tcp.slot)).dropFirst())
        // A reference forwards pushes to all but publishers.
        let hello = wire.hello(wire == .router ? .device : .publisher, named: name) ?? []
        try send(hello, on: tcp, in: session)
    }

    private func send(_ frame: [UInt8], on tcp: TCPConnection, in session: TLSSession) throws {
        try frame.withByteView { try session.send($0) }
        session.takeOutput { tcp.append($0) }
    }

    /// Handles frames, none of which is so long that it arrives in parts.
    private func received(_ bytes: ByteView, on tcp: TCPConnection, in session: TLSSession) throws {
        var offset = 0
        while bytes.count - offset >= FrameHeader.byteCount {
            switch FrameType(rawValue: bytes[offset + 4]) {
            case .welcome:
                devices[Int(tcp.slot)].isReady = true
                readyCount += 1
            case .ping: try send(encodeFrame(.pong, seq: 0), on: tcp, in: session)
            default: break
            }
            offset += 4 + Int(bytes.bigEndian(UInt32.self, at: offset))
        }
    }

    func connectionEnded(_ tcp: TCPConnection, error: UVError?) {
        if !isCutting {
            let number = Int(tcp.slot)
            endedCount += 1
            if devices[number].isReady { readyCount -= 1 }
            cutOff.append(number)
        }
        tcp.close()
    }

    func connectionClosed(_ tcp: TCPConnection) {
        openCount -= 1
        assert(openCount >= 0, "a connection is closed twice")
    }
}
