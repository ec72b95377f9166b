import DataStructures
import Glibc
import LibuvLoop
import Testing
import Times

@testable import SecureHTTPServing

@Suite("How long a relay waits for its client")
struct RelayTests {
    /// Consumes everything.
    private final class Sink: ConnectionOwner {
        func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int {
            bytes.count
        }
        func connectionEnded(_ connection: TCPConnection, error: UVError?) {}
    }

    /// A relay whose client is a socket that this test reads, or not.
    private final class Rig {
        let loop: Loop
        let relay: Relay
        let outside: TCPConnection
        let client: CInt
        var limits = SecureHTTPLimits()
        private let inside: TCPConnection
        private let server: CInt

        init() throws {
            loop = try Loop()
            let sink = Sink()
            (outside, client) = try TCPConnection.pair(loop, owner: sink)
            (inside, server) = try TCPConnection.pair(loop, owner: sink)
            let address = SocketAddress.withoutLookup(host: "192.0.2.1", port: 9)![0]
            relay = Relay(outside, from: address, deadline: MonotonicTime(rawValue: 1_000))
            limits.stallTime = .seconds(30)
            limits.endingTime = .seconds(10)
        }

        func open() { relay.open(inside) }

        func hasExpired(at seconds: Int64) -> Bool {
            relay.hasExpired(at: .zero + .seconds(seconds), limits: limits)
        }

        func fill() throws {
            [UInt8](repeating: 1, count: 4 << 20).withByteView { outside.append($0) }
            outside.flush()
            #expect(outside.outputByteCount > 1 << 20)
        }

        /// Lets the client read some.
        func drain() throws {
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            while recv(client, &buffer, buffer.count, 0) > 0 {}
            try loop.tick(waits: false)
        }

        func end() throws {
            relay.close()
            inside.close()
            _ = close(client)
            _ = close(server)
            try loop.run()
            try loop.close()
        }
    }

    @Test func `A handshake has its time, whatever happens`() throws {
        let rig = try Rig()
        #expect(!rig.hasExpired(at: 0))
        try rig.fill()
        #expect(rig.hasExpired(at: 1))
        try rig.end()
    }

    @Test func `Without output, an open relay never expires`() throws {
        let rig = try Rig()
        rig.open()
        for seconds in [Int64(1), 1_000, 1_000_000] { #expect(!rig.hasExpired(at: seconds)) }
        try rig.end()
    }

    @Test func `An open relay expires when its client has read nothing for the stall time`() throws
    {
        let rig = try Rig()
        rig.open()
        try rig.fill()
        #expect(!rig.hasExpired(at: 100))
        #expect(!rig.hasExpired(at: 129))
        try rig.drain()
        #expect(!rig.hasExpired(at: 130))
        #expect(!rig.hasExpired(at: 159))
        #expect(rig.hasExpired(at: 160))
        try rig.end()
    }

    @Test func `An ending relay waits for its client to read the rest, and to close`() throws {
        let rig = try Rig()
        rig.open()
        try rig.fill()
        #expect(!rig.hasExpired(at: 100))
        rig.relay.end(at: .zero + .seconds(110))
        #expect(rig.relay.inside == nil && !rig.hasExpired(at: 109))
        try rig.drain()
        #expect(!rig.hasExpired(at: 110))
        #expect(rig.hasExpired(at: 120))
        try rig.end()
    }
}
