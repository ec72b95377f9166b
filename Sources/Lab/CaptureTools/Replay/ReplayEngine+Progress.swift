internal import Basics
internal import LoadReporting

extension ReplayEngine {
    /// What the run does now and what happened in the last whole second, in one line.
    ///
    /// - Parameters:
    ///   - start: when the schedule began; `none` before.
    ///   - now: the present time.
    /// - Returns: the line.
    func progress(since start: ExactTime, now: ExactTime) -> String {
        switch phase {
        case .connecting: return "connecting"
        case .registering: return "registering: \(registered) frames answered"
        case .over: return "over"
        case .playing, .draining: break
        }
        let (pushes, series) = (recorder.pushes, recorder.series)
        let last = series.sent.count - 1
        let due = series.intended.indices.contains(last) ? series.intended[last] : 0
        func p99(_ series: [Double]) -> String {
            guard let time = series.last, time > 0 else { return "–" }
            return FigureText.milliseconds(time)
        }
        let what =
            phase == .draining
            ? "waiting for the last answers" : "\(Int((now - start).inSeconds)) s"
        return "\(what): \(due)/s intended, \(series.sent.last ?? 0)/s sent, "
            + "\(pushes.sent - pushes.acknowledged - pushes.rejected) in flight, "
            + "\(intended - pushes.sent) wait, late p99 \(p99(series.latenessP99)), "
            + "ACK p99 \(p99(series.acknowledgementP99)), RELOAD p99 \(p99(series.reloadP99)), "
            + "\(pushes.rejected) rejected"
    }
}
