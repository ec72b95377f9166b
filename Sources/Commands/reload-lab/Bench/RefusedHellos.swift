import DataStructures
import FrameCodec
import LibuvLoop
import Platform
import Times

/// Says HELLOs that are refused, each on a connection of its own, and measures how long each
/// refusal takes.
final class RefusedHellos: ConnectionOwner {
    private let bench: BenchLoop
    private let address: SocketAddress
    /// The answer to the present HELLO, once it is complete, and when it was.
    private var answer: [UInt8] = []
    private var end = ExactTime.none
    private var isOpen = false
    private var isClosed = false

    init(_ bench: BenchLoop, port: UInt16) throws {
        self.bench = bench
        address = try SocketAddress.resolve(host: "127.0.0.1", port: port, loop: bench.loop)[0]
        bench.keep(self)
    }

    /// Says HELLO, and waits for the refusal.
    ///
    /// - Parameter hello: the frame.
    /// - Returns: the router's answer, and the time from HELLO to it.
    /// - Throws: `BenchFailure` if there is none.
    func say(_ hello: [UInt8]) throws -> (answer: [UInt8], time: Nanoseconds) {
        (answer, isOpen, isClosed) = ([], false, false)
        let tcp = try TCPConnection.connect(bench.loop, to: address, owner: self)
        try bench.run(until: "the connection was open") { [unowned self] in isOpen }
        let start = ExactTime.now
        hello.withByteView { tcp.append($0) }
        tcp.flush()
        try bench.run(until: "the HELLO was refused") { [unowned self] in !answer.isEmpty }
        tcp.close()
        try bench.run(until: "the connection was closed") { [unowned self] in isClosed }
        return (answer, end - start)
    }

    func connectionOpened(_ tcp: TCPConnection) {
        isOpen = true
        tcp.setNoDelay()
        tcp.resumeReading()
    }

    func connection(_ tcp: TCPConnection, received bytes: ByteView) -> Int {
        if bytes.count < 4 { return 0 }
        let count = 4 + Int(bytes.bigEndian(UInt32.self, at: 0))
        if bytes.count < count { return 0 }
        end = .now
        answer = bytes.slice(0, to: count).array
        return count
    }

    func connectionEnded(_ tcp: TCPConnection, error: UVError?) {
        if answer.isEmpty { bench.fail("a refused connection ended without an answer") }
        tcp.close()
    }

    func connectionClosed(_ tcp: TCPConnection) { isClosed = true }
}
