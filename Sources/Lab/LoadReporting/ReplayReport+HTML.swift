import PlotDrawing
import TextFigures

/// The report as a page.
extension ReplayReport {
    /// One file with headline figures, plots and tables; it loads nothing.
    ///
    /// - Parameter other: a run to compare with, and its name; nil if there is none.
    /// - Returns: the page's file.
    package func html(comparedWith other: (String, ReplayReport)?) -> String {
        let comparison = other.map { ReplayComparison(self, with: $0.1, named: $0.0) }
        return ReportPage.html(
            title: "Replay of \(heading)",
            content: """
                <h1>\(heading.escaped)</h1>
                <p>\(subheading.escaped).</p>
                \(headline)
                \(figures(other))
                \(latencyTable)
                \(comparison?.html ?? "")
                <div class="tables">\(sections.map(ReportPage.table).joined(separator: "\n"))</div>
                """
        )
    }

    private var headline: String {
        let unanswered = pushes.unanswered
        return "<div class=\"headline\">"
            + tile("Pushes", FigureText.grouped(pushes.sent), rates)
            + tile("ACK, p99", time(acknowledgement, \.p99), "p50 " + time(acknowledgement, \.p50))
            + tile("RELOAD, p99", time(reload, \.p99), "p50 " + time(reload, \.p50))
            + tile("Lateness, p99", time(lateness, \.p99), "of the generator and its connections")
            + tile("Widgets reloaded", FigureText.grouped(reloads.widgets), matchedText)
            + tile(
                "Not answered",
                FigureText.grouped(unanswered),
                "\(FigureText.grouped(pushes.rejected)) rejected",
                isBad: unanswered > 0 || pushes.rejected > 0
            ) + "</div>"
    }

    private var rates: String {
        let sent = FigureText.rate(pushes.sentPerSecond)
        if !isOpenLoop { return sent }
        return "\(sent) of \(FigureText.rate(pushes.intendedPerSecond)) intended"
    }

    private var matchedText: String { "\(FigureText.grouped(pushes.matched)) matched" }

    private func time(
        _ summary: LatencySummary,
        _ percentile: KeyPath<LatencySummary, Double>
    ) -> String {
        summary.count == 0 ? "–" : FigureText.milliseconds(summary[keyPath: percentile])
    }

    private func tile(
        _ name: String,
        _ value: String,
        _ aside: String,
        isBad: Bool = false
    ) -> String {
        "<div><span>\(name)</span><b\(isBad ? " class=\"bad\"" : "")>\(value)</b>"
            + "<small>\(aside)</small></div>"
    }

    private func figures(_ other: (String, ReplayReport)?) -> String {
        let values = series.intended.map(Double.init)
        let step = Thinning(values, to: Plot.valuesLimit).step
        let note = step > 1 ? "largest of every \(step) seconds" : ""
        return [
            ReportPage.figure(
                "Pushes",
                [(.faint, "intended"), (.amber, "sent, dashed"), (.blue, "acknowledged")],
                ratePlot,
                note: note
            ),
            reloadPlot.map {
                ReportPage.figure("Reloads", [(.green, "widgets reloaded")], $0, note: note)
            } ?? "",
            ReportPage.figure(
                "Latency of each second",
                [
                    (.blue, "ACK"), (.green, "RELOAD"), (.amber, "lateness"),
                ],
                latencyPlot,
                note: "p99; dotted p50" + (note.isEmpty ? "" : "; \(note)")
            ),
            ReportPage.figure(
                "Latency by percentile",
                [(.blue, "ACK"), (.green, "RELOAD"), (.amber, "lateness")],
                percentilePlot(with: other?.1),
                note: other.map { "dashed: \($0.0)" } ?? ""
            ),
        ].joined(separator: "\n")
    }

    private var latencyTable: String {
        let head = ["", "count", "p50", "p90", "p99", "p99.9", "max"]
            .map { "<th scope=\"col\">\($0)</th>" }
        let percentiles: [KeyPath<LatencySummary, Double>] = [\.p50, \.p90, \.p99, \.p999, \.max]
        let rows = latencies.map { name, summary in
            let cells = [FigureText.grouped(summary.count)] + percentiles.map { time(summary, $0) }
            return "<tr><th scope=\"row\">\(name)</th>"
                + cells.map { "<td>\($0)</td>" }.joined() + "</tr>"
        }
        return "<section class=\"wide\"><h2>Latency</h2><table><thead><tr>\(head.joined())</tr>"
            + "</thead><tbody>\(rows.joined())</tbody></table></section>"
    }
}
