internal import FrameCodec

/// How many connections have each role; those whose session has ended have none.
package struct RoleCounts: Equatable, Sendable {
    package var publishers = 0
    package var devices = 0
    package var gateways = 0
    package var awaitingHello = 0

    package init() {}

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
