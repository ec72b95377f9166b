package import Basics
package import FrameCodec

/// The peers of a virtual router: they receive its frames, and may inspect the router after each
/// step.
package protocol VirtualPeers: FrameSink, ~Copyable {
    /// Called after each step of the router, before the frames of the step are sent.
    mutating func stepped(_ router: inout Router) throws(Failure)
}

extension VirtualPeers where Self: ~Copyable {
    /// Does nothing.
    package mutating func stepped(_ router: inout Router) {}
}

/// A router in virtual time, over connections without latency: bytes in, frames out.
///
///     open, receive, close ──► router ── step, until it is at rest ──► frames ──► peers
///     advance ───────────────► clocks
///
/// It takes the place of a server's loop, clocks and sockets in simulations, dry runs, benchmarks
/// and tests, and lets in every client. Everything else is asked of `router` directly.
package final class VirtualRouter {
    /// The router, for everything that this class does not do.
    package var router: Router
    /// Both clocks; they stand still until `advance`.
    package var now: Instant
    /// Whether an APNs that accepts every push at once takes part; otherwise pushes wait until they
    /// are taken from `router`.
    package var hasAPNs = false
    private var frames = OutgoingFrames()

    /// Makes a virtual router of a router, whose time begins at `now`.
    package init(_ router: consuming Router, now: Instant) {
        self.router = router
        self.now = now
    }

    /// Makes a router and its virtual environment, which begins at `now`. The seed is that of the
    /// router's decisions and of the names of its sessions; its behaviour does not depend on the
    /// key of its tables.
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

    /// Opens a connection, which sends nothing yet.
    package func open(_ connection: ConnectionSlot) { router.opened(connection, now: now) }

    /// Opens a connection and sends HELLO on it.
    package func open(_ connection: ConnectionSlot, with hello: HelloMessage) {
        open(connection)
        receive(encodeFrame(.hello, seq: 0, body: hello.encoded), on: connection)
    }

    /// Closes a connection, as if its peer had closed it.
    package func close(_ connection: ConnectionSlot) { router.closed(connection) }

    /// Offers the router bytes that a connection has received; a HELLO among them is let in.
    /// Returns how many bytes the router took; the rest must be offered again after a step.
    @discardableResult
    package func receive(_ bytes: ByteView, on connection: ConnectionSlot) -> Int {
        let taken = router.received(on: connection, bytes: bytes, now: now)
        if !router.awaitsVerdict(connection) { return taken }
        router.admit(connection, now: now)
        let rest = bytes.slice(taken, to: bytes.count)
        return taken + router.received(on: connection, bytes: rest, areNew: false, now: now)
    }

    /// Offers the router bytes that a connection has received, and returns how many it took.
    @discardableResult
    package func receive(_ bytes: [UInt8], on connection: ConnectionSlot) -> Int {
        bytes.withByteView { receive($0, on: connection) }
    }

    /// Gives the router all of `bytes`, with steps wherever it accepts no further frame until
    /// earlier pushes are delivered.
    ///
    /// An incomplete frame at the end is dropped. So is what is left when the router, with nothing
    /// left to deliver, still reads nothing from the connection, because its app is paused.
    package func receive<Peers: VirtualPeers & ~Copyable>(
        all bytes: ByteView,
        on connection: ConnectionSlot,
        to peers: inout Peers
    ) throws(Peers.Failure) {
        var offset = 0
        while offset < bytes.count {
            let taken = receive(bytes.slice(offset, to: bytes.count), on: connection)
            offset += taken
            let wasPaused = router.isPaused(connection)
            if wasPaused { try settle(to: &peers) }
            if taken == 0 && (!wasPaused || router.isPaused(connection)) { return }
        }
    }

    // MARK: - Time

    /// The time of both clocks when the wall clock shows `wall`, if no clock is set until then.
    package func instant(wall: WallTime) -> Instant {
        Instant(monotonic: now.monotonic + (wall - now.wall), wall: wall)
    }

    /// The wall time at which the router next acts by itself; nil if it waits for nothing.
    package var nextWakeUp: WallTime? {
        router.nextWakeUp(after: now).map { now.wall + ($0 - now.monotonic) }
    }

    /// Moves both clocks forward.
    package func advance(_ length: Milliseconds) {
        now.monotonic += length
        now.wall += length
    }

    /// Moves the clocks to the router's next wake-up if that is before `end`; a step must follow.
    /// Returns false, with the clocks unmoved, if there is no wake-up before `end`.
    package func advanceToWakeUp(before end: WallTime) -> Bool {
        guard let wakeUp = nextWakeUp, wakeUp < end else { return false }
        advance(max(wakeUp - now.wall, .milliseconds(1)))
        return true
    }

    // MARK: - Steps

    /// Runs one step of the router, and sends the frames that are ready.
    package func step<Peers: VirtualPeers & ~Copyable>(
        to peers: inout Peers
    ) throws(Peers.Failure) {
        router.step(now: now)
        if hasAPNs { router.acceptAPNsPushes() }
        try peers.stepped(&router)
        try send(to: &peers)
    }

    /// Steps until the router needs no further step at this time.
    package func settle<Peers: VirtualPeers & ~Copyable>(
        to peers: inout Peers
    ) throws(Peers.Failure) {
        repeat { try step(to: &peers) } while router.needsStep
    }

    /// Sends the frames that the router has made.
    package func send<Sink: FrameSink & ~Copyable>(to sink: inout Sink) throws(Sink.Failure) {
        router.takeFrames(&frames)
        try frames.send(to: &sink)
    }

    /// Steps until the router needs no further step at this time, and drops its frames.
    package func settle() {
        repeat {
            router.step(now: now)
            if hasAPNs { router.acceptAPNsPushes() }
            router.takeFrames(&frames)
        } while router.needsStep
    }
}
