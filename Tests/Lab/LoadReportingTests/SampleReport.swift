import Foundation

@testable import LoadReporting

extension LatencySummary {
    /// Summarises measurements in any order; percentiles are nearest ranks.
    init(milliseconds measured: [Double]) {
        let sorted = measured.sorted()
        self.init(count: sorted.count, max: sorted.last ?? 0) { percentile in
            sorted[percentile.rank(among: sorted.count) - 1]
        }
    }
}

/// A report as a run of five minutes leaves it: a dragon comes, everybody's widget wants to know,
/// and the origin takes 500 requests a second.
func sampleReport(spread: String = "ledger") -> FleetReport {
    var report = FleetReport(
        scenario: "A dragon <b>& two</b> potions",
        app: "com.mygame",
        bundle: "GameWidgets",
        seed: 7,
        mode: .accelerated
    )
    (report.devices, report.widgets, report.connections) = (20_000, 41_200, 20_000)
    (report.seconds, report.startedAt) = (300, 1_800_000_000_000)
    report.series = sampleSeries(spread)
    let series = report.series
    report.pushes.sent = series.pushes.reduce(0, +)
    report.pushes.acknowledged = report.pushes.sent
    report.pushes.perSecond = Double(report.pushes.sent) / 300
    report.pushes.peakPerSecond = series.pushes.max()!
    report.reloads.widgets = series.reloads.reduce(0, +)
    report.reloads.frames = report.reloads.widgets * 9 / 10
    report.reloads.perSecond = Double(report.reloads.widgets) / 300
    report.reloads.peakPerSecond = series.reloads.max()!
    report.reloads.byCause = ["push": 24_310, "atEnd": 2_904, "visible": 611, "request": 35]
    (report.reloads.asks, report.reloads.wasted) = (27_020, 212)
    report.reloads.heldByDevice = 4
    report.origin.requests = series.originRequests.reduce(0, +)
    report.origin.refused = series.originRefused.reduce(0, +)
    report.origin.answered = report.origin.requests - report.origin.refused
    report.origin.peakPerSecond = series.originRequests.max()!
    report.origin.meanPerSecond = Double(report.origin.requests) / 300
    report.origin.capacity = 500
    report.origin.latencyMilliseconds = 20
    report.router.cpuSeconds = 3.41
    report.router.cpuNanosecondsPerReload = 1_260
    report.fleet.bytesPerDevice = 2_412
    report.fleet.cpuSeconds = 14.2
    report.pushToReload = LatencySummary(milliseconds: (1...20_000).map { sampleLatency($0, 0.3) })
    report.pushToRendered = LatencySummary(milliseconds: (1...20_000).map { sampleLatency($0, 24) })
    return report
}

private func sampleLatency(_ rank: Int, _ least: Double) -> Double {
    least * pow(20_000 / Double(20_001 - rank), 0.6)
}

/// A dragon in second 60: at once, at random within a minute, or as flat as can be.
private func sampleSeries(_ spread: String) -> FleetSeries {
    var series = FleetSeries()
    for second in 0..<300 {
        let wave = 40 + Int(20 * sin(Double(second) / 17)) + second * 7 % 13
        let dragon: Int
        switch spread {
        case "none": dragon = second == 60 ? 20_000 : second == 61 ? 3_000 : 0
        case "uniform": dragon = (60..<120).contains(second) ? 300 + second * 37 % 160 : 0
        default: dragon = (60..<106).contains(second) ? 440 : 0
        }
        series.pushes.append(wave / 2 + (second == 60 ? 30 : 0))
        series.reloads.append(wave + dragon)
        series.originRequests.append(wave + dragon)
        series.originRefused.append(max(0, wave + dragon - 500))
        series.online.append(20_000)
        let isStale = (60..<110).contains(second)
        series.staleP50Milliseconds.append(isStale ? Double(110 - second) * 200 : 60)
        series.staleP99Milliseconds.append(isStale ? Double(112 - second) * 900 : 900)
    }
    return series
}
