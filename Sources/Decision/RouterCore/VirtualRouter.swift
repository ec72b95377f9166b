package import ByteStorage
package import FrameCodec
package import ReloadModel

/// The other ends of a virtual router's connections, and whoever looks over its shoulder.
package protocol VirtualPeers: FrameSink, ~Copyable {
    /// The router has decided; the frames that come of it are sent next.
    mutating func stepped(_ router: inout Router) throws(Failure)
}

extension VirtualPeers where Self: ~Copyable {
    package mutating func stepped(_ router: inout Router) {}
}

/// Drives a router in a time that its owner makes: frames in, frames out, as over connections that
/// take no time.
///
///     open, receive, close ──► router ── step, until it is at rest ──► frames ──► peers
///     advance, to wake-ups ──►
///
/// Simulations, dry runs, benchmarks and tests have one; a server has a loop and sockets in its place.
/// Whatever else they want of the router they ask it.
package final class VirtualRouter {
    package var router: Router
    /// The clocks, which stand until they are moved.
    package var now: Instant
    private var frames = OutgoingFrames()

    package init(_ router: consuming Router, now: Instant) {
        self.router = router
        self.now = now
    }

    /// - Parameters:
    ///   - catalog: the apps that may connect.
    ///   - limits: of the router.
    ///   - seed: of the router's decisions, and of the names of its sessions.
    ///   - hashKey: of its tables; nothing that it does depends on it.
    ///   - now: the clocks at the beginning.
    package convenience init(
        _ catalog: AppCatalog,
        limits: RouterLimits,
        seed: UInt64,
        hashKey: HashKey = .ofRuntime,
        now: Instant
    ) {
        let router = Router(
            catalog: catalog,
            limits: limits,
            seed: DecisionSeed(seed),
            secrets: RouterSecrets(hashKey: hashKey, namesFrom: seed)
        )
        self.init(router, now: now)
    }

    // MARK: - Connections

    package func open(_ connection: UInt32) {
        router.opened(connection, now: now)
    }

    /// Opens a connection, and says HELLO on it.
    package func open(_ connection: UInt32, _ hello: HelloMessage) {
        open(connection)
        receive(encodeFrame(.hello, seq: 0, body: hello.encoded), on: connection)
    }

    /// The peer is gone.
    package func close(_ connection: UInt32) {
        router.closed(connection)
    }

    /// Gives the router what a connection has brought.
    ///
    /// - Returns: how many bytes it has taken; the rest is to be given again after a step.
    @discardableResult
    package func receive(_ bytes: ByteView, on connection: UInt32) -> Int {
        router.received(connection, bytes, now: now)
    }

    /// The same for an array.
    @discardableResult
    package func receive(_ bytes: [UInt8], on connection: UInt32) -> Int {
        bytes.withByteView { receive($0, on: connection) }
    }

    /// Gives the router whole frames, with steps where it takes no more of them before it has handed
    /// out what it has; an incomplete frame at the end is lost, as its connection is.
    package func receive<Peers: VirtualPeers & ~Copyable>(
        all bytes: ByteView,
        on connection: UInt32,
        to peers: inout Peers
    ) throws(Peers.Failure) {
        var offset = 0
        while offset < bytes.count {
            let taken = receive(bytes.slice(offset, bytes.count), on: connection)
            offset += taken
            if router.holds(connection) {
                try settle(to: &peers)
            } else if taken == 0 {
                return
            }
        }
    }

    // MARK: - Time

    /// The clocks at a wall time.
    package func instant(wall: Int64) -> Instant {
        Instant(monotonic: now.monotonic + wall - now.wall, wall: wall)
    }

    /// The wall time at which the router has something to do by itself; nil if it has nothing.
    package var nextWakeUp: Int64? {
        router.nextWakeUp(after: now).map { now.wall + $0 - now.monotonic }
    }

    /// Moves both clocks.
    package func advance(_ milliseconds: Int64) {
        now.monotonic += milliseconds
        now.wall += milliseconds
    }

    /// Moves the clocks to where the router has something to do by itself, if that is before a wall
    /// time; a step must follow.
    ///
    /// - Returns: whether there is something to do.
    package func advanceToWakeUp(before end: Int64) -> Bool {
        guard let wakeUp = nextWakeUp, wakeUp < end else { return false }
        advance(max(wakeUp - now.wall, 1))
        return true
    }

    // MARK: - Steps

    /// Lets the router decide, and sends the frames that come of it.
    package func step<Peers: VirtualPeers & ~Copyable>(
        to peers: inout Peers
    ) throws(Peers.Failure) {
        router.step(now: now)
        try peers.stepped(&router)
        try send(to: &peers)
    }

    /// Steps until nothing more comes of what came.
    package func settle<Peers: VirtualPeers & ~Copyable>(
        to peers: inout Peers
    ) throws(Peers.Failure) {
        repeat { try step(to: &peers) } while router.needsStep
    }

    /// Sends the frames that the router has made.
    package func send<Sink: FrameSink & ~Copyable>(
        to sink: inout Sink
    ) throws(Sink.Failure) {
        router.takeFrames(&frames)
        try frames.send(to: &sink)
    }

    /// Steps until nothing more comes of what came; nobody reads what is sent.
    package func settle() {
        repeat {
            router.step(now: now)
            router.takeFrames(&frames)
        } while router.needsStep
    }
}
