package import Basics

/// State of delivery by APNs; `RouterCounters.pushes` has what has become of the pushes.
package struct APNsStatus: Equatable, Sendable {
    /// Pushes that have no answer yet.
    package var underWayCount = 0
    /// Connections that are open, or are being opened.
    package var connectionCount = 0
    /// Connections that could not be opened, or have ended, since the start.
    package var lostConnectionCount: UInt64 = 0
    /// Answers since the start that refuse a push, by the reason; with all reasons.
    package var refusals: [String: UInt64] = [:]
    /// Lanes whose pushes are stopped, by the cause; with all causes.
    package var stoppedLanes: [String: Int] = [:]
    /// The first of these lanes, at most `laneLimit` of them.
    package var stopped: [StoppedLane] = []
    /// How often lanes have stopped since the start, by the cause; with all causes.
    package var stops: [String: UInt64] = [:]
    /// When the first certificate for APNs expires; nil if there is none.
    package var certificateExpiry: WallTime?
    /// From the moment a push was sent until its answer.
    package var answerTime = LatencyFigures()

    /// The most stopped lanes that are listed; the others are only counted.
    package static var laneLimit: Int { 20 }

    /// A status of a delivery that has done nothing yet.
    package init() {}
}

/// The pushes of an app to one of Apple's services, which are stopped.
package struct StoppedLane: Equatable, Sendable {
    /// The app's name.
    package var app: String
    /// The service.
    package var environment: APNsEnvironment
    /// Why they are stopped: `key`, `credentials`, `topic`, `tokens`, `clock` or `answer`.
    package var cause: String

    /// A lane that is stopped.
    package init(app: String, environment: APNsEnvironment, cause: String) {
        self.app = app
        self.environment = environment
        self.cause = cause
    }
}
