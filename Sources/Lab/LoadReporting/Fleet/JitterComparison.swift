import Basics

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

    private let runs: [Run]

    /// Takes as many runs as there are colours for curves, in their order.
    package init(_ runs: [Run]) { self.runs = Array(runs.prefix(Self.colors.count)) }

    /// A page with the plot and a table.
    package var page: ReportPage {
        ReportPage(
            title: "\(runs.first?.report.scenario ?? ""): how reloads are spread",
            subtitle: runs.first?.report.subtitle ?? "",
            charts: [chart],
            tables: [table]
        )
    }

    /// Requests per second to the origin, one curve for each run.
    package var chart: Chart {
        let series = runs.map { $0.report.series.originRequests.map(Double.init) }
        let peaks = series.map { $0.max() ?? 0 }
        let capacity = runs.compactMap(\.report.origin.capacity).first
        let top = max(peaks.max() ?? 1, Double(capacity ?? 0), 1)
        // On a linear scale, the highest peak could flatten the other curves.
        let isLogarithmic = (peaks.max() ?? 0) > 8 * (peaks.filter { $0 > 0 }.min() ?? .infinity)
        var chart = Chart(
            "Requests to the origin",
            x: .time(seconds: series.map(\.count).max() ?? 0),
            y: isLogarithmic
                ? .powersOfTen(to: top, title: "requests/s, log scale")
                : .upwards(to: top, title: "requests/s")
        )
        for (index, run) in runs.enumerated() {
            let refused = run.report.origin.refused
            let end = refused > 0 ? ", \(FigureText.grouped(refused)) refused" : ""
            chart.addSteps(
                "\(run.label): peak \(FigureText.grouped(Int(peaks[index])))/s\(end)",
                of: series[index],
                color: Self.colors[index]
            )
        }
        if let capacity {
            let label = "the origin's capacity, \(FigureText.grouped(capacity))/s"
            chart.addLevel(label, at: Double(capacity))
        }
        return chart
    }

    private var table: ReportTable {
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
        return ReportTable(
            [""] + runs.map(\.label),
            rows: rows.map { name, value in [name] + runs.map { value($0.report) } }
        )
    }
}
