package import DataStructures
package import ReloadModel
package import RouterCore

/// The router that ships, in this process and in a time that its owner makes: bytes in, bytes out, as
/// over sockets that take no time.
package final class VirtualRouter: FrameSink {
    /// Takes a whole frame that the router sends to a connection; the bytes are valid for the call.
    package typealias Output = (_ connection: UInt32, _ frame: ByteView) -> Void

    package private(set) var router: Router
    private let start: Int64
    private let output: Output
    /// Is told every decision, in front of what is sent because of it.
    package var decided: ((TracedDecision) -> Void)? {
        didSet { router.isTracing = decided != nil }
    }
    private var frames = OutgoingFrames()

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
            router.takeFrames(&frames)
            var sink = self
            frames.send(to: &sink)
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

    package func send(_ frame: OutgoingFrame, _ bytes: ByteView) {
        output(frame.connection, bytes)
    }
}
