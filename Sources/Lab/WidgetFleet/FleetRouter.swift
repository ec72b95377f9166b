internal import DataStructures
internal import ReloadModel
internal import RouterSimulation

/// A fleet's own router in its time, with what it has sent and nobody has read.
final class FleetRouter {
    /// What the router has sent, by connection.
    private final class Sent {
        var bytes: [[UInt8]]

        init(connections: Int) {
            bytes = Array(repeating: [], count: connections)
        }
    }

    private let router: VirtualRouter
    private let sent: Sent

    /// - Parameters:
    ///   - catalog: the apps that may connect.
    ///   - connections: how many there can be.
    ///   - seed: of the router.
    ///   - start: in ms since 1970.
    init(_ catalog: AppCatalog, connections: Int, seed: UInt64, start: Int64) {
        let sent = Sent(connections: connections)
        var limits = RouterLimits()
        limits.removeWorkLimits()
        limits.connections = max(limits.connections, connections)
        self.sent = sent
        router = VirtualRouter(catalog, limits: limits, seed: seed, start: start) {
            sent.bytes[Int($0)] += $1.array
        }
    }

    func open(_ connection: Int, now: Int64) {
        sent.bytes[connection] = []
        router.open(UInt32(connection), now: now)
    }

    /// The peer is gone, with what was on its way to it.
    func close(_ connection: Int, now: Int64) {
        sent.bytes[connection] = []
        router.close(UInt32(connection), now: now)
    }

    /// Takes whole frames; an incomplete one at the end is lost, as its connection is.
    func received(_ bytes: ByteView, from connection: Int, now: Int64) {
        router.received(bytes, from: UInt32(connection), now: now)
    }

    /// When it would do something by itself, in ms since 1970.
    func nextWake(after now: Int64) -> Int64? { router.nextWake(after: now) }

    /// Lets it decide.
    func step(now: Int64) { router.step(now: now) }

    /// Widgets whose reload it has put off.
    var pendingReloads: Int { router.pendingReloads }

    /// What it has sent to a connection since the last call.
    func take(_ connection: Int) -> [UInt8] {
        defer { sent.bytes[connection] = [] }
        return sent.bytes[connection]
    }
}
