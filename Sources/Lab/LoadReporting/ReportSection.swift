import RouterMetrics

/// A table of a report: rows of names and values under a title.
struct ReportSection {
    /// A name and its value.
    struct Row {
        let name: String
        let value: String
        /// A second value that puts the first one in relation, such as its share in per cent.
        let note: String

        init(_ name: String, value: String, note: String = "") {
            self.name = name
            self.value = value
            self.note = note
        }
    }

    let title: String
    let rows: [Row]
}

extension FleetReport {
    /// The tables of the report.
    var sections: [ReportSection] {
        [pushSection, reloadSection, originSection, costSection]
    }

    /// Reloads by cause, the most frequent first.
    var causes: [(name: String, count: Int)] {
        reloads.byCause.map { (name: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }

    private typealias Row = ReportSection.Row
    private func grouped(_ number: Int) -> String { FigureText.grouped(number) }

    private var pushSection: ReportSection {
        ReportSection(
            title: "Pushes",
            rows: [
                Row("sent", value: grouped(pushes.sent)),
                Row("acknowledged", value: grouped(pushes.acknowledged)),
                Row("rejected", value: grouped(pushes.rejected)),
                Row("mean", value: FigureText.rate(pushes.perSecond)),
                Row("busiest second", value: FigureText.rate(Double(pushes.peakPerSecond))),
            ]
        )
    }

    private var reloadSection: ReportSection {
        let asks = reloads.asks
        return ReportSection(
            title: "Reloads",
            rows: [
                Row("RELOAD frames", value: grouped(reloads.frames)),
                Row("widgets named", value: grouped(reloads.widgets)),
                Row("mean", value: FigureText.rate(reloads.perSecond)),
                Row("busiest second", value: FigureText.rate(Double(reloads.peakPerSecond))),
                Row("providers asked", value: grouped(asks)),
                Row("coalesced", value: grouped(reloads.coalesced)),
                Row(
                    "showed nothing new",
                    value: grouped(reloads.wasted),
                    note: FigureText.percent(reloads.wasted, of: asks)
                ),
                Row("changes not seen by the end", value: grouped(reloads.missed)),
                Row("device offline", value: grouped(reloads.missedOffline)),
                Row("budget spent", value: grouped(reloads.missedForBudget)),
                Row("reload under way", value: grouped(reloads.missedUnderWay)),
                Row("no RELOAD came", value: grouped(reloads.missedWithoutReload)),
                Row(
                    "delayed by the router",
                    value: router.pendingReloads.map(grouped) ?? "not known"
                ),
                Row("held by the device", value: grouped(reloads.heldByDevice)),
                Row("ended for memory or time", value: grouped(reloads.extensionsEnded)),
            ]
        )
    }

    private var originSection: ReportSection {
        let capacity = origin.capacity.map { FigureText.rate(Double($0)) }
        return ReportSection(
            title: "Origin",
            rows: [
                Row("requests", value: grouped(origin.requests)),
                Row(
                    "answered",
                    value: grouped(origin.answered),
                    note: FigureText.percent(origin.answered, of: origin.requests)
                ),
                Row(
                    "refused",
                    value: grouped(origin.refused),
                    note: FigureText.percent(origin.refused, of: origin.requests)
                ),
                Row("retries", value: grouped(origin.retries)),
                Row("failed for good", value: grouped(origin.failed)),
                Row("mean", value: FigureText.rate(origin.meanPerSecond)),
                Row("busiest second", value: FigureText.rate(Double(origin.peakPerSecond))),
                Row("capacity", value: capacity ?? "no limit"),
                Row("latency", value: FigureText.milliseconds(origin.latencyMilliseconds)),
            ]
        )
    }

    private var costSection: ReportSection {
        ReportSection(
            title: "Cost",
            rows: [
                Row(
                    "router CPU",
                    value: router.cpuSeconds.map(FigureText.seconds) ?? "not measured"
                ),
                Row(
                    "router CPU a reload",
                    value: router.cpuNanosecondsPerReload.map(FigureText.nanoseconds)
                        ?? "not measured"
                ),
                Row("fleet CPU", value: FigureText.seconds(fleet.cpuSeconds)),
                Row("memory a device", value: FigureText.bytes(fleet.bytesPerDevice)),
                Row("connections lost", value: grouped(fleet.connectionsLost)),
                Row("frames refused", value: grouped(fleet.framesRefused)),
            ]
        )
    }
}
