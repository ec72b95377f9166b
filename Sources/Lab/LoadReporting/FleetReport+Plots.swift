internal import RouterMetrics

/// The plots of the page.
extension FleetReport {
    private var time: PlotAxis { .time(seconds: series.originRequests.count) }

    /// Requests as an area, refusals in front of it, and the origin's capacity as a dashed line.
    var originPlot: PlotPicture {
        let capacity = Double(origin.capacity ?? 0)
        let largest = max(Double(series.originRequests.max() ?? 0), capacity)
        var plot = Plot(x: time, y: .upwards(to: largest, title: "requests/s"))
        plot.steps(series.originRequests.map(Double.init), color: .blue, hasArea: true)
        if series.originRefused.contains(where: { $0 > 0 }) {
            plot.steps(series.originRefused.map(Double.init), color: .red, hasArea: true)
        }
        if capacity > 0 { plot.horizontalLine(capacity, color: .ink) }
        return plot.picture
    }

    var trafficPlot: PlotPicture {
        let largest = max(series.reloads.max() ?? 0, series.pushes.max() ?? 0)
        var plot = Plot(x: time, y: .upwards(to: Double(largest), title: "a second"))
        plot.steps(series.reloads.map(Double.init), color: .blue, hasArea: true)
        plot.steps(series.pushes.map(Double.init), color: .amber)
        return plot.picture
    }

    var stalenessPlot: PlotPicture {
        let largest = (series.staleP99Milliseconds.max() ?? 0) / 1_000
        var plot = Plot(x: time, y: .upwards(to: largest, title: "seconds"))
        plot.steps(series.staleP99Milliseconds.map { $0 / 1_000 }, color: .amber)
        plot.steps(series.staleP50Milliseconds.map { $0 / 1_000 }, color: .green, hasArea: true)
        return plot.picture
    }

    /// Latencies over their rarity, which grows tenfold from one grid line to the next.
    var latencyPlot: PlotPicture {
        Plot.percentiles(
            zip(latencies, [PlotColor.blue, .green]).map { ($0.summary, $1, nil) },
            height: 250
        )
    }

    /// A bar for each cause, the longest at the top; nil if there were no reloads.
    var causePlot: PlotPicture? {
        guard let largest = causes.first?.count else { return nil }
        var canvas = SVGCanvas(width: 860, height: 44 + 26 * causes.count)
        let left = 75 * min(40, max(12, causes.map(\.name.count).max() ?? 0)) + 100
        for (index, cause) in causes.enumerated() {
            let y = 220 + 260 * index
            let length = (7_600 - left) * cause.count / max(1, largest)
            canvas.label(
                cause.name,
                x: left - 100,
                y: y + 130,
                anchor: .end,
                color: PlotColor.ink.light
            )
            canvas.bar(x: left, y: y, width: length, height: 177, color: PlotColor.blue.light)
            canvas.label(
                FigureText.grouped(cause.count),
                x: left + length + 80,
                y: y + 130,
                color: PlotColor.faint.light
            )
        }
        return PlotPicture(canvas)
    }
}
