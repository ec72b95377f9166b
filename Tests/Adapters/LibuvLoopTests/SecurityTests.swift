import Basics
import Cryptography
import TestSupport
import Testing

@testable import LibuvLoop

@Suite("TLS on a connection")
struct SecurityTests {
    private static func contexts() throws -> (server: TLSServerContext, client: TLSClientContext) {
        let authority = try DevelopmentAuthority(named: "Test", now: .zero, days: 36_500)
        let identity = try authority.issue(for: ["127.0.0.1"], now: .zero, days: 36_500)
        return (
            try TLSServerContext(ServerSecurity([identity]), protocols: ["rr/1"]),
            try TLSClientContext(
                trust: .authorities(authority.identity.chain),
                protocols: ["rr/1"]
            )
        )
    }

    private func stage() throws -> Stage { try Stage(security: Self.contexts()) }

    @Test("Bytes arrive both ways as they were sent, in order, and the end after them")
    func exchange() throws {
        let stage = try stage()
        let (client, server) = try stage.connect()
        let long = pattern(3 << 20)
        for begin in stride(from: 0, to: long.count, by: 100_000) {
            Array(long[begin..<min(long.count, begin + 100_000)]).withByteView { client.append($0) }
        }
        client.flush()
        client.shutdownAfterFlush()
        try stage.run { stage.server.bytes.count == long.count && stage.server.hasEnded }
        #expect(stage.server.bytes == long && server.outputByteCount == 0)
        #expect(stage.server.events.contains(.ended(nil)))
        try stage.end()
    }

    @Test("What is sent before the handshake is complete leaves as soon as it is")
    func early() throws {
        let stage = try stage()
        stage.server.whenAccepted = { connection in
            [7, 8].withByteView { connection.append($0) }
            connection.flush()
            try connection.startReading()
        }
        let (client, server) = try stage.connect()
        try client.startReading()
        try stage.run { stage.client.bytes == [7, 8] }
        #expect(server.outputByteCount == 0 && server.writtenByteCount == 2)
        try stage.end()
    }

    @Test("Small frames of a tick share a record")
    func records() throws {
        let stage = try stage()
        let (client, _) = try stage.connect()
        try stage.runTicks()
        let before = stage.loop.sentByteCount
        for _ in 0..<100 { [1, 2, 3, 4].withByteView { client.append($0) } }
        client.flush()
        try stage.run { stage.server.bytes.count == 400 }
        #expect(stage.loop.sentByteCount - before < 400 + 64)
        try stage.end()
    }

    @Test("Output that the peer does not read stays counted, and drains")
    func backPressure() throws {
        let stage = try stage()
        let (client, server) = try stage.connect()
        try stage.runTicks()
        server.pauseReading()
        let long = pattern(8 << 20)
        long.withByteView { client.append($0) }
        client.flush()
        try stage.runTicks()
        #expect(client.outputByteCount > 1 << 20)
        #expect(stage.loop.outputByteCount == client.outputByteCount)
        client.reportDrained(at: 1_000)
        server.resumeReading()
        try stage.run {
            stage.client.count(.drained) == 1 && stage.server.bytes.count == long.count
        }
        #expect(stage.server.bytes == long && stage.loop.outputByteCount == 0)
        try stage.end()
    }

    @Test("A read that brings more than a frame offers the rest again after a pause")
    func pauses() throws {
        let stage = try stage()
        stage.server.whenReceived = { connection, bytes in
            connection.pauseReading()
            return min(10, bytes.count)
        }
        let (client, server) = try stage.connect()
        pattern(100).withByteView { client.append($0) }
        client.flush()
        while stage.server.bytes.count < 100 {
            let count = stage.server.bytes.count
            try stage.run { stage.server.bytes.count > count }
            server.resumeReading()
        }
        #expect(stage.server.bytes == pattern(100))
        try stage.end()
    }

    @Test("A read that completes no record is reported, too, and what was kept is offered again")
    func partialRecords() throws {
        let stage = try stage()
        stage.server.whenAccepted = { connection in
            connection.readLimit = 100
            try connection.startReading()
        }
        stage.server.whenReceived = { _, bytes in bytes.count < 2_000 ? 0 : bytes.count }
        let (client, _) = try stage.connect()
        pattern(500).withByteView { client.append($0) }
        client.flush()
        try stage.run { stage.server.offers.contains(pattern(500)) }
        #expect(stage.server.count(.received(0)) >= 4)
        let offered = stage.server.count(.received(500))
        pattern(1_500, from: 500).withByteView { client.append($0) }
        client.flush()
        try stage.run { stage.server.bytes == pattern(2_000) }
        #expect(stage.server.count(.received(500)) >= offered + 14)
        try stage.end()
    }

    @Test("Handshakes wait while the loop takes none, and established connections do not")
    func handshakesWait() throws {
        let stage = try stage()
        let (client, server) = try stage.connect()
        try stage.run { server.security?.phase == .established }
        stage.loop.takesHandshakes = false
        _ = try stage.beginConnecting()
        try stage.run { stage.server.count(.waits) > 0 }
        [1].withByteView { client.append($0) }
        client.flush()
        try stage.run { stage.server.bytes == [1] }
        #expect(stage.client.count(.opened) == 1)
        stage.loop.takesHandshakes = true
        try stage.run { stage.client.count(.opened) == 2 }
        try stage.end()
    }

    @Test("A peer without TLS, or with an untrusted certificate, ends its connection alone")
    func failures() throws {
        let stage = try stage()
        let (peer, server) = try stage.accept()
        try peer.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
        try stage.run { stage.server.hasEnded }
        #expect(server.securityError?.code == .notTLS)
        let (client, _) = try stage.connect()
        #expect(client.security?.phase == .established)
        try stage.end()

        let (one, other) = (try Self.contexts(), try Self.contexts())
        let strangers = try Stage(security: (one.server, other.client))
        let connection = try strangers.beginConnecting()
        try strangers.run { strangers.client.hasEnded && strangers.server.hasEnded }
        #expect(connection.securityError?.code == .certificate)
        #expect(strangers.client.count(.opened) == 0)
        #expect(strangers.server.connections[0].securityError?.code == .handshake)
        try strangers.end()
    }

    @Test("A peer that hangs up in the middle of the handshake ends its connection")
    func hangUp() throws {
        let stage = try stage()
        let (peer, server) = try stage.accept()
        try peer.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
        try stage.runTicks()
        #expect(server.security?.phase == .handshake && !stage.server.hasEnded)
        peer.close()
        try stage.run { stage.server.hasEnded }
        try stage.end()
    }
}
