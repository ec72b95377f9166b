internal import APNsConnections
internal import APNsProtocol
internal import AdminAPI
internal import Basics
internal import RouterCore

/// What operators see of the delivery.
extension APNsDelivery {
    /// The state as plain values.
    var status: APNsStatus {
        var status = APNsStatus()
        status.underWayCount = underWay.count
        status.connectionCount = services.reduce(0) { $0 + ($1.pool?.connectionCount ?? 0) }
        status.lostConnectionCount = metrics.lostConnectionCount
        status.answerTime = metrics.answerTime.summary
        let others = [APNsMetrics.otherReason, APNsMetrics.strangeReason]
        for reason in APNsReason.allCases.map(\.rawValue) + others {
            status.refusals[reason] = metrics.refusals[reason] ?? 0
        }
        status.stoppedLanes[Self.missingKey] = 0
        for cause in LaneBreaker.Cause.allCases.map(\.rawValue) {
            status.stops[cause] = metrics.stops[cause] ?? 0
            status.stoppedLanes[cause] = 0
        }
        for service in services {
            if let certificate = service.provider.certificate {
                status.certificateExpiry = min(
                    status.certificateExpiry ?? .max,
                    certificate.notAfter
                )
            }
            let isKeyMissing = service.provider.secret == nil
            for lane in service.lanes {
                let cause = isKeyMissing ? Self.missingKey : lane.breaker.cause?.rawValue
                // Without a key all lanes of an app wait, which is said once for each service.
                guard let cause, !isKeyMissing || lane.lane.channel == .widgets else { continue }
                status.stoppedLanes[cause, default: 0] += 1
                let stopped = StoppedLane(
                    app: lane.app,
                    environment: lane.lane.environment,
                    cause: cause
                )
                if status.stopped.count < APNsStatus.laneLimit && !status.stopped.contains(stopped)
                {
                    status.stopped.append(stopped)
                }
            }
        }
        return status
    }

    /// The cause of lanes whose key or certificate cannot be used.
    private static var missingKey: String { "key" }
}

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
