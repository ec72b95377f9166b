internal import ByteStorage
internal import FrameCodec
internal import ReloadModel
internal import RouterCore

/// The router that ships, in this process and in a time that its owner makes: bytes in, bytes out, as
/// over sockets that take no time.
final class VirtualRouter {
    private var router: Router
    private let start: Int64
    private var output: ContiguousArray<UInt8> = []
    /// What the router has sent to each connection and nobody has read.
    private var sent: [[UInt8]]

    /// - Parameters:
    ///   - catalog: the apps that may connect.
    ///   - connections: how many there can be.
    ///   - seed: of the router.
    ///   - start: in ms since 1970.
    init(_ catalog: AppCatalog, connections: Int, seed: UInt64, start: Int64) {
        var limits = RouterLimits()
        limits.connections = max(limits.connections, connections)
        router = Router(catalog: catalog, limits: limits, seed: seed)
        self.start = start
        sent = Array(repeating: [], count: connections)
    }

    private func instant(_ now: Int64) -> Instant {
        Instant(monotonic: 1_000 + now - start, wall: now)
    }

    func open(_ connection: Int, now: Int64) {
        sent[connection] = []
        router.opened(UInt32(connection), now: instant(now))
    }

    /// The peer is gone, with what was on its way to it.
    func close(_ connection: Int, now: Int64) {
        sent[connection] = []
        router.closed(UInt32(connection))
        step(now: now)
    }

    /// Takes whole frames; an incomplete one at the end is lost, as its connection is.
    func received(_ bytes: ByteView, from connection: Int, now: Int64) {
        var offset = 0
        while offset < bytes.count {
            let rest = bytes.slice(offset, bytes.count)
            let taken = router.received(UInt32(connection), rest, now: instant(now))
            offset += taken
            if router.isBusy {
                step(now: now)
            } else if taken == 0 {
                return
            }
        }
    }

    /// When it would do something by itself, in ms since 1970.
    func nextWake(after now: Int64) -> Int64? {
        router.nextWakeUp(after: instant(now)).map { $0 - 1_000 + start }
    }

    /// Lets it decide.
    func step(now: Int64) {
        repeat {
            router.step(now: instant(now))
            for index in router.actions.indices { perform(router.actions[index]) }
            router.actionsPerformed()
        } while router.needsStep
    }

    /// Widgets whose reload it has put off.
    var pendingReloads: Int { router.pendingReloadCount }

    /// What it has sent to a connection since the last call.
    func take(_ connection: Int) -> [UInt8] {
        defer { sent[connection] = [] }
        return sent[connection]
    }

    private func perform(_ action: RouterAction) {
        switch action {
        case .reload(let order): write(order)
        case .acknowledge(let connection, let seq, let matched):
            let body = matched.map { count in
                (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * UInt32($0))) }
            }
            send(encodeFrame(.ack, seq: seq, body: body ?? []), to: connection)
        case .pong(let connection, let seq): send(encodeFrame(.pong, seq: seq), to: connection)
        case .ping(let connection): send(encodeFrame(.ping, seq: 0), to: connection)
        case .write(let connection, let type, let seq, let body):
            guard let type = FrameType(rawValue: type) else { return }
            send(encodeFrame(type, seq: seq, body: router.bodies[body]), to: connection)
        case .fail(let connection, _, let body):
            send(encodeFrame(.error, seq: 0, body: router.bodies[body]), to: connection)
        }
    }

    private func send(_ bytes: [UInt8], to connection: UInt32) {
        sent[Int(connection)] += bytes
    }

    private func write(_ order: ReloadOrder) {
        let bound = router.frameBound(order)
        if output.count < bound {
            output = ContiguousArray(repeating: 0, count: max(bound, 2 * output.count))
        }
        let count = unsafe output.withUnsafeMutableBytes { memory in
            unsafe router.write(order, to: memory.baseAddress!)
        }
        sent[Int(order.connection)] += output[..<count]
    }
}
