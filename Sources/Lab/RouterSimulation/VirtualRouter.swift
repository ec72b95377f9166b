package import ByteStorage
internal import FrameCodec
package import ReloadModel
package import RouterCore
internal import StoreFormat

/// The router that ships, in this process and in a time that its owner makes: bytes in, bytes out, as
/// over sockets that take no time.
package final class VirtualRouter {
    /// Takes a whole frame that the router sends to a connection; the bytes are valid for the call.
    package typealias Output = (_ connection: UInt32, _ frame: ByteView) -> Void

    package private(set) var router: Router
    private let start: Int64
    private let output: Output
    /// Is told every decision, in front of what is sent because of it.
    package var decided: ((TracedDecision) -> Void)? {
        didSet { router.isTracing = decided != nil }
    }
    private var frame = StoreWriter(capacity: 4_096)

    /// - Parameters:
    ///   - catalog: the apps that may connect.
    ///   - limits: of the router.
    ///   - seed: of the router's decisions, and of the names of its sessions.
    ///   - hashKey: of its tables; nothing that it does depends on it.
    ///   - start: in ms since 1970.
    ///   - output: takes what it sends.
    package init(
        _ catalog: AppCatalog,
        limits: RouterLimits,
        seed: UInt64,
        hashKey: HashKey = .ofRuntime,
        start: Int64,
        output: @escaping Output
    ) {
        router = Router(
            catalog: catalog,
            limits: limits,
            seed: DecisionSeed(seed),
            secrets: RouterSecrets(hashKey: hashKey, namesFrom: seed)
        )
        self.start = start
        self.output = output
    }

    private func instant(_ now: Int64) -> Instant {
        Instant(monotonic: 1_000 + now - start, wall: now)
    }

    package func open(_ connection: UInt32, now: Int64) {
        router.opened(connection, now: instant(now))
    }

    /// The peer is gone; what is on its way to it is not sent.
    package func close(_ connection: UInt32, now: Int64) {
        router.closed(connection)
        step(now: now)
    }

    /// Why there is no room for what an app file declares, or nil.
    package func problem(with catalog: AppCatalog) -> String? { router.problem(with: catalog) }

    /// Takes over an app file that there is no `problem` with.
    package func install(_ catalog: AppCatalog, now: Int64) {
        router.tick(instant(now))
        router.install(catalog)
    }

    /// Takes whole frames; an incomplete one at the end is lost, as its connection is.
    package func received(_ bytes: ByteView, from connection: UInt32, now: Int64) {
        var offset = 0
        while offset < bytes.count {
            let rest = bytes.slice(offset, bytes.count)
            let taken = router.received(connection, rest, now: instant(now))
            offset += taken
            tell()
            if router.holds(connection) {
                step(now: now)
            } else if taken == 0 {
                return
            }
        }
    }

    /// When it would do something by itself, in ms since 1970.
    package func nextWake(after now: Int64) -> Int64? {
        router.nextWakeUp(after: instant(now)).map { $0 - 1_000 + start }
    }

    /// Lets it decide.
    package func step(now: Int64) {
        repeat {
            router.step(now: instant(now))
            tell()
            for index in router.outbox.actions.indices { perform(router.outbox.actions[index]) }
            router.actionsPerformed()
        } while router.needsStep
    }

    /// Widgets whose reload it has put off.
    package var pendingReloads: Int { router.pendingReloadCount }

    private func tell() {
        guard let decided else { return }
        for index in router.tracedDecisions.indices { decided(router.tracedDecisions[index]) }
        router.forgetTrace()
    }

    // MARK: - Output

    private func perform(_ action: RouterAction) {
        frame.clear()
        switch action {
        case .reload(let order):
            let bound = router.frameBound(order)
            let count = unsafe router.write(order, to: frame.extend(bound))
            frame.truncate(to: count)
            output(order.connection, frame.bytes)
        case .acknowledge(let connection, let seq, let matched):
            let body = matched.map { count in
                (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * UInt32($0))) }
            }
            send(.ack, seq: seq, body ?? [], to: connection)
        case .pong(let connection, let seq): send(.pong, seq: seq, [], to: connection)
        case .ping(let connection): send(.ping, seq: 0, [], to: connection)
        case .write(let connection, let type, let seq, let body):
            guard let type = FrameType(rawValue: type) else { return }
            send(type, seq: seq, router.outbox.bodies[body], to: connection)
        case .fail(let connection, _, let body):
            send(.error, seq: 0, router.outbox.bodies[body], to: connection)
        }
    }

    private func send(_ type: FrameType, seq: UInt64, _ body: [UInt8], to connection: UInt32) {
        encodeFrame(type, seq: seq, body: body).withByteView { output(connection, $0) }
    }
}
