import Basics
import Testing

@testable import LibuvLoop

@Suite("Back-pressure")
struct BackPressureTests {
    /// Repeats over and over in a flood.
    private static let block = pattern(251 * 256)
    /// More than the kernel keeps for a loopback connection (10 MiB by default, both ends).
    private static let flood = 512 * block.count

    private func flood(_ connection: TCPConnection) {
        Self.block.withByteView { view in
            for _ in 0..<Self.flood / view.count { connection.append(view) }
        }
        connection.flush()
    }

    @Test("Output of a peer that never reads stays here, and is dropped by a close")
    func neverReads() throws {
        let stage = try Stage()
        let (peer, server) = try stage.accept()
        flood(server)
        try stage.runTicks()
        let waiting = server.outputByteCount
        #expect(waiting > 0 && waiting < Self.flood)
        #expect(stage.loop.outputByteCount == waiting)
        #expect(stage.loop.sentByteCount == UInt64(Self.flood - waiting))
        let before = writeCallsOfThisThread()
        for _ in 0..<100 {
            [1].withByteView { server.append($0) }
            server.flush()
        }
        #expect(writeCallsOfThisThread() == before, "a full socket is not tried again and again")
        #expect(server.outputByteCount == waiting + 100)
        server.close()
        try stage.run { stage.server.count(.closed) == 1 }
        #expect(stage.loop.outputByteCount == 0)
        #expect(stage.server.count(.drained) == 0)
        peer.close()
        try stage.end()
    }

    @Test(
        "A peer that starts to read gets everything in order, and the owner hears that it drained"
    )
    func drains() throws {
        let stage = try Stage()
        let (peer, server) = try stage.accept()
        server.drainThreshold = 16 << 20
        flood(server)
        // Appended while a write is under way: goes behind it.
        [1, 2, 3].withByteView { server.append($0) }
        server.flush()
        #expect(stage.server.count(.drained) == 0)
        var received: [UInt8] = []
        try stage.run {
            received += peer.receiveAvailable(256 << 10)
            return received.count == Self.flood + 3
        }
        let length = Self.block.count
        let isInOrder = (0..<Self.flood / length).allSatisfy {
            received[$0 * length..<($0 + 1) * length] == Self.block[...]
        }
        #expect(isInOrder && received.suffix(3) == [1, 2, 3])
        #expect(server.outputByteCount == 0 && stage.loop.outputByteCount == 0)
        try stage.run { stage.server.count(.drained) > 0 }
        #expect(stage.server.count(.drained) == 1)
        try stage.end()
    }

    @Test("The memory of output that waits is little more than its bytes, whatever its frames are")
    func memory() throws {
        for length in [20, 300, 5_000, 9_000, 17_000, 70_000] {
            let stage = try Stage()
            let (_, server) = try stage.accept()
            let frame = pattern(length)
            func append(_ byteCount: Int) {
                for _ in 0..<byteCount / length { frame.withByteView { server.append($0) } }
                server.flush()
            }
            append(24 << 20)
            func expectLittle() {
                let most = server.outputByteCount * 6 / 5 + 2_048
                #expect(stage.loop.outputMemoryByteCount <= most, "frames of \(length) bytes")
            }
            expectLittle()
            for _ in 0..<20 {
                append(length * 5)
                expectLittle()
            }
            server.close()
            try stage.run { stage.server.count(.closed) == 1 }
            try stage.end()
        }
    }

    @Test("Memory that was not needed lately goes back to the system, half of it at a time")
    func trimming() throws {
        let pool = ChunkPool()
        let chunks = (0..<8).map { _ in pool.take(100) }
        #expect(pool.usedByteCount == 8 * OutputChunk.byteCount)
        for chunk in chunks { pool.give(chunk, erases: false) }
        #expect((pool.usedByteCount, pool.kept) == (0, 8))
        pool.trim()
        #expect(pool.kept == 8, "they were needed since the last call")
        for left in [4, 2, 1, 0, 0] {
            pool.trim()
            #expect(pool.kept == left)
        }
    }

    @Test("Output above the threshold that a flush takes whole is reported as drained")
    func drainedByFlush() throws {
        let stage = try Stage()
        let (_, server) = try stage.accept()
        server.drainThreshold = 1_000
        pattern(20_000).withByteView { server.append($0) }
        stage.server.calling { server.flush() }
        #expect(server.outputByteCount == 0)
        #expect(stage.server.callbacksInsideCalls == 0)
        try stage.runTicks()
        #expect(stage.server.count(.drained) == 1)
        try stage.end()
    }

    @Test("A connection that was never above the threshold is not reported as drained")
    func neverAbove() throws {
        let stage = try Stage()
        let (_, server) = try stage.accept()
        server.drainThreshold = 1_000
        [1].withByteView { server.append($0) }
        server.flush()
        try stage.runTicks()
        #expect(stage.server.count(.drained) == 0)
        try stage.end()
    }

    @Test("Bytes appended to a connection that has closed do not count as output")
    func appendedAfterClose() throws {
        let stage = try Stage()
        let (_, server) = try stage.accept()
        server.close()
        [1].withByteView { server.append($0) }
        try stage.run { stage.server.count(.closed) == 1 }
        #expect(stage.loop.outputByteCount == 0)
        [1, 2].withByteView { server.append($0) }
        server.flush()
        #expect(stage.loop.outputByteCount == 0)
        try stage.end()
    }
}
