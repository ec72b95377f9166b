internal import RouterMetrics

/// The plots of the page.
extension ReplayReport {
    private var time: PlotAxis { .time(seconds: series.count) }

    /// The intended, sent and acknowledged pushes of each second.
    var ratePlot: PlotPicture {
        let highest =
            [series.intended, series.sent, series.acknowledged]
            .compactMap { $0.max() }.max() ?? 0
        var plot = Plot(x: time, y: .upwards(to: Double(highest), title: "a second"))
        plot.steps(series.intended.map(Double.init), color: .faint, hasLine: false, hasArea: true)
        plot.steps(series.acknowledged.map(Double.init), color: .blue)
        plot.steps(series.sent.map(Double.init), color: .amber, dash: "6 4")
        return plot.picture
    }

    /// The widgets reloaded in each second; nil if there were none.
    var reloadPlot: PlotPicture? {
        if reloads.widgets == 0 { return nil }
        var plot = Plot(
            x: time,
            y: .upwards(to: Double(series.reloads.max() ?? 0), title: "a second")
        )
        plot.steps(series.reloads.map(Double.init), color: .green, hasArea: true)
        return plot.picture
    }

    /// The latencies of each second, on a logarithmic scale.
    var latencyPlot: PlotPicture {
        let curves: [(values: [Double], color: PlotColor, dash: String?)] = [
            (series.acknowledgementP99, .blue, nil), (series.acknowledgementP50, .blue, "2 3"),
            (series.reloadP99, .green, nil), (series.reloadP50, .green, "2 3"),
            (series.latenessP99, .amber, nil),
        ]
        var plot = Plot(x: time, y: .latency(curves.flatMap(\.values)))
        let unit = TimeUnit(for: series.count)
        for (values, color, dash) in curves {
            // A second without measurements is a gap.
            let thinned = Thinning(values, to: Plot.valuesLimit)
            let places = thinned.values.enumerated().filter { $1 > 0 }.map { index, value in
                (x: (Double(index * thinned.step) + 0.5) / unit.seconds, y: value)
            }
            if places.isEmpty { continue }
            plot.curve(places, color: color, width: "1.3", dash: dash, hasDots: true)
        }
        if curves.allSatisfy({ $0.values.allSatisfy { $0 == 0 } }) { plot.drawNoData() }
        return plot.picture
    }

    /// Latencies over their rarity, of this run and, dashed, of another one.
    func percentilePlot(with other: ReplayReport?) -> PlotPicture {
        let colors: [PlotColor] = [.blue, .green, .amber]
        let curves = zip(latencies, colors).map { ($0.summary, $1, nil as String?) }
        let others = zip(other?.latencies ?? [], colors).map { ($0.summary, $1, "5 4" as String?) }
        return Plot.percentiles(curves + others, height: 280)
    }
}
