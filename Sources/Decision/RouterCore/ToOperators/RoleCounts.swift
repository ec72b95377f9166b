internal import FrameCodec

/// How many connections have each role; a connection whose session has ended has none.
package struct RoleCounts: Equatable, Sendable {
    /// Connections with the session of a publisher.
    package var publishers = 0
    /// Connections with the session of a device.
    package var devices = 0
    /// Connections with the session of a gateway.
    package var gateways = 0
    /// Connections that have not completed HELLO.
    package var awaitingHello = 0

    /// Adds to the count of a session's phase; connections whose session has ended are not counted.
    mutating func add(_ difference: Int, to phase: Session.Phase) {
        switch phase {
        case .awaitingHello: awaitingHello += difference
        case .publisher: publishers += difference
        case .device: devices += difference
        case .gateway: gateways += difference
        case .ended: break
        }
    }
}
