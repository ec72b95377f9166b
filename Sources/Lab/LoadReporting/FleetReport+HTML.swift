import PlotDrawing
import TextFigures

/// The report as a page.
extension FleetReport {
    /// One file with headline figures, plots and tables; it loads nothing.
    package var html: String {
        ReportPage.html(
            title: scenario,
            content: """
                <h1>\(scenario.escaped)</h1>
                <p>\(bundle.escaped) of \(app.escaped). \(subheading.escaped).</p>
                \(headline)
                \(figures)
                \(latencyTable)
                <div class="tables">\(sections.map(ReportPage.table).joined(separator: "\n"))</div>
                """
        )
    }

    private var headline: String {
        let load = origin.capacity.map { "of \(FigureText.grouped($0))/s that it can answer" }
        let isOver = origin.refused > 0
        return "<div class=\"headline\">"
            + tile("Pushes", FigureText.grouped(pushes.sent), FigureText.rate(pushes.perSecond))
            + tile("Widgets reloaded", FigureText.grouped(reloads.widgets), perReload)
            + tile("Push to reload", time(pushToReload, \.p50), "p99 " + time(pushToReload, \.p99))
            + tile(
                "Push to screen",
                time(pushToRendered, \.p50),
                "p99 " + time(pushToRendered, \.p99)
            )
            + tile(
                "Origin's busiest second",
                FigureText.grouped(origin.peakPerSecond),
                load ?? "requests"
            )
            + tile(
                "Refused by the origin",
                FigureText.grouped(origin.refused),
                isOver
                    ? FigureText.percent(origin.refused, of: origin.requests) : "of all requests",
                isBad: isOver
            ) + "</div>"
    }

    private var capacityMark: [(PlotColor, String)] {
        origin.capacity.map { [(.ink, "capacity, \(FigureText.grouped($0))/s")] } ?? []
    }

    private var perReload: String {
        guard let time = router.cpuNanosecondsPerReload else {
            return FigureText.rate(reloads.perSecond)
        }
        return FigureText.nanoseconds(time) + " of router CPU each"
    }

    private func time(
        _ summary: LatencySummary,
        _ percentile: KeyPath<LatencySummary, Double>
    )
        -> String
    {
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

    private var figures: String {
        let step = Thinning(
            series.originRequests.map(Double.init),
            to: Plot.valuesLimit
        ).step
        let note = step > 1 ? "busiest second of every \(step)" : ""
        var figures = [
            ReportPage.figure(
                "Requests to the origin",
                [(.blue, "requests"), (.red, "refused")] + capacityMark,
                originPlot,
                note: note
            ),
            ReportPage.figure(
                "Pushes and reloads",
                [(.blue, "widgets reloaded"), (.amber, "pushes")],
                trafficPlot,
                note: note
            ),
            ReportPage.figure(
                "How long widgets show what is out of date",
                [(.amber, "99 of 100 at most"), (.green, "half at most")],
                stalenessPlot,
                note: step > 1 ? "longest of every \(step) seconds" : ""
            ),
            ReportPage.figure(
                "Latency by percentile",
                [(.blue, "push to reload"), (.green, "push to screen")],
                latencyPlot
            ),
        ]
        if let causes = causePlot {
            figures.append(ReportPage.figure("Reloads by cause", [], causes))
        }
        return figures.joined(separator: "\n")
    }

    private var latencyTable: String {
        let head = ["", "count", "p50", "p90", "p99", "p99.9", "max"]
            .map { "<th scope=\"col\">\($0)</th>" }
        let rows = latencies.map { name, summary in
            let percentiles: [KeyPath<LatencySummary, Double>] = [
                \.p50, \.p90, \.p99, \.p999, \.max,
            ]
            let cells =
                [FigureText.grouped(summary.count)] + percentiles.map { time(summary, $0) }
            return "<tr><th scope=\"row\">\(name)</th>"
                + cells.map { "<td>\($0)</td>" }.joined() + "</tr>"
        }
        return "<section class=\"wide\"><h2>Latency</h2><table><thead><tr>\(head.joined())</tr>"
            + "</thead><tbody>\(rows.joined())</tbody></table></section>"
    }
}
