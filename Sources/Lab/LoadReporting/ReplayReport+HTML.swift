import RouterMetrics

/// The report as an HTML page.
extension ReplayReport {
    /// A self-contained page with headline figures, plots and tables.
    ///
    /// - Parameter other: a run to compare with, and its name; nil if there is none.
    /// - Returns: the text of the page.
    package func html(comparedWith other: (String, ReplayReport)?) -> String {
        let comparison = other.map { ReplayComparison(self, with: $0.1, named: $0.0) }
        return ReportPage.html(
            title: "Replay of \(heading)",
            content: """
                <h1>\(heading.escaped)</h1>
                <p>\(subheading.escaped).</p>
                \(headline)
                \(figures(other))
                \(ReportPage.table(latencies))
                \(comparison?.html ?? "")
                <div class="tables">\(sections.map(ReportPage.table).joined(separator: "\n"))</div>
                """
        )
    }

    private var headline: String {
        let unanswered = pushes.unanswered
        return "<div class=\"headline\">"
            + ReportPage.tile("Pushes", value: FigureText.grouped(pushes.sent), aside: rates)
            + ReportPage.tile(
                "ACK, p99",
                value: acknowledgement.text(\.p99),
                aside: "p50 " + acknowledgement.text(\.p50)
            )
            + ReportPage.tile(
                "RELOAD, p99",
                value: reload.text(\.p99),
                aside: "p50 " + reload.text(\.p50)
            )
            + ReportPage.tile(
                "Lateness, p99",
                value: lateness.text(\.p99),
                aside: "of the generator and its connections"
            )
            + ReportPage.tile(
                "Widgets reloaded",
                value: FigureText.grouped(reloads.widgets),
                aside: matchedText
            )
            + ReportPage.tile(
                "Not answered",
                value: FigureText.grouped(unanswered),
                aside: "\(FigureText.grouped(pushes.rejected)) rejected",
                isBad: unanswered > 0 || pushes.rejected > 0
            ) + "</div>"
    }

    private var rates: String {
        let sent = FigureText.rate(pushes.sentPerSecond)
        if !isOpenLoop { return sent }
        return "\(sent) of \(FigureText.rate(pushes.intendedPerSecond)) intended"
    }

    private var matchedText: String { "\(FigureText.grouped(pushes.matched)) matched" }

    private func figures(_ other: (String, ReplayReport)?) -> String {
        let values = series.intended.map(Double.init)
        let step = Thinning(values, to: Plot.valuesLimit).step
        let note = step > 1 ? "largest of every \(step) seconds" : ""
        return [
            ReportPage.figure(
                "Pushes",
                legend: [(.faint, "intended"), (.amber, "sent, dashed"), (.blue, "acknowledged")],
                picture: ratePlot,
                note: note
            ),
            reloadPlot.map {
                ReportPage.figure(
                    "Reloads",
                    legend: [(.green, "widgets reloaded")],
                    picture: $0,
                    note: note
                )
            } ?? "",
            ReportPage.figure(
                "Latency of each second",
                legend: [
                    (.blue, "ACK"), (.green, "RELOAD"), (.amber, "lateness"),
                ],
                picture: latencyPlot,
                note: "p99; dotted p50" + (note.isEmpty ? "" : "; \(note)")
            ),
            ReportPage.figure(
                "Latency by percentile",
                legend: [(.blue, "ACK"), (.green, "RELOAD"), (.amber, "lateness")],
                picture: percentilePlot(with: other?.1),
                note: other.map { "dashed: \($0.0)" } ?? ""
            ),
        ].joined(separator: "\n")
    }
}
