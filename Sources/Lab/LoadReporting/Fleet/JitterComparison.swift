import Basics

/// Compares runs of one scenario that differ in how reloads are spread, as a picture and a page.
package struct JitterComparison: Sendable {
    /// A run and its name in the legend and in the table, such as `none`, `uniform` or `ledger`.
    package typealias Run = (label: String, report: FleetReport)

    private static var colors: [PlotColor] { [.red, .amber, .blue, .green] }

    private let runs: [Run]

    /// Takes as many runs as there are colours for curves, in their order.
    package init(_ runs: [Run]) { self.runs = Array(runs.prefix(Self.colors.count)) }

    /// A page with the plot and a table.
    package var page: ReportPage {
        let figures = runs.map { run in
            (run.label, run.report.figures)
        }
        return ReportPage(
            title: "\(runs.first?.report.scenario ?? ""): how reloads are spread",
            subtitle: runs.first?.report.subtitle ?? "",
            notes: runs.first?.report.provenance?.lines ?? [],
            charts: [chart],
            tables: [ReportTable(beside: "", runs: figures)]
        )
    }

    /// Requests per second to the origin, one curve for each run.
    package var chart: Chart {
        let series = runs.map { $0.report.series.originRequests.map(Double.init) }
        let peaks = runs.map { $0.report.series.originRequests.max() ?? 0 }
        let capacity = runs.compactMap(\.report.origin.capacity).first
        let (highest, lowest) = (peaks.max() ?? 0, peaks.filter { $0 > 0 }.min() ?? .max)
        let top = Double(max(highest, capacity ?? 0, 1))
        // On a linear scale, the highest peak could flatten the other curves.
        let isLogarithmic = Double(highest) > 8 * Double(lowest)
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
                "\(run.label): peak \(FigureText.grouped(peaks[index]))/s\(end)",
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
}
