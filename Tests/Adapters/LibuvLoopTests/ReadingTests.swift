import Basics
import TestSupport
import Testing

@testable import LibuvLoop

@Suite("Reading")
struct ReadingTests {
    @Test("Bytes arrive at the owner over IPv4 and IPv6", arguments: ["127.0.0.1", "::1"])
    func arrive(host: String) throws {
        let stage = try Stage(host)
        let (client, server) = try stage.connect()
        [1, 2, 3].withByteView { client.append($0) }
        client.flush()
        try stage.run { stage.server.bytes == [1, 2, 3] }
        #expect(server.remoteAddress.hasPrefix(host == "::1" ? "[::1]:" : "127.0.0.1:"))
        #expect(client.remoteAddress == stage.address.description)
        try stage.end()
    }

    @Test("A frame that comes in two halves is offered in one piece")
    func halves() throws {
        let stage = try Stage()
        stage.server.whenReceived = { _, bytes in bytes.count < 100 ? 0 : 100 }
        let (peer, _) = try stage.accept()
        let frame = pattern(100)
        try peer.send(Array(frame[..<40]))
        try stage.run { stage.server.offers.count == 1 }
        try peer.send(Array(frame[40...]))
        try stage.run { stage.server.bytes.count == 100 }
        #expect(stage.server.offers == [Array(frame[..<40]), frame])
        try stage.end()
    }

    @Test("However a stream is cut, its frames come out whole and in order", arguments: 0..<8)
    func cuts(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let stage = try Stage()
        // A frame is its length in two bytes and that many more.
        var frames = 0
        stage.server.whenReceived = { _, bytes in
            var offset = 0
            while bytes.count - offset >= 2 {
                let end = offset + 2 + Int(bytes.bigEndian(UInt16.self, at: offset))
                if end > bytes.count { break }
                offset = end
                frames += 1
            }
            return offset
        }
        var stream: [UInt8] = []
        for index in 0..<200 {
            let length = Int(random.next() % 900)
            stream += [UInt8(length >> 8), UInt8(length & 0xff)]
            stream += pattern(length, from: index)
        }
        let (peer, _) = try stage.accept()
        var sent = 0
        while sent < stream.count {
            let length = min(Int(random.next() % 1_500) + 1, stream.count - sent)
            try peer.send(Array(stream[sent..<sent + length]))
            sent += length
            if random.next() % 2 == 0 { try stage.runTicks(1) }
        }
        try stage.run("seed \(seed)") { stage.server.bytes.count == stream.count }
        #expect(stage.server.bytes == stream && frames == 200, "seed \(seed)")
        try stage.end()
    }

    @Test("Partial frames of connections that share the read slab do not mix")
    func sharedSlab() throws {
        let stage = try Stage()
        var finished: [[UInt8]] = []
        stage.server.whenReceived = { _, bytes in
            guard bytes.count == 64 else { return 0 }
            finished.append(bytes.array)
            return 64
        }
        let first = try stage.accept()
        let second = try stage.accept()
        for part in 0..<4 {
            for (index, peer) in [first.peer, second.peer].enumerated() {
                try peer.send([UInt8](repeating: UInt8(index * 16 + part), count: 16))
            }
            try stage.run { stage.server.offers.count == (part + 1) * 2 }
        }
        let expected = [0, 16].map { base in
            (0..<4).flatMap { [UInt8](repeating: UInt8(base + $0), count: 16) }
        }
        #expect(Set(finished) == Set(expected))
        try stage.end()
    }

    @Test("A frame of half the read slab is carried until it is complete")
    func largeFrame() throws {
        let stage = try Stage()
        let frame = pattern(Loop.slabBytes / 2)
        stage.server.whenReceived = { _, bytes in bytes.count < frame.count ? 0 : frame.count }
        let (client, _) = try stage.connect()
        frame.withByteView { client.append($0) }
        client.flush()
        try stage.run { stage.server.bytes.count == frame.count }
        #expect(stage.server.bytes == frame)
        try stage.end()
    }

    @Test("A read brings no more than the loop's limit, and the next one continues after it")
    func readLimit() throws {
        let stage = try Stage()
        stage.loop.readLimit = 10
        let (peer, _) = try stage.accept()
        let bytes = pattern(35)
        try peer.send(bytes)
        try stage.run { stage.server.bytes.count == bytes.count }
        #expect(stage.server.bytes == bytes)
        #expect(stage.server.offers.map(\.count) == [10, 10, 10, 5])
        try stage.end()
    }

    @Test("Connections that send much take turns")
    func ticks() throws {
        let stage = try Stage()
        stage.loop.readLimit = 10
        let peers = try (0..<3).map { _ in try stage.accept().0 }
        for (number, peer) in peers.enumerated() {
            try peer.send([UInt8](repeating: UInt8(number), count: 40))
        }
        try stage.run { stage.server.bytes.count == 120 }
        let readers = stage.server.offers.map { $0[0] }
        for round in 0..<4 { #expect(Set(readers[round * 3..<round * 3 + 3]) == [0, 1, 2]) }
        // It is the loop's own affair that one comes after the others.
        #expect(stage.server.count(.waits) == 0)
        try stage.end()
    }

    @Test("A loop that reads no input reports which connections have some, and reads it later")
    func takesNoInput() throws {
        let stage = try Stage()
        stage.loop.readLimit = 10
        // The second read is refused: the first one was full, and so is not followed in its turn.
        stage.server.whenReceived = { [loop = stage.loop] _, bytes in
            loop.takesInput = false
            return bytes.count
        }
        let (peer, _) = try stage.accept()
        let bytes = pattern(15)
        try peer.send(bytes)
        try stage.run { stage.server.count(.waits) > 0 }
        #expect(stage.server.bytes == Array(bytes[..<10]))
        stage.loop.takesInput = true
        try stage.run { stage.server.bytes == bytes }
        try stage.end()
    }

    @Test("Connections with a closed gate report that they have input, and the others are read")
    func gate() throws {
        let stage = try Stage()
        let gate = InputGate()
        gate.isOpen = false
        let (waiting, server) = try stage.accept()
        server.gate = gate
        let (other, _) = try stage.accept()
        try waiting.send([1, 2, 3])
        try other.send([4])
        try stage.run { stage.server.count(.waits) > 0 && stage.server.bytes == [4] }
        gate.isOpen = true
        try stage.run { stage.server.bytes == [4, 1, 2, 3] }
        try stage.end()
    }

    @Test("A paused connection leaves its bytes with the kernel until it is resumed")
    func pause() throws {
        let stage = try Stage()
        let (peer, server) = try stage.accept()
        server.pauseReading()
        #expect(!server.isReading)
        try peer.send([1, 2, 3])
        try stage.runTicks()
        #expect(stage.server.offers.isEmpty)
        server.resumeReading()
        try stage.run { stage.server.bytes == [1, 2, 3] }
        try stage.end()
    }

    @Test("Frames left unconsumed by a pause are offered again when reading is resumed")
    func keptFramesAreOfferedAgain() throws {
        let stage = try Stage()
        var isFirst = true
        stage.server.whenReceived = { connection, bytes in
            defer { isFirst = false }
            if isFirst { connection.pauseReading() }
            return isFirst ? 2 : bytes.count
        }
        let (peer, server) = try stage.accept()
        try peer.send([1, 2, 3, 4])
        try stage.run { stage.server.offers.count == 1 }
        server.resumeReading()
        // The peer has nothing more to say: only the carry can bring the second frame.
        try stage.runTicks()
        #expect(stage.server.bytes == [1, 2, 3, 4])
        try stage.end()
    }

    @Test("The tick in which frames are offered again does not wait for input")
    func keptFramesDoNotWait() throws {
        let stage = try Stage(tickMilliseconds: 60_000)
        var waits: [Milliseconds?] = []
        stage.server.whenReceived = { [loop = stage.loop] connection, bytes in
            waits.append(loop.wait)
            if waits.count == 1 { connection.pauseReading() }
            return waits.count == 1 ? 2 : bytes.count
        }
        let (peer, server) = try stage.accept()
        try peer.send([1, 2, 3, 4])
        try stage.run { waits.count == 1 }
        server.resumeReading()
        // What the frames have led to is done at the end of that turn.
        try stage.run { waits.count == 2 }
        #expect(waits.last == .some(.zero))
        // Behind that it waits again.
        try peer.send([5])
        try stage.run { waits.count == 3 }
        #expect(try #require(waits[0]) > .seconds(1) && #require(waits[2]) > .seconds(1))
        try stage.end()
    }

    @Test("Pausing and resuming inside the callback reads on")
    func pauseInside() throws {
        let stage = try Stage()
        stage.server.whenReceived = { connection, bytes in
            connection.pauseReading()
            connection.resumeReading()
            return bytes.count
        }
        let (peer, _) = try stage.accept()
        try peer.send([1])
        try stage.run { stage.server.bytes == [1] }
        try peer.send([2])
        try stage.run { stage.server.bytes == [1, 2] }
        try stage.end()
    }
}
