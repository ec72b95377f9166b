import RouterMetrics

/// The report as an HTML page.
extension FleetReport {
    /// A self-contained page with headline figures, plots and tables.
    package var html: String {
        ReportPage.html(
            title: scenario,
            content: """
                <h1>\(scenario.escaped)</h1>
                <p>\(bundle.escaped) of \(app.escaped). \(subheading.escaped).</p>
                \(headline)
                \(figures)
                \(ReportPage.table(latencies))
                <div class="tables">\(sections.map(ReportPage.table).joined(separator: "\n"))</div>
                """
        )
    }

    private var headline: String {
        let load = origin.capacity.map { "of \(FigureText.grouped($0))/s that it can answer" }
        let isOver = origin.refused > 0
        return "<div class=\"headline\">"
            + ReportPage.tile(
                "Pushes",
                FigureText.grouped(pushes.sent),
                FigureText.rate(pushes.perSecond)
            )
            + ReportPage.tile("Widgets reloaded", FigureText.grouped(reloads.widgets), perReload)
            + ReportPage.tile(
                "Push to reload",
                pushToReload.text(\.p50),
                "p99 " + pushToReload.text(\.p99)
            )
            + ReportPage.tile(
                "Push to screen",
                pushToRendered.text(\.p50),
                "p99 " + pushToRendered.text(\.p99)
            )
            + ReportPage.tile(
                "Origin's busiest second",
                FigureText.grouped(origin.peakPerSecond),
                load ?? "requests"
            )
            + ReportPage.tile(
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
}
