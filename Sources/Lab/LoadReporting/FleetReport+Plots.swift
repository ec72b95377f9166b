internal import Foundation
internal import TextFigures

/// What is drawn.
extension FleetReport {
    private var length: Int { series.originRequests.count }
    private var unit: TimeUnit { TimeUnit(for: length) }
    private var timePlot: PlotScript {
        var plot = PlotScript(width: 860, height: 250)
        plot.timeAxis(seconds: length, unit: unit)
        return plot
    }

    /// Requests as an area, refusals in front of it, and how much would be possible.
    var originPlot: PlotScript {
        var plot = timePlot
        let capacity = Double(origin.capacity ?? 0)
        plot.upwards(to: max(Double(series.originRequests.max() ?? 0), capacity))
        plot.axis("y", "requests/s")
        let requests = plot.steps(series.originRequests.map(Double.init), unit: unit)
        let refused = plot.steps(series.originRefused.map(Double.init), unit: unit)
        plot.layer("\(requests) with fillsteps lc rgb '\(PlotColor.blue.light)'")
        plot.layer("\(requests) with steps lw 1.3 lc rgb '\(PlotColor.blue.light)'")
        if series.originRefused.contains(where: { $0 > 0 }) {
            plot.layer("\(refused) with fillsteps lc rgb '\(PlotColor.red.light)'")
            plot.layer("\(refused) with steps lw 1.3 lc rgb '\(PlotColor.red.light)'")
        }
        if let capacity = origin.capacity {
            let ink = PlotColor.ink.light
            plot.layer("\(capacity) with lines lw 1.2 dashtype (6,4) lc rgb '\(ink)'")
        }
        return plot
    }

    var trafficPlot: PlotScript {
        var plot = timePlot
        plot.axis("y", "a second")
        plot.upwards(to: Double(max(series.reloads.max() ?? 0, series.pushes.max() ?? 0)))
        let reloads = plot.steps(series.reloads.map(Double.init), unit: unit)
        let pushes = plot.steps(series.pushes.map(Double.init), unit: unit)
        plot.layer("\(reloads) with fillsteps lc rgb '\(PlotColor.blue.light)'")
        plot.layer("\(reloads) with steps lw 1.3 lc rgb '\(PlotColor.blue.light)'")
        plot.layer("\(pushes) with steps lw 1.3 lc rgb '\(PlotColor.amber.light)'")
        return plot
    }

    var stalenessPlot: PlotScript {
        var plot = timePlot
        plot.axis("y", "seconds")
        plot.upwards(to: (series.staleP99Milliseconds.max() ?? 0) / 1_000)
        let worst = plot.steps(series.staleP99Milliseconds.map { $0 / 1_000 }, unit: unit)
        let median = plot.steps(series.staleP50Milliseconds.map { $0 / 1_000 }, unit: unit)
        plot.layer("\(worst) with steps lw 1.3 lc rgb '\(PlotColor.amber.light)'")
        plot.layer("\(median) with fillsteps lc rgb '\(PlotColor.green.light)'")
        plot.layer("\(median) with steps lw 1.3 lc rgb '\(PlotColor.green.light)'")
        return plot
    }

    /// How rare a latency is from left to right, ten times rarer at each line.
    var latencyPlot: PlotScript {
        var plot = PlotScript(width: 860, height: 250)
        plot.set("logscale xy")
        plot.set(
            "xtics ('0 %%' 1, '50 %%' 2, '90 %%' 10, '99 %%' 100, '99.9 %%' 1000, "
                + "'99.99 %%' 10000, '99.999 %%' 100000)"
        )
        plot.set(
            "ytics ('0.01 ms' 0.01, '0.1 ms' 0.1, '1 ms' 1, '10 ms' 10, '100 ms' 100, "
                + "'1 s' 1000, '10 s' 10000, '100 s' 100000, '1000 s' 1000000, "
                + "'10,000 s' 10000000)"
        )
        plot.set("grid xtics")
        plot.axis("x", "of all, at most")
        plot.set("lmargin 10")
        plot.set("rmargin 4")
        let colors: [PlotColor] = [.blue, .green]
        let rarest = latencies.compactMap { $0.summary.spectrum.percentiles.last }.max() ?? 0
        plot.set("xrange [1:\(FigureText.fixed(max(10, 100 / (100 - rarest)), 3))]")
        for (latency, color) in zip(latencies, colors) where latency.summary.count > 0 {
            let spectrum = latency.summary.spectrum
            let rows = zip(spectrum.percentiles, spectrum.milliseconds).map { percentile, time in
                [100 / (100 - percentile), max(0.01, time)]
            }
            let name = plot.data(rows)
            plot.layer("\(name) with lines lw 2 lc rgb '\(color.light)'")
        }
        if latencies.allSatisfy({ $0.summary.count == 0 }) {
            plot.set("yrange [1:10]")
            plot.label("nothing was measured", at: "graph 0.5, 0.5", .faint, alignment: "center")
            plot.layer("1 with lines lc rgb '\(PlotColor.grid.light)'")
        }
        return plot
    }

    /// A bar for each cause, the longest one on top.
    var causePlot: PlotScript {
        let causes = causes
        var plot = PlotScript(width: 860, height: 44 + 26 * causes.count)
        let largest = Double(max(1, causes.first?.count ?? 1))
        plot.set("xrange [0:\(FigureText.fixed(largest * 1.12, 3))]")
        plot.set("yrange [\(FigureText.fixed(0.4 - Double(causes.count), 1)):0.6]")
        plot.set("border 0")
        plot.set("format x ''")
        plot.set("style fill solid 1 noborder")
        let longest = causes.map(\.name.count).max() ?? 0
        plot.set("lmargin \(min(40, max(12, longest)))")
        let names = causes.enumerated().map { index, cause in
            "'\(PlotScript.quoted(cause.name))' -\(index)"
        }
        plot.set("ytics (\(names.joined(separator: ", "))) textcolor rgb '\(PlotColor.ink.light)'")
        plot.set("xtics scale 0")
        plot.set("grid noytics noxtics")
        let bars = plot.data(
            causes.enumerated().map { index, cause in [Double(cause.count), -Double(index)] }
        )
        plot.layer(
            "\(bars) using ($1/2):2:($1/2):(0.34) with boxxyerror lc rgb '\(PlotColor.blue.light)'"
        )
        for (index, cause) in causes.enumerated() {
            plot.label(
                FigureText.grouped(cause.count),
                at: "first \(cause.count), first -\(index) offset 0.8,0",
                .faint
            )
        }
        return plot
    }
}
