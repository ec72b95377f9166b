import Basics
import LibuvLoop
import Testing

@Suite("Ending")
struct EndingTests {
    @Test("A peer's end is reported once, without an error, after its last bytes")
    func endOfInput() throws {
        let stage = try Stage()
        let (peer, _) = try stage.accept()
        try peer.send([1, 2])
        peer.endWriting()
        try stage.run { stage.server.count(.closed) == 1 }
        #expect(stage.server.events == [.accepted, .received(2), .ended(nil), .closed])
        try stage.end()
    }

    @Test("After the peer's end, output can still be sent")
    func halfClosed() throws {
        let stage = try Stage()
        stage.server.whenEnded = { connection in
            [5].withByteView { connection.append($0) }
            connection.shutdownAfterFlush()
        }
        let (peer, _) = try stage.accept()
        peer.endWriting()
        try stage.run { stage.server.hasEnded }
        try stage.runTicks()
        #expect(peer.receiveAll() == [5])
        try stage.end()
    }

    @Test("After the peer's end, a connection that breaks is reported once more")
    func brokenAfterEnd() throws {
        let stage = try Stage()
        let (peer, server) = try stage.accept()
        // More than the kernel takes, so that something is left to fail.
        stage.server.whenEnded = { connection in
            if stage.server.count(.ended(nil)) == 1 && connection.outputByteCount == 0 {
                pattern(16 << 20, from: 0).withByteView { connection.append($0) }
                connection.flush()
            } else {
                connection.close()
            }
        }
        peer.endWriting()
        try stage.run { stage.server.hasEnded }
        #expect(server.outputByteCount > 0)
        try peer.reset()
        try stage.run { stage.server.count(.closed) == 1 }
        let ends = stage.server.events.compactMap { event -> String? in
            if case .ended(let error) = event { error?.name ?? "end" } else { nil }
        }
        #expect(ends.count == 2 && ends[0] == "end")
        #expect(ends.last == "ECONNRESET" || ends.last == "EPIPE")
        try stage.end()
    }

    @Test("A reset is reported as an error")
    func reset() throws {
        let stage = try Stage()
        let (peer, _) = try stage.accept()
        try peer.reset()
        try stage.run { stage.server.count(.closed) == 1 }
        let error = stage.server.events.lazy.compactMap { event -> UVError? in
            if case .ended(let error) = event { error } else { nil }
        }.first
        #expect(error?.name == "ECONNRESET")
        try stage.end()
    }

    @Test("A refused connection is reported as ended, with the reason")
    func refused() throws {
        let stage = try Stage()
        let (peer, _) = try stage.accept()
        let address = stage.address
        stage.listener?.close()
        try stage.runTicks(2)
        let connection = try TCPConnection.connect(stage.loop, to: address, owner: stage.client)
        stage.client.connections.append(connection)
        try stage.run { stage.client.count(.closed) == 1 }
        guard case .ended(let error?) = stage.client.events[0] else {
            Issue.record("ended with an error was expected, not \(stage.client.events)")
            return
        }
        #expect(error.name == "ECONNREFUSED")
        #expect(stage.client.events == [.ended(error), .closed])
        peer.close()
        try stage.end()
    }

    enum Callback: CaseIterable {
        case accepted
        case opened
        case received
        case ended
        case closed
    }

    @Test("A connection may be closed inside any callback, twice", arguments: Callback.allCases)
    func closeInside(callback: Callback) throws {
        let stage = try Stage()
        let closeTwice: (TCPConnection) -> Void = {
            $0.close()
            $0.close()
        }
        switch callback {
        case .accepted: stage.server.whenAccepted = closeTwice
        case .opened: stage.client.whenOpened = closeTwice
        case .received:
            stage.server.whenReceived = { connection, bytes in
                closeTwice(connection)
                return 1
            }
        case .ended: stage.server.whenEnded = closeTwice
        case .closed: stage.server.whenClosed = closeTwice
        }
        let client = try stage.beginConnecting()
        [1, 2, 3].withByteView { client.append($0) }
        client.flush()
        try stage.run { !stage.server.connections.isEmpty }
        try stage.runTicks()
        client.close()
        try stage.run { stage.server.count(.closed) == 1 && stage.client.count(.closed) == 1 }
        #expect(stage.server.events.last == .closed && stage.client.events.last == .closed)
        try stage.end()
    }

    @Test("A connection may be closed when it hears that it has drained")
    func closeInsideDrained() throws {
        let stage = try Stage()
        stage.server.whenDrained = { $0.close() }
        let (peer, server) = try stage.accept()
        pattern(64 << 10).withByteView { view in
            for _ in 0..<256 { server.append(view) }
        }
        server.flush()
        try stage.run {
            _ = peer.receiveAvailable()
            return stage.server.count(.closed) == 1
        }
        #expect(stage.server.count(.drained) == 1 && stage.server.events.last == .closed)
        try stage.end()
    }

    @Test("A connection may be closed before it is open, and is then never told open")
    func closeWhileConnecting() throws {
        let stage = try Stage()
        let client = try stage.beginConnecting()
        [1].withByteView { client.append($0) }
        client.flush()
        client.close()
        try stage.run { stage.client.count(.closed) == 1 }
        #expect(stage.client.events == [.closed])
        try stage.end()
    }

    @Test("A shutdown after the flush gives the peer everything, then the end")
    func shutdownAfterFlush() throws {
        let stage = try Stage()
        let (client, server) = try stage.connect()
        try client.startReading()
        let bytes = pattern(4 << 20)
        bytes.withByteView { server.append($0) }
        server.shutdownAfterFlush()
        server.shutdownAfterFlush()
        try stage.run { stage.client.hasEnded }
        #expect(stage.client.bytes == bytes)
        #expect(stage.client.events.contains(.ended(nil)))
        try stage.end()
    }

    @Test("A peer whose bytes are discarded after a shutdown is not reset")
    func noReset() throws {
        let stage = try Stage()
        stage.server.whenReceived = { connection, bytes in
            connection.shutdownAfterFlush()
            return bytes.count
        }
        let (peer, server) = try stage.accept()
        [4, 2].withByteView { server.append($0) }
        try peer.send(pattern(1_000))
        try stage.run { !stage.server.offers.isEmpty }
        try peer.send(pattern(100_000))
        try stage.runTicks()
        #expect(peer.receiveAll() == [4, 2])
        try stage.end()
    }

    @Test("A closed connection is freed, with its handle, and lets go of the loop")
    func freed() throws {
        weak var freed: TCPConnection?
        weak var freedLoop: Loop?
        do {
            let stage = try Stage()
            freedLoop = stage.loop
            let (peer, _) = try stage.accept()
            freed = stage.server.connections[0]
            #expect(freed != nil)
            peer.close()
            try stage.end()
        }
        #expect(freed == nil && freedLoop == nil)
    }

    @Test("A connection that has closed can still be asked and told, and does nothing")
    func usedAfterClose() throws {
        let stage = try Stage()
        let (_, server) = try stage.accept()
        server.close()
        #expect(server.remoteAddress == "unknown")
        try stage.run { stage.server.count(.closed) == 1 }
        #expect(server.remoteAddress == "unknown")
        server.setNoDelay()
        server.pauseReading()
        server.resumeReading()
        server.flush()
        server.shutdownAfterFlush()
        try stage.end()
    }
}
