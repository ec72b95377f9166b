import Basics

/// The limit that `--max-p99` sets for the 99th percentiles of a replay.
package struct ReplayGate: Equatable, Sendable {
    /// The highest 99th percentile that passes, in ms.
    package let limit: Double

    /// Reads `500us`, `5ms` or `1.5 s`; nil if the text is none of these.
    package init?(_ text: String) {
        guard let limit = LatencySummary.limit(text) else { return nil }
        self.limit = limit
    }

    /// The reasons why a run fails, one sentence each; empty if it passes.
    ///
    /// A run also fails if a push was not answered, if none was acknowledged, or if the schedule
    /// could not be kept.
    package func misses(_ report: ReplayReport) -> [String] {
        var misses: [String] = []
        let unanswered = report.pushes.unanswered
        if unanswered > 0 {
            misses.append("\(FigureText.grouped(unanswered)) pushes were not answered")
        }
        for (name, summary) in [("ACK", report.acknowledgement), ("RELOAD", report.reload)]
        where summary.p99 > limit {
            misses.append("p99 of \(name) is \(text(summary.p99)), above \(text(limit))")
        }
        if report.isOpenLoop && report.lateness.p99 > limit {
            misses.append(
                "the schedule was not kept, so the figures say little of the router: p99 of lateness "
                    + "is \(text(report.lateness.p99)), because the generator or the connections to "
                    + "the router were too slow"
            )
        }
        if report.acknowledgement.count == 0 && unanswered == 0 {
            misses.append("no push was acknowledged")
        }
        return misses
    }

    private func text(_ milliseconds: Double) -> String { FigureText.milliseconds(milliseconds) }
}
