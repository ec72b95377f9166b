import Basics
import Testing

@testable import LibuvLoop

/// Two connected ends, and one byte that is on its way to the accepted one.
private struct Ends {
    let loop: Loop
    let party = LoopParty()
    let opened: TCPConnection
    let accepted: TCPConnection
    private let listener: TCPListener

    init(byteCount: Int = 1) throws {
        loop = try Loop()
        let local = try SocketAddress.resolve(host: "127.0.0.1", port: 0, loop: loop)[0]
        listener = try TCPListener(loop, address: local, owner: party)
        opened = try TCPConnection.connect(loop, to: listener.localAddress, owner: party)
        while party.connections.count < 2 { try loop.tick(waits: true) }
        accepted = party.connections[party.connections[0] === opened ? 1 : 0]
        let bytes = [UInt8](repeating: 7, count: byteCount)
        bytes.withByteView { opened.append($0) }
        opened.flush()
    }

    /// Runs the loop until a number of inputs was offered; each is answered by `whenReceived`.
    func receive(_ count: Int = 1, answer: @escaping (TCPConnection, ByteView) -> Int) throws {
        var offers = 0
        party.whenReceived = { connection, bytes in
            offers += 1
            return answer(connection, bytes)
        }
        while offers < count { try loop.tick(waits: true) }
    }

    /// Closes everything, and runs until it is closed.
    func end() throws {
        opened.close()
        accepted.close()
        listener.close()
        try loop.run()
    }
}

@Suite("Misuse of TCPConnection")
struct ConnectionMisuse {
    @Test(
        "an owner does not consume more than it was offered, nor less than nothing",
        arguments: [2, -1, .max]
    )
    func consumed(count: Int) async {
        await #expect(processExitsWith: .trap) { [count] in
            try Ends().receive { _, _ in count }
        }
    }

    @Test("no read brings less than a byte", arguments: [0, -1, .min])
    func leastRead(limit: Int) async {
        await #expect(processExitsWith: .trap) { [limit] in
            let ends = try Ends()
            ends.accepted.readLimit = limit
            try ends.receive { $1.count }
        }
        await #expect(processExitsWith: .trap) { [limit] in
            let ends = try Ends()
            ends.loop.readLimit = limit
            try ends.receive { $1.count }
        }
    }

    @Test("no read brings more than there is memory for")
    func mostRead() throws {
        let ends = try Ends(byteCount: 3 * Loop.slabBytes)
        ends.accepted.readLimit = .max
        ends.loop.readLimit = .max
        ends.loop.inputLimit = .max
        var most = 0
        var received = 0
        while received < 3 * Loop.slabBytes {
            try ends.receive { _, bytes in
                most = max(most, bytes.count)
                received += bytes.count
                return bytes.count
            }
        }
        #expect(most <= Loop.slabBytes)
        try ends.end()
    }

    @Test("input is not discarded while the owner looks at it")
    func discarded() async {
        await #expect(processExitsWith: .trap) {
            try Ends().receive { connection, _ in
                connection.discardInput()
                return 0
            }
        }
    }

    @Test("input that was kept stays valid while it is offered, whatever the owner calls meanwhile")
    func offered() throws {
        let ends = try Ends(byteCount: 5_000)
        try ends.receive { _, _ in 0 }
        ends.accepted.pauseReading()
        ends.accepted.resumeReading()
        try ends.receive { connection, bytes in
            connection.pauseReading()
            connection.resumeReading()
            connection.close()
            #expect(bytes.array == [UInt8](repeating: 7, count: bytes.count))
            return 1
        }
        try ends.end()
    }

    @Test("whatever is called once it is closed, its freed handle is not used")
    func closed() throws {
        // So much that some of it is never accepted by the kernel, and the end waits for it.
        let ends = try Ends(byteCount: 16 << 20)
        ends.opened.shutdownAfterFlush()
        #expect(ends.opened.outputByteCount > 0)
        try ends.end()
        for connection in [ends.opened, ends.accepted] {
            [1].withByteView { connection.append($0) }
            connection.flush()
            connection.shutdownAfterFlush()
            connection.reportDrained(at: 0)
            try connection.startReading()
            connection.pauseReading()
            connection.resumeReading()
            connection.discardInput()
            connection.setNoDelay()
            connection.close()
            #expect(connection.remoteAddress == "unknown" && connection.remoteNetwork == nil)
            #expect(connection.outputByteCount == 0 && connection.keptInputByteCount == 0)
        }
        try ends.loop.run()
        try ends.loop.close()
    }

    @Test("a connection that is not open yet is not read, and sends nothing")
    func unopened() throws {
        let loop = try Loop()
        let local = try SocketAddress.resolve(host: "127.0.0.1", port: 0, loop: loop)[0]
        let listener = try TCPListener(loop, address: local, owner: LoopParty())
        let address = listener.localAddress
        listener.close()
        try loop.run()
        let connection = try TCPConnection.connect(loop, to: address, owner: LoopParty())
        connection.resumeReading()
        [1].withByteView { connection.append($0) }
        connection.flush()
        connection.shutdownAfterFlush()
        connection.reportDrained(at: 0)
        connection.discardInput()
        try loop.run()
        #expect(loop.handleCount == 0 && loop.outputByteCount == 0)
        try loop.close()
    }
}
