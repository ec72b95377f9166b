internal import Foundation
internal import TextFigures

/// What is drawn.
extension ReplayReport {
    private var timePlot: PlotScript {
        var plot = PlotScript(width: 860, height: 250)
        plot.timeAxis(seconds: series.count, unit: unit)
        return plot
    }

    private var unit: TimeUnit { TimeUnit(for: series.count) }

    /// What was to be pushed, and what was sent and acknowledged.
    var ratePlot: PlotScript {
        var plot = timePlot
        plot.axis("y", "a second")
        let highest =
            [series.intended, series.sent, series.acknowledged]
            .compactMap { $0.max() }.max() ?? 0
        plot.upwards(to: Double(highest))
        let intended = plot.steps(series.intended.map(Double.init), unit: unit)
        plot.layer("\(intended) with fillsteps lc rgb '\(PlotColor.faint.light)'")
        for (values, color, dash) in [
            (series.acknowledged, PlotColor.blue, ""), (series.sent, .amber, " dashtype (6,4)"),
        ] {
            let name = plot.steps(values.map(Double.init), unit: unit)
            plot.layer("\(name) with steps lw 1.3\(dash) lc rgb '\(color.light)'")
        }
        return plot
    }

    /// Widgets that were reloaded.
    var reloadPlot: PlotScript {
        var plot = timePlot
        plot.axis("y", "a second")
        plot.upwards(to: Double(series.reloads.max() ?? 0))
        let reloads = plot.steps(series.reloads.map(Double.init), unit: unit)
        plot.layer("\(reloads) with fillsteps lc rgb '\(PlotColor.green.light)'")
        plot.layer("\(reloads) with steps lw 1.3 lc rgb '\(PlotColor.green.light)'")
        return plot
    }

    /// Latencies of each second, on a logarithmic scale.
    var latencyPlot: PlotScript {
        var plot = timePlot
        plot.set("logscale y")
        plot.set(PlotScript.timeMarks)
        plot.set("lmargin 10")
        var hasValues = false
        for (values, color, dash) in [
            (series.acknowledgementP99, PlotColor.blue, ""),
            (series.acknowledgementP50, .blue, " dashtype (2,3)"),
            (series.reloadP99, .green, ""), (series.reloadP50, .green, " dashtype (2,3)"),
            (series.latenessP99, .amber, ""),
        ] {
            // A second in which nothing was measured is a gap.
            let thinned = Thinning(values, to: PlotScript.valuesLimit)
            let rows = thinned.values.enumerated().filter { $1 > 0 }.map { index, value in
                [(Double(index * thinned.step) + 0.5) / unit.seconds, value]
            }
            if rows.isEmpty { continue }
            hasValues = true
            let name = plot.data(rows)
            plot.layer(
                "\(name) with linespoints pt 7 ps 0.25 lw 1.3\(dash) lc rgb '\(color.light)'"
            )
        }
        if !hasValues { plot.sayNothing() }
        return plot
    }

    /// How rare a latency is, of this run and maybe of another one, which is dashed.
    func percentilePlot(with other: ReplayReport?) -> PlotScript {
        var plot = PlotScript(width: 860, height: 280)
        let shown = latencies.filter { $0.summary.count > 0 }
        let all = shown + (other?.latencies ?? []).filter { $0.summary.count > 0 }
        let rarest = all.compactMap { $0.summary.spectrum.percentiles.last }.max() ?? 0
        plot.percentileAxes(rarest: rarest)
        for (run, dash) in [(self, ""), (other, " dashtype (5,4)")] {
            guard let run else { continue }
            for (latency, color) in zip(run.latencies, [PlotColor.blue, .green, .amber])
            where latency.summary.count > 0 {
                let name = plot.percentiles(latency.summary.spectrum)
                plot.layer("\(name) with lines lw 2\(dash) lc rgb '\(color.light)'")
            }
        }
        if all.isEmpty { plot.sayNothing() }
        return plot
    }
}

extension PlotScript {
    /// Marks for times in milliseconds on a logarithmic axis.
    static var timeMarks: String {
        "ytics ('1 µs' 0.001, '10 µs' 0.01, '0.1 ms' 0.1, '1 ms' 1, '10 ms' 10, '100 ms' 100, "
            + "'1 s' 1000, '10 s' 10000, '100 s' 100000, '1000 s' 1000000, '10,000 s' 10000000)"
    }

    /// How rare from left to right, ten times rarer at each line; upwards milliseconds.
    mutating func percentileAxes(rarest: Double) {
        set("logscale xy")
        set(
            "xtics ('0 %%' 1, '50 %%' 2, '90 %%' 10, '99 %%' 100, '99.9 %%' 1000, "
                + "'99.99 %%' 10000, '99.999 %%' 100000)"
        )
        set(Self.timeMarks)
        set("grid xtics")
        axis("x", "of all, at most")
        set("lmargin 10")
        set("rmargin 4")
        set("xrange [1:\(FigureText.fixed(max(10, 100 / (100 - rarest)), 3))]")
    }

    /// A curve of percentiles for such axes.
    mutating func percentiles(_ spectrum: LatencySummary.Spectrum) -> String {
        data(
            zip(spectrum.percentiles, spectrum.milliseconds).map { percentile, time in
                [100 / (100 - percentile), max(0.001, time)]
            }
        )
    }

    /// Draws that there is nothing to draw.
    mutating func sayNothing() {
        set("yrange [1:10]")
        label("nothing was measured", at: "graph 0.5, 0.5", .faint, alignment: "center")
        layer("1 with lines lc rgb '\(PlotColor.grid.light)'")
    }
}

/// The pictures of a replay's report.
package struct ReplayPlots: Equatable, Sendable {
    package let rate: PlotPicture
    /// Nil if there were none.
    package let reloads: PlotPicture?
    package let latency: PlotPicture
    package let percentiles: PlotPicture

    /// Draws them.
    ///
    /// - Parameters:
    ///   - report: of the run.
    ///   - other: a run to compare with; nil if there is none.
    ///   - gnuplot: draws.
    /// - Throws: `GnuplotError` with what is wrong, if one cannot be drawn.
    package init(
        of report: ReplayReport,
        comparedWith other: ReplayReport?,
        drawnBy gnuplot: Gnuplot
    ) throws(GnuplotError) {
        rate = try PlotPicture(report.ratePlot, drawnBy: gnuplot)
        reloads =
            report.reloads.widgets > 0
            ? try PlotPicture(report.reloadPlot, drawnBy: gnuplot) : nil
        latency = try PlotPicture(report.latencyPlot, drawnBy: gnuplot)
        percentiles = try PlotPicture(report.percentilePlot(with: other), drawnBy: gnuplot)
    }
}
