import Basics
import Glibc
import Testing

@testable import LibuvLoop

@Suite("Misuse of Loop")
struct LoopMisuse {
    @Test("a closed loop is not run")
    func closed() async {
        await #expect(processExitsWith: .trap) {
            let loop = try Loop()
            try loop.close()
            try loop.run()
        }
        await #expect(processExitsWith: .trap) {
            let loop = try Loop()
            try loop.close()
            try loop.tick(waits: false)
        }
    }

    @Test("a loop that runs is neither run nor closed by what it calls")
    func inside() async {
        await #expect(processExitsWith: .trap) {
            let loop = try Loop()
            try LoopParty.fire(on: loop) { try? loop.run() }
        }
        await #expect(processExitsWith: .trap) {
            let loop = try Loop()
            try LoopParty.fire(on: loop) { try? loop.tick(waits: false) }
        }
        await #expect(processExitsWith: .trap) {
            let loop = try Loop()
            try LoopParty.fire(on: loop) { try? loop.close() }
        }
    }

    @Test("Misuse of LoopMeter: it outlives its loop, and gets work outside of callbacks")
    func meter() throws {
        var loop: Loop? = try Loop()
        let meter = try #require(loop?.meter)
        meter.enter(.read)
        try loop?.close()
        loop = nil
        meter.enter(.tick)
        #expect(meter.stalls.count == 0)
    }

    @Test("a closed loop can be asked, opens no handle, and looks nothing up")
    func asked() async throws {
        let loop = try Loop()
        try loop.close()
        loop.stop()
        #expect(loop.handleCount == 0 && loop.outputByteCount == 0)
        await #expect(processExitsWith: .trap) {
            let loop = try Loop()
            try loop.close()
            _ = try LoopTimer(loop, owner: LoopParty())
        }
        await #expect(processExitsWith: .trap) {
            let loop = try Loop()
            try loop.close()
            _ = try SocketAddress.resolve(host: "127.1", port: 1, loop: loop)
        }
    }
}

/// In each test, nothing but the loop refers to the owner, and nothing to the handle.
@Suite("Misuse of handles")
struct HandleMisuse {
    private let loop: Loop
    /// The number of calls of owners.
    private let calls = LoopParty.Counter()

    init() throws { loop = try Loop() }

    private var owner: LoopParty { LoopParty(calls, closes: true) }

    /// Runs the loop until all handles are closed, which their owners do.
    private func run(expecting count: Int = 1) throws {
        try loop.run()
        #expect(calls.count == count && loop.handleCount == 0)
    }

    @Test("Misuse of LoopTimer: it fires although it was dropped, and does nothing once closed")
    func timer() throws {
        var timer: LoopTimer? = try LoopTimer(loop, owner: owner)
        try timer?.start(after: .zero)
        timer = nil
        try run()
        let closed = try LoopTimer(loop, owner: owner)
        closed.close()
        try run()
        try closed.start(after: .zero, repeating: .milliseconds(1))
        closed.stop()
        closed.close()
        try run()
    }

    @Test("Misuse of LoopHook: it is called although it was dropped, and not once it is closed")
    func hook() throws {
        _ = try LoopHook(loop, owner: owner)
        let timer = try LoopTimer(loop, owner: owner)
        try timer.start(after: .zero)
        try run(expecting: 2)
        let closed = try LoopHook(loop, owner: owner)
        closed.close()
        closed.close()
        try run(expecting: 2)
        closed.close()
    }

    @Test("Misuse of LoopSignal: it is received although it was dropped")
    func signal() throws {
        _ = try LoopSignal(loop, signal: SIGUSR1, owner: owner)
        raise(SIGUSR1)
        try run()
        let closed = try LoopSignal(loop, signal: SIGUSR1, owner: owner)
        closed.close()
        try run()
        closed.close()
    }

    @Test("Misuse of LoopWakeup: it is woken although it was dropped, and not once it is closed")
    func wakeup() throws {
        let mailbox = try LoopWakeup(loop, owner: owner).mailbox
        mailbox.wake()
        try run()
        mailbox.wake()
        try run()
        #expect(!mailbox.shut())
    }

    @Test("Misuse of LoopPoll: it reports although it was dropped, and does nothing once closed")
    func poll() throws {
        var sockets: [CInt] = [-1, -1]
        socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &sockets)
        defer { for socket in sockets { Glibc.close(socket) } }
        try LoopPoll(loop, socket: sockets[0], owner: owner).start([.reading, .writing])
        try run()
        let closed = try LoopPoll(loop, socket: sockets[0], owner: owner)
        closed.close()
        try run()
        try closed.start(.writing)
        closed.stop()
        closed.close()
        try run()
        for number in [-1, .max, CInt.min] {
            #expect(throws: UVError.self) {
                _ = try LoopPoll(loop, socket: number, owner: owner)
            }
        }
    }

    @Test("Misuse of AddressLookup: it reports although it was dropped, also to a loop that ends")
    func lookup() throws {
        _ = try AddressLookup(loop, host: "127.1", port: 1, owner: owner)
        try run()
        let closed = try AddressLookup(loop, host: "127.1", port: 1, owner: owner)
        closed.close()
        try run()
        closed.close()
        var ending: Loop? = try Loop()
        _ = try AddressLookup(ending!, host: "127.1", port: 1, owner: owner)
        ending = nil
        #expect(calls.count == 2)
    }

    @Test("Misuse of TCPListener: it accepts although it was dropped, and can be asked once closed")
    func listener() throws {
        let local = try SocketAddress.resolve(host: "127.0.0.1", port: 0, loop: loop)[0]
        let address = try TCPListener(loop, address: local, owner: owner).localAddress
        _ = try TCPConnection.connect(loop, to: address, owner: owner)
        // The listener's owner accepts and closes a connection, the other one opens and closes it.
        try run(expecting: 2)
        let closed = try TCPListener(loop, address: local, owner: owner)
        let port = closed.localAddress.port
        closed.close()
        try run(expecting: 2)
        #expect(closed.localAddress.port == port)
        closed.acceptWaiting()
        closed.close()
        try run(expecting: 2)
    }
}
