import Basics

/// The most that a figure of a fleet's report may be; after the run, also whether that was kept.
package struct FleetThreshold: Codable, Equatable, Sendable {
    /// The part of the report, as its text calls it: `push to screen`, `reloads`, `not shown`.
    package let part: String
    /// The figure's name there: `p99`, `wasted`, `lost`.
    package let figure: String
    /// The most that it may be: in ms for a latency, and otherwise in the figure's own unit.
    package let limit: Double
    /// What the run has measured; nil if it has measured nothing.
    package private(set) var measured: Double?
    /// True if that is not above the limit.
    package private(set) var isMet = false

    /// Makes a threshold that no run has met.
    package init(part: String, figure: String, limit: Double) {
        (self.part, self.figure, self.limit) = (part, figure, limit)
    }

    /// The parts of reports, and which of their figures may have a threshold.
    package static let figures: [(part: String, figures: [String])] = {
        var report = FleetReport(scenario: "", app: "", bundle: "", seed: 0, mode: .real)
        report.apns = FleetReport.APNs()
        report.router = FleetReport.Router(cpuSeconds: 0, cpuNanosecondsPerReload: 0)
        report.fleet.bytesPerDevice = 0
        report.fleet.cpuSeconds = 0
        var parts: [(part: String, figures: [String])] = report.latencies.map { latency in
            (latency.name, LatencySummary.times.map(\.name))
        }
        for figure in report.figures where figure.number != nil {
            let part = figure.part.lowercased()
            if parts.last?.part != part { parts.append((part, [])) }
            parts[parts.count - 1].figures.append(figure.name)
        }
        return parts
    }()

    /// True if a part is a latency, whose limits are times.
    package static func isLatency(_ part: String) -> Bool {
        figures.contains { $0.part == part && $0.figures == LatencySummary.times.map(\.name) }
    }

    /// The threshold with what a run has measured. A latency that the run cannot resolve counts as
    /// not measured.
    package func judged(by report: FleetReport) -> FleetThreshold {
        var judged = self
        let isResolved = !Self.isLatency(part) || limit >= report.resolution
        judged.measured = isResolved ? found(in: report)?.number : nil
        judged.isMet = judged.measured.map { $0 <= limit } ?? false
        return judged
    }

    private func found(in report: FleetReport) -> ReportFigure? {
        report.figures.first { $0.part.lowercased() == part && $0.name == figure }
    }

    /// The thresholds of a report, with their verdicts; nil if it has none.
    static func table(of report: FleetReport) -> ReportTable? {
        if report.thresholds.isEmpty { return nil }
        let rows = report.thresholds.map { threshold in
            let whole = Int(exactly: threshold.limit)
            let limit =
                isLatency(threshold.part)
                ? FigureText.milliseconds(threshold.limit)
                : whole.map { FigureText.grouped($0) } ?? FigureText.short(threshold.limit)
            let measured = threshold.measured.flatMap { _ in threshold.found(in: report)?.text }
            return [
                "\(threshold.part), \(threshold.figure)", limit, measured ?? "not measured",
                threshold.isMet ? "PASS" : "FAIL",
            ]
        }
        return ReportTable(["Threshold", "at most", "measured", "verdict"], rows: rows)
    }
}
