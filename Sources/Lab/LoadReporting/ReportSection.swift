import RouterMetrics

/// A table of a report: rows of names and values under a title.
struct ReportSection {
    /// A name and its value.
    struct Row {
        let name: String
        let value: String
        /// A second value to read the first by, such as its share in percent.
        let note: String

        init(_ name: String, _ value: String, _ note: String = "") {
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
                Row("sent", grouped(pushes.sent)),
                Row("acknowledged", grouped(pushes.acknowledged)),
                Row("rejected", grouped(pushes.rejected)),
                Row("mean", FigureText.rate(pushes.perSecond)),
                Row("busiest second", FigureText.rate(Double(pushes.peakPerSecond))),
            ]
        )
    }

    private var reloadSection: ReportSection {
        let asks = reloads.asks
        return ReportSection(
            title: "Reloads",
            rows: [
                Row("RELOAD frames", grouped(reloads.frames)),
                Row("widgets named", grouped(reloads.widgets)),
                Row("mean", FigureText.rate(reloads.perSecond)),
                Row("busiest second", FigureText.rate(Double(reloads.peakPerSecond))),
                Row("providers asked", grouped(asks)),
                Row("coalesced", grouped(reloads.coalesced)),
                Row(
                    "showed nothing new",
                    grouped(reloads.wasted),
                    FigureText.percent(reloads.wasted, of: asks)
                ),
                Row("changes not seen by the end", grouped(reloads.missed)),
                Row("device offline", grouped(reloads.missedOffline)),
                Row("budget spent", grouped(reloads.missedForBudget)),
                Row("reload under way", grouped(reloads.missedUnderWay)),
                Row("no RELOAD came", grouped(reloads.missedUntold)),
                Row("put off by the router", router.pendingReloads.map(grouped) ?? "not known"),
                Row("held by the device", grouped(reloads.heldByDevice)),
                Row("ended for memory", grouped(reloads.extensionsEnded)),
            ]
        )
    }

    private var originSection: ReportSection {
        let capacity = origin.capacity.map { FigureText.rate(Double($0)) }
        return ReportSection(
            title: "Origin",
            rows: [
                Row("requests", grouped(origin.requests)),
                Row(
                    "answered",
                    grouped(origin.answered),
                    FigureText.percent(origin.answered, of: origin.requests)
                ),
                Row(
                    "refused",
                    grouped(origin.refused),
                    FigureText.percent(origin.refused, of: origin.requests)
                ),
                Row("retries", grouped(origin.retries)),
                Row("failed for good", grouped(origin.failed)),
                Row("mean", FigureText.rate(origin.meanPerSecond)),
                Row("busiest second", FigureText.rate(Double(origin.peakPerSecond))),
                Row("capacity", capacity ?? "no limit"),
                Row("latency", FigureText.milliseconds(origin.latencyMilliseconds)),
            ]
        )
    }

    private var costSection: ReportSection {
        ReportSection(
            title: "Cost",
            rows: [
                Row("router CPU", router.cpuSeconds.map(FigureText.seconds) ?? "not measured"),
                Row(
                    "router CPU a reload",
                    router.cpuNanosecondsPerReload.map(FigureText.nanoseconds) ?? "not measured"
                ),
                Row("fleet CPU", FigureText.seconds(fleet.cpuSeconds)),
                Row("memory a device", FigureText.bytes(fleet.bytesPerDevice)),
                Row("connections lost", grouped(fleet.connectionsLost)),
                Row("frames refused", grouped(fleet.framesRefused)),
            ]
        )
    }
}
