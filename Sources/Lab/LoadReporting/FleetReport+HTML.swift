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
                <div class="tables">\((sections + [untoldSection].compactMap { $0 }).map(ReportPage.table).joined(separator: "\n"))</div>
                """
        )
    }

    private var headline: String {
        let load = origin.capacity.map { "of \(FigureText.grouped($0))/s that it can answer" }
        let isOver = origin.refused > 0
        return "<div class=\"headline\">"
            + ReportPage.tile(
                "Pushes",
                value: FigureText.grouped(pushes.sent),
                aside: FigureText.rate(pushes.perSecond)
            )
            + ReportPage.tile(
                "Widgets reloaded",
                value: FigureText.grouped(reloads.widgets),
                aside: perReload
            )
            + ReportPage.tile(
                "Push to reload",
                value: pushToReload.text(\.p50),
                aside: "p99 " + pushToReload.text(\.p99)
            )
            + ReportPage.tile(
                "Push to screen",
                value: pushToRendered.text(\.p50),
                aside: "p99 " + pushToRendered.text(\.p99)
            )
            + ReportPage.tile(
                "Origin's busiest second",
                value: FigureText.grouped(origin.peakPerSecond),
                aside: load ?? "requests"
            )
            + ReportPage.tile(
                "Refused by the origin",
                value: FigureText.grouped(origin.refused),
                aside: isOver
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
                legend: [(.blue, "requests"), (.red, "refused")] + capacityMark,
                picture: originPlot,
                note: note
            ),
            ReportPage.figure(
                "Pushes and reloads",
                legend: [(.blue, "widgets reloaded"), (.amber, "pushes")],
                picture: trafficPlot,
                note: note
            ),
            ReportPage.figure(
                "How long widgets show what is out of date",
                legend: [(.amber, "99 of 100 at most"), (.green, "half at most")],
                picture: stalenessPlot,
                note: step > 1 ? "longest of every \(step) seconds" : ""
            ),
            ReportPage.figure(
                "Latency by percentile",
                legend: [(.blue, "push to reload"), (.green, "push to screen")],
                picture: latencyPlot
            ),
        ]
        if let causes = causePlot {
            figures.append(ReportPage.figure("Reloads by cause", legend: [], picture: causes))
        }
        return figures.joined(separator: "\n")
    }
}
