/// The speed of a replay.
package enum ReplaySpeed: Equatable, Sendable, CustomStringConvertible {
    /// This many times as fast as it was recorded.
    case times(Double)
    /// As fast as the router acknowledges, regardless of the capture's times.
    case most

    /// The factors that are accepted.
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

/// What part of a capture is replayed, and how.
package struct ReplaySettings: Equatable, Sendable {
    package var speed = ReplaySpeed.times(1)
    /// Connections that push; nil for one for each recorded producer, but at most
    /// `usualConnections`.
    package var connections: Int?
    /// Most connections that speak for the devices of an app; 0 for as many as were recorded.
    package var gateways = 4
    /// Pushes before this time are not sent; in µs since the recording began.
    package var from: UInt64 = 0
    /// Records from this time on are not sent; in µs since the recording began.
    package var to = UInt64.max
    /// How often the schedule is played.
    package var loops = 1
    /// Copies of each producer, device and value.
    package var scale = 1
    /// False to push only, without devices.
    package var hasDevices = true
    /// A part of the producers' names that differs between runs: sequence numbers of an earlier run
    /// would otherwise make pushes look like repetitions.
    package var runName = "1"
    package var publisherToken: String?
    package var gatewayToken: String?
    package var deviceToken: String?
    /// How long to wait for answers once everything was sent, in s.
    package var patience = 30.0

    package static var usualConnections: Int { 64 }
    package static var connectionLimit: Int { 16_384 }
    package static var scaleLimit: Int { 1_000 }

    package init() {}
}
