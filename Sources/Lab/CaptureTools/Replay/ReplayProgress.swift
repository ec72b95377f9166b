internal import LoadReporting
internal import Times

/// The state of a running replay, shown once a second.
package struct ReplayProgress: Sendable {
    /// The phase of the run.
    package let phase: ReplayEngine.Phase
    /// The time since the schedule began, in s; 0 before.
    package let seconds: Double
    /// The number of devices' frames that the router accepted before the schedule began.
    package let registered: Int
    /// The number of pushes that were due so far.
    package let intended: Int
    /// The number of pushes that were sent, without repetitions.
    package let sent: Int
    /// The number of pushes that the router acknowledged.
    package let acknowledged: Int
    /// The number of pushes that the router rejected.
    package let rejected: Int
    /// The number of pushes that were sent and have no answer.
    package let inFlight: Int
    /// The number of pushes that were due in the last whole second.
    package let intendedPerSecond: Int
    /// The number of pushes that were sent in the last whole second.
    package let sentPerSecond: Int
    /// The number of widgets that RELOADs named in the last whole second.
    package let reloadsPerSecond: Int
    /// The 99th percentile of the last second's delays between due and sent, in ms; 0 if none.
    package let latenessP99: Double
    /// The 99th percentile of the last second's times from due to ACK, in ms; 0 if none.
    package let acknowledgementP99: Double
    /// The 99th percentile of the last second's times from due to RELOAD, in ms; 0 if none.
    package let reloadP99: Double

    init(_ engine: ReplayEngine, since: ExactTime, now: ExactTime) {
        let recorder = engine.recorder
        let series = recorder.series
        phase = engine.phase
        seconds = since == .none ? 0 : (now - since).inSeconds
        registered = engine.registered
        intended = engine.intended
        sent = recorder.sent
        acknowledged = recorder.acknowledged
        rejected = recorder.rejected.values.reduce(0, +)
        inFlight = sent - acknowledged - rejected
        let last = series.sent.count - 1
        intendedPerSecond =
            last >= 0 && last < series.intended.count ? series.intended[last] : 0
        sentPerSecond = series.sent.last ?? 0
        reloadsPerSecond = series.reloads.last ?? 0
        latenessP99 = series.latenessP99.last ?? 0
        acknowledgementP99 = series.acknowledgementP99.last ?? 0
        reloadP99 = series.reloadP99.last ?? 0
    }

    /// The state in one line.
    package var text: String {
        func time(_ milliseconds: Double) -> String {
            if milliseconds == 0 { return "–" }
            if milliseconds < 1 { return "\(Int(milliseconds * 1_000)) µs" }
            return milliseconds < 10_000
                ? "\(Double(Int(milliseconds * 10)) / 10) ms" : "\(Int(milliseconds / 1_000)) s"
        }
        switch phase {
        case .connecting: return "connecting"
        case .registering: return "registering: \(registered) frames answered"
        case .over: return "over"
        case .playing, .draining:
            let what = phase == .draining ? "waiting for the last answers" : "\(Int(seconds)) s"
            return "\(what): \(intendedPerSecond)/s intended, \(sentPerSecond)/s sent, "
                + "\(inFlight) in flight, \(intended - sent) wait, late p99 \(time(latenessP99)), "
                + "ACK p99 \(time(acknowledgementP99)), RELOAD p99 \(time(reloadP99)), "
                + "\(rejected) rejected"
        }
    }
}
