internal import Foundation
internal import TextFigures

/// Runs of one scenario that differ in how reloads are spread.
package struct JitterComparison: Sendable {
    /// A run with its name, such as `none`, `uniform` or `ledger`.
    package struct Run: Sendable {
        package let label: String
        package let report: FleetReport

        package init(label: String, report: FleetReport) {
            self.label = label
            self.report = report
        }
    }

    private static var colors: [PlotColor] { [.red, .amber, .blue, .green] }
    /// Runs in a comparison; more cannot be told apart.
    package static var runsLimit: Int { colors.count }

    private let runs: [Run]

    /// The first `runsLimit` of these, in their order.
    package init(_ runs: [Run]) {
        self.runs = Array(runs.prefix(Self.runsLimit))
    }

    /// Requests a second to the origin, a curve for each run.
    package func picture(drawnBy gnuplot: Gnuplot) throws(GnuplotError) -> PlotPicture {
        try PlotPicture(plot, drawnBy: gnuplot)
    }

    /// A page with the picture and a table.
    package func html(_ picture: PlotPicture) -> String {
        let scenario = runs.first?.report.scenario ?? ""
        return ReportPage.html(
            title: "\(scenario): how reloads are spread",
            content: """
                <h1>\(scenario.escaped)</h1>
                <p>\((runs.first?.report.subheading ?? "").escaped).</p>
                <figure style="margin-top:36px">\(picture.inline(title: Self.title))</figure>
                \(table)
                """
        )
    }

    private static var title: String { "Requests to the origin" }

    private var length: Int { runs.map(\.report.series.originRequests.count).max() ?? 0 }
    private var peaks: [Double] {
        runs.map { Double($0.report.series.originRequests.max() ?? 0) }
    }
    private var capacity: Int? { runs.compactMap(\.report.origin.capacity).first }

    /// Whether the largest peak would press the other curves to the ground.
    private var isLogarithmic: Bool {
        guard let least = peaks.filter({ $0 > 0 }).min(), let most = peaks.max() else {
            return false
        }
        return most > 8 * least
    }

    private var plot: PlotScript {
        var plot = PlotScript(width: 900, height: 380)
        let unit = TimeUnit(for: length)
        plot.timeAxis(seconds: length, unit: unit)
        plot.set("tmargin 4.6")
        plot.set("lmargin 11")
        plot.axis("y", isLogarithmic ? "requests/s, log scale" : "requests/s")
        let top = max(peaks.max() ?? 1, Double(capacity ?? 0), 1)
        if isLogarithmic {
            plot.logarithmically(to: top)
        } else {
            plot.upwards(to: top)
        }
        plot.label(Self.title, at: "graph 0, graph 1 offset 0,2.9 font ',15'", .ink)
        drawLegend(&plot)
        for (run, color) in zip(runs, Self.colors) {
            let values = run.report.series.originRequests.map { count in
                // Nothing has no place on a logarithmic scale: it lies below its beginning.
                isLogarithmic ? max(0.5, Double(count)) : Double(count)
            }
            let name = plot.steps(values, unit: unit)
            plot.layer("\(name) with steps lw 1.5 lc rgb '\(color.light)'")
        }
        if runs.isEmpty { plot.layer("0 with lines lc rgb '\(PlotColor.grid.light)'") }
        drawPeaks(&plot, unit)
        drawCapacity(&plot)
        return plot
    }

    /// Names in the curves' colours, with what they stand for, in a line above the plot.
    private func drawLegend(_ plot: inout PlotScript) {
        for (index, run) in runs.enumerated() {
            let peak = FigureText.grouped(Int(peaks[index]))
            let refused = run.report.origin.refused
            let end = refused > 0 ? ", \(FigureText.grouped(refused)) refused" : ""
            plot.label(
                "\(run.label): peak \(peak)/s\(end)",
                at: "graph \(FigureText.fixed(Double(index) / Double(runs.count), 4)), graph 1 "
                    + "offset 0,1.3",
                Self.colors[index]
            )
        }
    }

    /// The figure at a curve's peak, unless that of another one stands there.
    private func drawPeaks(_ plot: inout PlotScript, _ unit: TimeUnit) {
        var places: [(second: Int, peak: Int)] = []
        for (index, run) in runs.enumerated() {
            let series = run.report.series.originRequests
            guard let peak = series.max(), peak > 0, let second = series.firstIndex(of: peak),
                !places.contains(where: { isNear($0, (second, peak)) })
            else { continue }
            places.append((second, peak))
            let isLate = second * 4 > length * 3
            plot.label(
                FigureText.grouped(peak),
                at: "first \(FigureText.fixed(Double(second) / unit.seconds, 4)), first \(peak) "
                    + "offset \(isLate ? "-0.4" : "0.4"),0.55",
                Self.colors[index],
                alignment: isLate ? "right" : "left"
            )
        }
    }

    private func isNear(_ one: (second: Int, peak: Int), _ other: (second: Int, peak: Int)) -> Bool
    {
        let (low, high) = (min(one.peak, other.peak), max(one.peak, other.peak))
        let isBeside = abs(one.second - other.second) * 8 < length
        return isBeside && (isLogarithmic ? high < 2 * low : (high - low) * 12 < high)
    }

    private func drawCapacity(_ plot: inout PlotScript) {
        guard let capacity else { return }
        plot.layer("\(capacity) with lines lw 1.2 dashtype (6,4) lc rgb '\(PlotColor.ink.light)'")
        plot.label(
            "dashed: the origin's capacity, \(FigureText.grouped(capacity))/s",
            at: "graph 1, graph 1 offset 0,2.9",
            .faint,
            alignment: "right"
        )
    }

    private var table: String {
        let head = runs.map { "<th scope=\"col\">\($0.label.escaped)</th>" }.joined()
        let rows: [(String, (FleetReport) -> String)] = [
            ("requests to the origin", { FigureText.grouped($0.origin.requests) }),
            ("busiest second", { FigureText.rate(Double($0.origin.peakPerSecond)) }),
            ("mean", { FigureText.rate($0.origin.meanPerSecond) }),
            ("refused", { FigureText.grouped($0.origin.refused) }),
            ("retries", { FigureText.grouped($0.origin.retries) }),
            ("failed for good", { FigureText.grouped($0.origin.failed) }),
            ("widgets reloaded", { FigureText.grouped($0.reloads.widgets) }),
            ("push to screen, p50", { FigureText.milliseconds($0.pushToRendered.p50) }),
            ("push to screen, p99", { FigureText.milliseconds($0.pushToRendered.p99) }),
        ].filter { name, _ in
            // Without pushes there is nothing to say of them.
            !name.hasPrefix("push") || runs.contains { $0.report.pushToRendered.count > 0 }
        }
        let body = rows.map { name, value in
            "<tr><th scope=\"row\">\(name)</th>"
                + runs.map { "<td>\(value($0.report))</td>" }.joined() + "</tr>"
        }
        return "<section class=\"wide\"><table><thead><tr><th></th>\(head)</tr></thead>"
            + "<tbody>\(body.joined())</tbody></table></section>"
    }
}
