internal import Basics
internal import RouterCore

/// Delivery by APNs in the status.
extension APNsStatus {
    /// Writes its members into an open JSON object.
    func write(to json: inout JSONWriter, counts: APNsPushCounts, totals: RouterTotals) {
        json.member("sent", value: counts.made)
        json.member("accepted", value: counts.accepted)
        json.member("refused", value: counts.refused)
        json.member("tokensDead", value: counts.tokensDead)
        json.member("tokensRefused", value: counts.tokensRefused)
        json.member("postponed", value: counts.postponed)
        json.member("unanswered", value: counts.unheard)
        json.member("waiting", value: totals.pushesWaiting)
        json.member("underWay", value: underWayCount)
        json.member("deadTokens", value: totals.deadTokens)
        json.member("connections", value: connectionCount)
        json.member("connectionsLost", value: lostConnectionCount)
        json.object("answer") { $0.write(answerTime) }
        json.member("stopped", value: stoppedLanes.reduce(0) { $0 + $1.value })
        json.objects("stoppedLanes", of: stopped) { lane, json in
            json.member("app", value: lane.app)
            json.member("environment", value: lane.environment.rawValue)
            json.member("cause", value: lane.cause)
        }
    }
}
