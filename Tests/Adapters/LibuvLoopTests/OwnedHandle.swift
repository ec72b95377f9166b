import Basics
import Glibc
import LibuvLoop

/// An open handle whose owner nothing but the handle refers to.
final class OwnedHandle {
    enum Kind: CaseIterable {
        case timer, hook, signal, wakeup, poll, lookup, listener, connection
    }

    /// The owner; nil once it is freed.
    private(set) weak var owner: Owner?
    /// Closes the handle.
    private(set) var close: () -> Void = {}
    /// Makes the loop call the owner soon.
    private(set) var provokeCall: () throws -> Void = {}
    private var sockets: [CInt] = []
    private var peer: RawPeer?

    init(_ kind: Kind, on stage: OwnerStage) throws {
        let owner = Owner(stage)
        self.owner = owner
        try open(kind, loop: stage.loop, address: stage.listener.localAddress, owner: owner)
    }

    deinit { for socket in sockets { Glibc.close(socket) } }

    private func open(_ kind: Kind, loop: Loop, address: SocketAddress, owner: Owner) throws {
        switch kind {
        case .timer:
            let timer = try LoopTimer(loop, owner: owner)
            close = timer.close
            provokeCall = { try timer.start(after: .zero) }
        case .hook:
            close = try LoopHook(loop, owner: owner).close
        case .signal:
            close = try LoopSignal(loop, signal: SIGUSR1, owner: owner).close
            provokeCall = { raise(SIGUSR1) }
        case .wakeup:
            let wakeup = try LoopWakeup(loop, owner: owner)
            close = wakeup.close
            provokeCall = wakeup.mailbox.wake
        case .poll:
            sockets = [-1, -1]
            socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &sockets)
            let poll = try LoopPoll(loop, socket: sockets[0], owner: owner)
            close = poll.close
            provokeCall = { try poll.start(.writing) }
        case .lookup:
            close = try AddressLookup(loop, host: "127.1", port: 1, owner: owner).close
        case .listener:
            let any = address.with(port: 0)
            let listener = try TCPListener(loop, address: any, owner: owner)
            close = listener.close
            provokeCall = { [unowned self] in
                peer = try RawPeer(port: listener.localAddress.port)
            }
        case .connection:
            close = try TCPConnection.connect(loop, to: address, owner: owner).close
        }
    }
}
