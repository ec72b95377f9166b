internal import Basics

/// What is counted and measured of pushes by APNs apart from the router's counters.
struct APNsMetrics: ~Copyable {
    /// Answers that refuse a push, by the reason.
    var refusals: [String: UInt64] = [:]
    /// How often lanes have stopped, by the cause.
    var stops: [String: UInt64] = [:]
    /// Connections that could not be opened, or have ended.
    var lostConnectionCount: UInt64 = 0
    /// From the moment a push was sent until its answer.
    var answerTime = LatencyHistogram()

    /// The label of a reason that Apple does not document.
    static var otherReason: String { "other" }
    /// The label of answers that are not Apple's.
    static var strangeReason: String { "strange" }
}
