import Basics
import LibuvLoop
import Testing

@Suite("Input that is kept")
struct KeptInputTests {
    @Test func `It takes as much memory as it has bytes, and none when it has been used`() throws {
        let stage = try Stage()
        let (peer, server) = try stage.accept()
        stage.server.whenReceived = { _, view in view.count < 20_000 ? 0 : view.count }
        try peer.send(pattern(3_000))
        try stage.run { stage.server.offers.last?.count == 3_000 }
        #expect((3_000...3_255).contains(server.keptInputByteCount))
        try peer.send(pattern(16_999))
        try stage.run { stage.server.offers.last?.count == 19_999 }
        #expect((19_999...20_255).contains(server.keptInputByteCount))
        #expect(stage.loop.keptInputByteCount == server.keptInputByteCount)
        try peer.send([1])
        try stage.run { stage.server.bytes.count == 20_000 }
        #expect(stage.loop.keptInputByteCount == 0)
        peer.close()
        try stage.end()
    }

    @Test func `A read brings no more than a sixteenth of what is free, and at least a page`()
        throws
    {
        let stage = try Stage()
        stage.loop.inputLimit = 1 << 20
        let (peer, server) = try stage.accept()
        stage.server.whenReceived = { _, _ in 0 }
        let bytes = pattern(400_000)
        var sent = 0
        try stage.run {
            while sent < bytes.count, let count = peer.sendSome(Array(bytes[sent...])) {
                sent += count
            }
            return (stage.server.offers.last?.count ?? 0) >= 300_000
        }
        var kept = 0
        for offer in stage.server.offers {
            #expect(offer.count - kept <= max(4_096, ((1 << 20) - kept) / 16))
            kept = offer.count
        }
        #expect(stage.loop.keptInputByteCount == server.keptInputByteCount)
        server.close()
        try stage.run { stage.server.count(.closed) == 1 }
        #expect(stage.loop.keptInputByteCount == 0)
        peer.close()
        try stage.end()
    }

    @Test func `What a connection keeps can be thrown away`() throws {
        let stage = try Stage()
        let (peer, server) = try stage.accept()
        stage.server.whenReceived = { _, view in view.count > 100 ? 0 : view.count }
        try peer.send(pattern(500))
        try stage.run { stage.loop.keptInputByteCount >= 500 }
        server.discardInput()
        #expect(stage.loop.keptInputByteCount == 0)
        try peer.send([7])
        try stage.run { stage.server.bytes == [7] }
        peer.close()
        try stage.end()
    }

    @Test func `A connection reads no more at a time than it may`() throws {
        let stage = try Stage()
        stage.server.whenAccepted = {
            $0.readLimit = 100
            try $0.startReading()
        }
        let (peer, _) = try stage.accept()
        try peer.send(pattern(1_000))
        try stage.run { stage.server.bytes.count == 1_000 }
        #expect(stage.server.offers.allSatisfy { $0.count <= 100 })
        peer.close()
        try stage.end()
    }
}
