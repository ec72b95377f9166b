import Basics
import LibuvLoop
import TestSupport
import Testing

@Suite("Writing")
struct WritingTests {
    @Test("What was appended in a tick goes out in one system call")
    func gathered() throws {
        let stage = try Stage()
        let (peer, server) = try stage.accept()
        // 40 frames of 1,000 bytes lie in three chunks.
        for index in 0..<40 {
            pattern(1_000, from: index * 1_000).withByteView { server.append($0) }
        }
        #expect(server.outputByteCount == 40_000)
        #expect(peer.receiveAvailable().isEmpty, "nothing goes out before the flush")
        let before = writeCallsOfThisThread()
        server.flush()
        let after = writeCallsOfThisThread()
        if let before, let after { #expect(after - before == 1) }
        #expect(server.outputByteCount == 0)
        #expect(stage.loop.outputByteCount == 0)
        #expect(stage.loop.sentByteCount == 40_000)
        var received: [UInt8] = []
        while received.count < 40_000 { received += try #require(peer.receive()) }
        #expect(received == pattern(40_000))
        try stage.end()
    }

    @Test("A flush with nothing to write makes no system call")
    func nothingToFlush() throws {
        let stage = try Stage()
        let (_, server) = try stage.accept()
        let before = writeCallsOfThisThread()
        server.flush()
        #expect(writeCallsOfThisThread() == before)
        try stage.end()
    }

    @Test("Only what the body says that it has written is sent")
    func reserved() throws {
        let stage = try Stage()
        let (peer, server) = try stage.accept()
        for count in [3, 0, 2] {
            unsafe server.withOutput(100) { memory in
                for index in 0..<count {
                    unsafe memory.storeBytes(
                        of: UInt8(count),
                        toByteOffset: index,
                        as: UInt8.self
                    )
                }
                return count
            }
        }
        server.flush()
        #expect(peer.receive() == [3, 3, 3, 2, 2])
        try stage.end()
    }

    @Test("Room that nothing was written to does not keep a flush busy")
    func emptyRoom() throws {
        let stage = try Stage()
        let (_, server) = try stage.accept()
        unsafe server.withOutput(100) { _ in 0 }
        server.flush()
        #expect(server.outputByteCount == 0)
        try stage.end()
    }

    @Test("Frames of any length come out as they were appended", arguments: 0..<4)
    func lengths(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let stage = try Stage()
        let (client, _) = try stage.connect()
        var expected: [UInt8] = []
        for _ in 0..<300 {
            // Around the sizes of chunks, and now and then beyond them.
            let length = Int(random.next() % (random.next() % 10 == 0 ? 100_000 : 2_000))
            let frame = pattern(length, from: Int(random.next() % 251))
            frame.withByteView { client.append($0) }
            expected += frame
            if random.next() % 8 == 0 { client.flush() }
            if random.next() % 16 == 0 { try stage.runTicks(1) }
        }
        client.flush()
        try stage.run("seed \(seed)") { stage.server.bytes.count == expected.count }
        #expect(stage.server.bytes == expected, "seed \(seed)")
        #expect(client.outputByteCount == 0 && stage.loop.outputByteCount == 0)
        try stage.end()
    }

    @Test("What is appended before a connection opens is sent when it is flushed")
    func appendedWhileConnecting() throws {
        let stage = try Stage()
        let client = try stage.beginConnecting()
        [7, 8].withByteView { client.append($0) }
        client.flush()
        try stage.run { stage.server.bytes == [7, 8] }
        try stage.end()
    }

    @Test("Writing to a peer that is gone ends the connection, and not the process")
    func brokenPipe() throws {
        let stage = try Stage()
        let (peer, server) = try stage.accept()
        server.pauseReading()
        try peer.reset()
        for _ in 0..<3 {
            [1].withByteView { server.append($0) }
            server.flush()
        }
        try stage.run { stage.server.hasEnded }
        let error = stage.server.events.lazy.compactMap { event -> UVError? in
            if case .ended(let error) = event { error } else { nil }
        }.first
        #expect(["EPIPE", "ECONNRESET"].contains(try #require(error).name))
        try stage.runTicks()
        #expect(
            stage.server.events.filter { if case .ended = $0 { true } else { false } }.count == 1
        )
        try stage.end()
    }

    @Test("A failure is not told inside the flush that finds it")
    func failureIsReportedLater() throws {
        let stage = try Stage()
        let (peer, server) = try stage.accept()
        server.pauseReading()
        try peer.reset()
        stage.server.calling {
            for _ in 0..<3 {
                [1].withByteView { server.append($0) }
                server.flush()
            }
        }
        try stage.run { stage.server.hasEnded }
        #expect(stage.server.callbacksInsideCalls == 0)
        try stage.end()
    }

    @Test("What a peer said before it went away is read although writing fails first")
    func lastWords() throws {
        let stage = try Stage()
        let (peer, server) = try stage.accept()
        try peer.send([9, 9, 9])
        peer.close()
        // The first write meets a closed socket, and the next one the reset that answered it.
        for _ in 0..<3 {
            [1].withByteView { server.append($0) }
            server.flush()
        }
        try stage.run { stage.server.hasEnded }
        #expect(stage.server.bytes == [9, 9, 9])
        try stage.end()
    }
}
