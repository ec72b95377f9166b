package import Basics
package import StoreFormat

/// The speed of a replay.
package enum ReplaySpeed: Equatable, Sendable, CustomStringConvertible {
    /// The recorded speed times this factor.
    case times(Double)
    /// As fast as the router acknowledges, regardless of the capture's times.
    case unlimited

    /// The factors that are accepted.
    package static var range: ClosedRange<Double> { 0.001...100_000 }

    /// Reads `10`, `0.5` or `max`.
    package init?(_ text: String) {
        if text == "max" {
            self = .unlimited
        } else if let factor = Double(text), Self.range.contains(factor) {
            self = .times(factor)
        } else {
            return nil
        }
    }

    /// The speed as it is written on the command line: the factor, or `max`.
    package var description: String {
        switch self {
        case .unlimited: "max"
        case .times(let factor): factor == factor.rounded() ? "\(Int(factor))" : "\(factor)"
        }
    }
}

/// What part of a capture is replayed, and how.
package struct ReplaySettings: Equatable, Sendable {
    /// How fast the capture is played.
    package var speed = ReplaySpeed.times(1)
    /// The number of connections that push for one copy; nil for one for each recorded producer,
    /// but at most `usualConnections`. Every app with producers has at least one.
    package var connections: Int?
    /// The most connections that speak for an app's devices; 0 for as many as were recorded.
    package var gateways = 4
    /// Pushes before this time are not sent.
    package var from = RecordedTime.zero
    /// Records from this time on are not sent.
    package var to = RecordedTime.max
    /// How often the schedule is played.
    package var loops = 1
    /// The number of copies of each producer, device and value, including the recorded one.
    package var scale = 1
    /// False to push only, without devices.
    package var hasDevices = true
    /// A part of the producers' names that must differ between runs against the same router: push
    /// numbers rise per producer, so the router would take the pushes of a second run for
    /// repetitions.
    package var runName = "1"
    /// The token in the HELLOs of publishers; nil for none.
    package var publisherToken: String?
    /// The token in the HELLOs of gateways; nil for none.
    package var gatewayToken: String?
    /// The token in the HELLOs of devices with sessions of their own; nil for none.
    package var deviceToken: String?
    /// How long to wait for answers once everything was sent or the replay is stalled.
    package var patience = Nanoseconds.seconds(30)

    /// The most connections that push if `connections` is nil, unless there are more apps.
    package static var usualConnections: Int { 64 }
    /// The most connections that `connections` may ask for.
    package static var connectionLimit: Int { 16_384 }
    /// The most copies that `scale` may ask for.
    package static var scaleLimit: Int { 1_000 }

    /// Creates the settings of a replay with default options: one copy, once, at recorded speed.
    package init() {}
}

/// An error that keeps a replay from beginning, or ends it.
package typealias ReplayError = CodedError<ReplayErrorCode>

/// The kinds of these errors.
package enum ReplayErrorCode: String, Equatable, Sendable, CaseIterable {
    /// The capture, or the part of it that was asked for, has no pushes.
    case empty = "replay-empty"
    /// The capture has no app file, or a broken one.
    case apps = "replay-apps"
    /// The router refuses a session, and would again.
    case refused = "replay-refused"
    /// The router cannot be reached, or violates the protocol.
    case router = "replay-router"
    /// A file cannot be read or written, or is no report.
    case file = "replay-file"
}
