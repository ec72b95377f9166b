import Basics

/// The report for people.
extension ReplayReport {
    /// The report as text, and as a page with plots, compared with another run if there is one.
    package func page(
        comparedWith other: (name: String, report: ReplayReport)? = nil
    ) -> ReportPage {
        let comparison = other.map { name, report in
            let runs = [("this run", compared), (name, report.compared)]
            return ReportTable(beside: "Beside \(name)", runs: runs)
        }
        let percentiles = Chart.percentiles(
            latencies,
            other: other?.report.latencies ?? [],
            note: other.map { "dashed: \($0.name)" } ?? ""
        )
        return ReportPage(
            title: "Replay of \(capture.joined(separator: ", "))",
            subtitle: subtitle,
            notes: provenance?.lines ?? [],
            charts: [rateChart] + (reloads.widgets > 0 ? [reloadChart] : [])
                + [latencyChart, percentiles],
            tables: [ReportTable(latencies)] + (comparison.map { [$0] } ?? [])
                + ReportTable.parts(of: figures)
        )
    }

    /// How it was replayed: speed, connections, duration, and what latencies count from.
    private var subtitle: String {
        let rounds = loops > 1 ? ", \(loops) times" : ""
        let copies = scale > 1 ? ", \(scale) copies of everything" : ""
        let loop =
            isOpenLoop
            ? "open loop, latency from the intended time"
            : "closed loop, latency from the time of sending"
        return
            "speed \(speed)\(rounds)\(copies); \(FigureText.grouped(publishers)) connections push, "
            + "\(FigureText.grouped(gateways)) receive; \(FigureText.seconds(seconds)); \(loop)"
            + (wasInterrupted == true ? "; interrupted by a signal" : "")
    }

    var latencies: [NamedLatency] {
        [("ACK", acknowledgement), ("RELOAD", reload), ("lateness", lateness)]
    }

    var figures: [ReportFigure] {
        ReportFigure.all(of: self)
            + [ReportFigure("unanswered", of: "Pushes", count: pushes.unanswered)]
    }

    // MARK: - Plots

    private func perSecond(_ title: String, y: PlotAxis, note: String = "") -> Chart {
        Chart(title, x: .time(seconds: series.count), y: y, note: note)
    }

    /// The intended, sent and acknowledged pushes of each second.
    private var rateChart: Chart {
        let all = [series.intended, series.sent, series.acknowledged].map { $0.map(Double.init) }
        let highest = all.compactMap { $0.max() }.max() ?? 0
        var chart = perSecond("Pushes", y: .upwards(to: highest, title: "a second"))
        chart.addSteps("intended", of: all[0], color: .faint, style: .area)
        chart.addSteps("acknowledged", of: all[2], color: .blue)
        chart.addSteps("sent, dashed", of: all[1], color: .amber, dash: [6, 4])
        return chart
    }

    private var reloadChart: Chart {
        let reloads = series.reloads.map(Double.init)
        var chart = perSecond("Reloads", y: .upwards(to: reloads.max() ?? 0, title: "a second"))
        chart.addSteps("widgets reloaded", of: reloads, color: .green, style: .area)
        return chart
    }

    /// The latencies of each second, on a logarithmic scale.
    private var latencyChart: Chart {
        let curves: [(label: String, values: [Double], color: PlotColor, dash: [Int])] = [
            ("ACK", series.acknowledgementP99, .blue, []),
            ("", series.acknowledgementP50, .blue, [2, 3]),
            ("RELOAD", series.reloadP99, .green, []), ("", series.reloadP50, .green, [2, 3]),
            ("lateness", series.latenessP99, .amber, []),
        ]
        let axis = PlotAxis.latency(curves.flatMap(\.values))
        var chart = perSecond("Latency of each second", y: axis, note: "p99; dotted p50")
        for (label, values, color, dash) in curves {
            chart.addSteps(label, of: values, color: color, style: .dots, dash: dash)
        }
        return chart
    }
}
