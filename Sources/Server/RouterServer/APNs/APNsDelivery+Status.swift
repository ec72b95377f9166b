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
