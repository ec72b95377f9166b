import Basics

/// The report for people.
extension FleetReport {
    /// The report as text, and as a page with plots.
    package var page: ReportPage {
        ReportPage(
            title: "\(scenario): \(bundle) of \(app)",
            subtitle: subtitle,
            notes: (provenance?.lines ?? []) + accelerationNotes,
            charts: [
                originChart, trafficChart, stalenessChart,
                .percentiles(latencies, resolution: resolution),
            ],
            tables: [FleetThreshold.table(of: self)].compactMap(\.self)
                + [ReportTable(latencies, resolution: resolution)]
                + [notShownTable].compactMap(\.self)
                + ReportTable.parts(of: ReportFigure.all(of: self) + meaningless)
        )
    }

    /// How it was run: the sizes, the duration and the seed.
    var subtitle: String {
        "\(FigureText.grouped(devices)) devices, \(FigureText.grouped(widgets)) widgets, "
            + "\(FigureText.grouped(connections)) connections, "
            + "\(FigureText.seconds(seconds)) \(mode == .real ? "by the clock" : "accelerated"), "
            + "seed \(seed)" + (wasInterrupted == true ? "; interrupted by a signal" : "")
    }

    var latencies: [NamedLatency] {
        [("push to reload", pushToReload), ("push to screen", pushToRendered)]
            + (apns.map { [("push to accepted", $0.pushToAccepted)] } ?? [])
    }

    /// All figures: percentiles first, last the causes for which changes were not displayed.
    var figures: [ReportFigure] {
        ReportFigure.percentiles(of: latencies, resolution: resolution)
            + ReportFigure.all(of: self) + causeFigures
    }

    /// The verdicts on the scenario's thresholds as text; empty if it has none.
    package var verdicts: String { FleetThreshold.table(of: self)?.text ?? "" }

    // MARK: - Accelerated time

    /// The steps of latencies, in ms; 0 if there are none.
    var resolution: Double { mode == .accelerated ? Double(Mode.acceleratedTick) : 0 }

    private var accelerationNotes: [String] {
        if mode != .accelerated { return [] }
        return [
            "accelerated: dates are simulated, and latencies, in steps of \(Mode.acceleratedTick) ms, "
                + "are what",
            "router, origin and devices wait for, without work and network",
        ]
    }

    /// What is measured in real time alone.
    private var meaningless: [ReportFigure] {
        if mode != .accelerated { return [] }
        let names = [
            ("Fleet", "bytes per device"), ("Fleet", "cpu"), ("Router", "cpu"),
            ("Router", "cpu per reload"),
        ]
        return names.map { part, name in
            ReportFigure(part: part, name: name, text: "no meaning, accelerated", number: nil)
        }
    }

    // MARK: - Plots

    private func perSecond(_ title: String, y: PlotAxis) -> Chart {
        Chart(title, x: .time(seconds: series.originRequests.count), y: y)
    }

    /// Requests, refusals, and the origin's capacity.
    private var originChart: Chart {
        let capacity = origin.capacity ?? 0
        let largest = max(series.originRequests.max() ?? 0, capacity)
        let axis = PlotAxis.upwards(to: Double(largest), title: "requests/s")
        var chart = perSecond("Requests to the origin", y: axis)
        chart.addSteps(
            "requests",
            of: series.originRequests.map(Double.init),
            color: .blue,
            style: .area
        )
        if series.originRefused.contains(where: { $0 > 0 }) {
            let refused = series.originRefused.map(Double.init)
            chart.addSteps("refused", of: refused, color: .red, style: .area)
        }
        if capacity > 0 {
            chart.addLevel("capacity, \(FigureText.grouped(capacity))/s", at: Double(capacity))
        }
        return chart
    }

    private var trafficChart: Chart {
        let largest = max(series.reloads.max() ?? 0, series.pushes.max() ?? 0)
        let axis = PlotAxis.upwards(to: Double(largest), title: "a second")
        var chart = perSecond("Pushes and reloads", y: axis)
        let reloads = series.reloads.map(Double.init)
        chart.addSteps("widgets reloaded", of: reloads, color: .blue, style: .area)
        chart.addSteps("pushes", of: series.pushes.map(Double.init), color: .amber)
        return chart
    }

    private var stalenessChart: Chart {
        let most = series.staleP99Milliseconds.map { $0 / 1_000 }
        let half = series.staleP50Milliseconds.map { $0 / 1_000 }
        let axis = PlotAxis.upwards(to: most.max() ?? 0, title: "seconds")
        var chart = perSecond("How long widgets show what is out of date", y: axis)
        chart.addSteps("99 of 100 at most", of: most, color: .amber)
        chart.addSteps("half at most", of: half, color: .green, style: .area)
        return chart
    }
}
