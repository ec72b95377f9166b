import Glibc
import LibuvLoop
import Testing

/// Notes what a poll tells, and acts as a test says.
private final class Watcher: PollOwner {
    var reported: [LoopPoll.Readiness] = []
    // It gets the watcher, which it must not capture: it would hold itself.
    var whenReady: (Watcher, LoopPoll) -> Void = { _, _ in }

    func poll(_ poll: LoopPoll, isReady ready: LoopPoll.Readiness) {
        reported.append(ready)
        whenReady(self, poll)
    }
}

@Suite("Polls")
struct LoopPollTests {
    /// Two sockets that are connected with each other.
    private func pair() -> (CInt, CInt) {
        var sockets: [CInt] = [-1, -1]
        let status = socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &sockets)
        precondition(status == 0)
        return (sockets[0], sockets[1])
    }

    private func read(_ socket: CInt) -> Int {
        var buffer = [UInt8](repeating: 0, count: 16)
        return recv(socket, &buffer, buffer.count, CInt(MSG_DONTWAIT))
    }

    @Test("Only the awaited events are reported")
    func readiness() throws {
        let loop = try Loop()
        let watcher = Watcher()
        let (socket, peer) = pair()
        let poll = try LoopPoll(loop, socket: socket, owner: watcher)
        watcher.whenReady = { watcher, poll in
            switch watcher.reported.count {
            case 1: try? poll.start(.reading)
            case 2: try? poll.start([.reading, .writing])
            default: poll.close()
            }
            if watcher.reported.count == 1 { send(peer, [7], 1, 0) }
        }
        try poll.start(.writing)
        try loop.run()
        #expect(watcher.reported == [.writing, .reading, [.reading, .writing]])
        #expect(read(socket) == 1)
        #expect(loop.handleCount == 0)
        close(socket)
        close(peer)
        try loop.close()
    }

    @Test("A peer that goes makes its socket readable")
    func end() throws {
        let loop = try Loop()
        let watcher = Watcher()
        let (socket, peer) = pair()
        let poll = try LoopPoll(loop, socket: socket, owner: watcher)
        watcher.whenReady = { $1.close() }
        try poll.start(.reading)
        close(peer)
        try loop.run()
        #expect(watcher.reported.count == 1 && watcher.reported[0].contains(.reading))
        #expect(read(socket) == 0)
        close(socket)
        try loop.close()
    }

    @Test("A poll that is stopped reports nothing, and may be started again")
    func stopped() throws {
        let loop = try Loop()
        let watcher = Watcher()
        let (socket, peer) = pair()
        let poll = try LoopPoll(loop, socket: socket, owner: watcher)
        try poll.start(.writing)
        poll.stop()
        try loop.run()
        #expect(watcher.reported == [])
        watcher.whenReady = { $1.stop() }
        try poll.start(.writing)
        try loop.run()
        #expect(watcher.reported == [.writing])
        poll.close()
        poll.close()
        poll.stop()
        try poll.start(.reading)
        try loop.run()
        #expect(watcher.reported == [.writing] && loop.handleCount == 0)
        close(socket)
        close(peer)
        try loop.close()
    }

    @Test("What cannot be waited for is an error that leaves no handle behind")
    func refused() throws {
        let loop = try Loop()
        let watcher = Watcher()
        // No process has so many descriptors; one that was closed another test may have by now.
        #expect(throws: UVError.self) {
            _ = try LoopPoll(loop, socket: .max, owner: watcher)
        }
        let file = open("/proc/self/exe", O_RDONLY)
        #expect(throws: UVError.self) { _ = try LoopPoll(loop, socket: file, owner: watcher) }
        close(file)
        try loop.run()
        #expect(loop.handleCount == 0)
        try loop.close()
    }
}
