import Basics
import Glibc
import LibuvLoop
import Testing

/// A loop for tests of owners, and what its owners have been called for; it outlives them.
final class OwnerStage {
    let loop: Loop
    /// The other side of connections, which is never freed during a test.
    let party = Party()
    let listener: TCPListener
    /// The calls of owners, without `connectionClosed`.
    var callCount = 0
    /// The calls of `connectionClosed`.
    var closedCount = 0
    /// True if owners close their handles inside of calls.
    var closesInCallback = false

    init() throws {
        loop = try Loop()
        let address = try SocketAddress.resolve(host: "127.0.0.1", port: 0, loop: loop)[0]
        listener = try TCPListener(loop, address: address, owner: party)
    }

    /// Runs the loop until the condition holds.
    func run(
        sourceLocation: SourceLocation = #_sourceLocation,
        until condition: () -> Bool
    ) throws {
        let deadline = loop.now + .seconds(60)
        while !condition() && loop.now < deadline { try loop.tick(waits: false) }
        #expect(condition(), "the condition never held", sourceLocation: sourceLocation)
    }

    /// Closes what the stage has opened, and expects that no handle is left.
    func end() throws {
        for connection in party.connections { connection.close() }
        listener.close()
        try loop.run()
        #expect(loop.handleCount == 0)
        try loop.close()
    }

    /// The kinds of handles whose owners are not freed although opening the handles has failed.
    func ownersOfRefusedHandles() -> [OwnedHandle.Kind] {
        let attempts: [(OwnedHandle.Kind, (Owner) throws -> Void)] = [
            (.signal, { _ = try LoopSignal(self.loop, signal: SIGKILL, owner: $0) }),
            (.poll, { _ = try LoopPoll(self.loop, socket: .max, owner: $0) }),
            (.lookup, { try self.look(String(repeating: "a", count: 5_000), owner: $0) }),
            (.listener, { try self.listen(self.listener.localAddress, owner: $0) }),
        ]
        return attempts.compactMap { kind, attempt in
            weak var weakOwner: Owner?
            do {
                let owner = Owner(self)
                weakOwner = owner
                #expect(throws: UVError.self) { try attempt(owner) }
            }
            try? loop.tick(waits: false)
            return weakOwner == nil ? nil : kind
        }
    }

    private func look(_ host: String, owner: Owner) throws {
        _ = try AddressLookup(loop, host: host, port: 1, owner: owner)
    }

    private func listen(_ address: SocketAddress, owner: Owner) throws {
        _ = try TCPListener(loop, address: address, owner: owner)
    }
}
