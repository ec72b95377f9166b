package import RouterMetrics

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
    /// How often lanes have stopped since the start, by the cause; with all causes.
    package var stops: [String: UInt64] = [:]
    /// From the moment a push was sent until its answer.
    package var answerTime = LatencySummary()

    /// A status of a delivery that has done nothing yet.
    package init() {}
}
