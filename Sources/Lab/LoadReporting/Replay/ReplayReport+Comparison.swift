import Basics

/// Two replays side by side, for `replay --compare`.
extension ReplayReport {
    private typealias Value = (name: String, of: (ReplayReport) -> Double)

    /// This run beside another one: a row for each value, with the ratio of this run's to the
    /// other's unless one of them is 0.
    func table(beside other: ReplayReport, named name: String) -> ReportTable {
        func rows(_ values: [Value], text: (Double) -> String) -> [[String]] {
            values.map { value in
                let (now, before) = (value.of(self), value.of(other))
                let ratio = now > 0 && before > 0 ? FigureText.short(now / before) : ""
                return [value.name, text(now), text(before), ratio]
            }
        }
        let isMeasured = cost.routerCPUSeconds != nil && other.cost.routerCPUSeconds != nil
        let costs: [Value] = [("router CPU", { $0.cost.routerCPUSeconds ?? 0 })]
        return ReportTable(
            ["Beside \(name)", "this run", name, "ratio"],
            rows: rows(Self.rates, text: FigureText.rate)
                + rows(Self.times) { $0 == 0 ? "–" : FigureText.milliseconds($0) }
                + rows(Self.counts) { FigureText.grouped(Int($0)) }
                + (isMeasured ? rows(costs, text: FigureText.seconds) : [])
        )
    }

    private static var rates: [Value] {
        [
            ("intended", { $0.pushes.intendedPerSecond }),
            ("sent", { $0.pushes.sentPerSecond }),
            ("acknowledged", { $0.pushes.acknowledgedPerSecond }),
        ]
    }

    private static var times: [Value] {
        let summaries: [(String, (ReplayReport) -> LatencySummary)] = [
            ("ACK", { $0.acknowledgement }), ("RELOAD", { $0.reload }),
            ("lateness", { $0.lateness }),
        ]
        return summaries.flatMap { name, summary -> [Value] in
            [
                ("\(name), p50", { summary($0).p50 }), ("\(name), p99", { summary($0).p99 }),
                ("\(name), p99.9", { summary($0).p999 }), ("\(name), max", { summary($0).max }),
            ]
        }
    }

    private static var counts: [Value] {
        [
            ("matched widgets", { Double($0.pushes.matched) }),
            ("widgets reloaded", { Double($0.reloads.widgets) }),
            ("rejected", { Double($0.pushes.rejected) }),
            ("unanswered", { Double($0.pushes.unanswered) }),
            ("connections lost", { Double($0.connectionsLost) }),
        ]
    }
}

/// The limit that `--max-p99` sets for the 99th percentiles of a replay.
package struct ReplayGate: Equatable, Sendable {
    /// The highest 99th percentile that passes, in ms.
    package let limit: Double

    /// Reads `500us`, `5ms` or `1.5s`; nil if the text is none of these.
    package init?(_ text: String) {
        let units: [(String, Double)] = [("us", 0.001), ("ms", 1), ("s", 1_000)]
        guard let (unit, factor) = units.first(where: { text.hasSuffix($0.0) }),
            let number = Double(text.dropLast(unit.count)), number > 0, number.isFinite
        else { return nil }
        limit = number * factor
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
