/// How fast a capture is replayed.
package enum ReplaySpeed: Equatable, Sendable, CustomStringConvertible {
    /// So many times as fast as it was recorded.
    case times(Double)
    /// As fast as the router acknowledges, whatever the capture's times say.
    case most

    package static var range: ClosedRange<Double> { 0.001...100_000 }

    /// Reads `10`, `0.5` or `max`.
    package init?(_ text: String) {
        if text == "max" {
            self = .most
        } else if let factor = Double(text), Self.range.contains(factor) {
            self = .times(factor)
        } else {
            return nil
        }
    }

    package var description: String {
        switch self {
        case .most: "max"
        case .times(let factor):
            factor == factor.rounded() ? "\(Int(factor))" : "\(factor)"
        }
    }
}

/// What of a capture is replayed, and how.
package struct ReplaySettings: Equatable, Sendable {
    package var speed = ReplaySpeed.times(1)
    /// Of publishers; nil for one for each recorded producer, at most `usualConnections`.
    package var connections: Int?
    /// Most connections that speak for the devices of an app; 0 for the sessions that were recorded.
    package var gateways = 4
    /// In µs since the recording began; pushes before are not sent.
    package var from: UInt64 = 0
    /// What comes at this time or later is not sent.
    package var to = UInt64.max
    /// How often the schedule is played, one after the other.
    package var loops = 1
    /// How many of each producer, device and value there are.
    package var scale = 1
    /// Whether devices are there to receive.
    package var hasDevices = true
    /// Part of the producers' names, so that none of an earlier run has used up their numbers.
    package var runName = "1"
    package var publisherToken: String?
    package var gatewayToken: String?
    package var deviceToken: String?
    /// How long answers may take when all has been sent, in seconds.
    package var patience = 30.0

    package static var usualConnections: Int { 64 }
    package static var connectionLimit: Int { 16_384 }
    package static var scaleLimit: Int { 1_000 }

    package init() {}
}
