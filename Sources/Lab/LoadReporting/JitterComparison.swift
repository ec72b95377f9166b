internal import Foundation
internal import RouterMetrics

/// Compares runs of one scenario that differ in how reloads are spread, as a picture and a page.
package struct JitterComparison: Sendable {
    /// A run and its name, such as `none`, `uniform` or `ledger`.
    package struct Run: Sendable {
        /// The name of the run in the legend and in the table.
        package let label: String
        /// The result of the run.
        package let report: FleetReport

        /// Names the result of a run.
        package init(label: String, report: FleetReport) {
            self.label = label
            self.report = report
        }
    }

    private static var colors: [PlotColor] { [.red, .amber, .blue, .green] }
    /// The most runs in a comparison: one for each colour of the curves.
    package static var runsLimit: Int { colors.count }

    private let runs: [Run]

    /// Takes the first `runsLimit` runs, in their order.
    package init(_ runs: [Run]) {
        self.runs = Array(runs.prefix(Self.runsLimit))
    }

    /// Requests per second to the origin, one curve for each run.
    package var picture: PlotPicture { plot.picture }

    /// A page with the picture and a table.
    package var html: String {
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

    /// True if the highest peak would flatten the other curves on a linear scale.
    private var isLogarithmic: Bool {
        guard let least = peaks.filter({ $0 > 0 }).min(), let most = peaks.max() else {
            return false
        }
        return most > 8 * least
    }

    private var plot: Plot {
        let top = max(peaks.max() ?? 1, Double(capacity ?? 0), 1)
        var plot = Plot(
            width: 900,
            height: 380,
            left: 84,
            top: 84,
            x: .time(seconds: length),
            y: isLogarithmic
                ? .powersOfTen(to: top, title: "requests/s, log scale")
                : .upwards(to: top, title: "requests/s")
        )
        plot.label(Self.title, x: plot.left, y: 300, color: .ink, size: 15)
        drawLegend(&plot)
        for (run, color) in zip(runs, Self.colors) {
            plot.steps(
                run.report.series.originRequests.map(Double.init),
                color: color,
                width: "1.5"
            )
        }
        // A logarithmic scale has no place for 0.
        if isLogarithmic { plot.redrawBase() }
        drawPeaks(&plot)
        drawCapacity(&plot)
        return plot
    }

    /// Labels in the curves' colours, in a line above the plot.
    private func drawLegend(_ plot: inout Plot) {
        for (index, run) in runs.enumerated() {
            let peak = FigureText.grouped(Int(peaks[index]))
            let refused = run.report.origin.refused
            let end = refused > 0 ? ", \(FigureText.grouped(refused)) refused" : ""
            plot.label(
                "\(run.label): peak \(peak)/s\(end)",
                x: plot.left + (plot.right - plot.left) * index / runs.count,
                y: 560,
                color: Self.colors[index]
            )
        }
    }

    /// Writes each curve's peak beside it, unless the label of another curve is near.
    private func drawPeaks(_ plot: inout Plot) {
        let unit = TimeUnit(for: length)
        var places: [(second: Int, peak: Int)] = []
        for (index, run) in runs.enumerated() {
            let series = run.report.series.originRequests
            guard let peak = series.max(), peak > 0, let second = series.firstIndex(of: peak),
                !places.contains(where: { isNear($0, to: (second, peak)) })
            else { continue }
            places.append((second, peak))
            let isLate = second * 4 > length * 3
            plot.label(
                FigureText.grouped(peak),
                x: plot.x(Double(second) / unit.seconds) + (isLate ? -40 : 40),
                y: plot.y(Double(peak)) - 60,
                color: Self.colors[index],
                anchor: isLate ? .end : .start
            )
        }
    }

    private func isNear(_ one: (second: Int, peak: Int), to other: (second: Int, peak: Int)) -> Bool
    {
        let (low, high) = (min(one.peak, other.peak), max(one.peak, other.peak))
        let isBeside = abs(one.second - other.second) * 8 < length
        return isBeside && (isLogarithmic ? high < 2 * low : (high - low) * 12 < high)
    }

    private func drawCapacity(_ plot: inout Plot) {
        guard let capacity else { return }
        plot.horizontalLine(Double(capacity), color: .ink)
        plot.label(
            "dashed: the origin's capacity, \(FigureText.grouped(capacity))/s",
            x: plot.right,
            y: 300,
            color: .faint,
            anchor: .end
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
            // Without pushes, their rows would be empty.
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
