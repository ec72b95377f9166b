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
        [pushSection, reloadSection, originSection, costSection] + [apnsSection].compactMap { $0 }
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
                    "put off by router",
                    value: router.untold.map { grouped($0.putOffCount) } ?? "not asked"
                ),
                Row("lost", value: router.untold.map { grouped($0.lost) } ?? "not asked"),
                Row("held by the device", value: grouped(reloads.heldByDevice)),
                Row("ended for memory or time", value: grouped(reloads.extensionsEnded)),
            ]
        )
    }

    /// Why changes had no RELOAD by the end, by the word of the router; nil if there were none, or
    /// if it was not asked.
    var untoldSection: ReportSection? {
        guard let untold = router.untold, reloads.missedWithoutReload > 0 else { return nil }
        var rows = untold.putOff.map { putOff in
            Row(
                "put off: \(Self.phrase(putOff.reason))",
                value: grouped(putOff.widgets),
                note: putOff.until.map { until in
                    let wait = FigureText.milliseconds(Double(max(0, until - untold.askedAt)))
                    return "the last reloads \(wait) after the end"
                } ?? ""
            )
        }
        if untold.underWay > 0 {
            rows.append(Row("sent as the run ended", value: grouped(untold.underWay)))
        }
        for (reason, count) in untold.settled.sorted(by: { $0.key < $1.key }) {
            rows.append(Row("needs none: \(reason)", value: grouped(count)))
        }
        rows.append(Row("lost", value: grouped(untold.lost)))
        if untold.unknown > 0 {
            rows.append(
                Row(
                    "not known",
                    value: grouped(untold.unknown),
                    note: "the router has not answered"
                )
            )
        }
        return ReportSection(title: "No RELOAD came, says the router", rows: rows)
    }

    /// A reason for a wait, in words.
    private static func phrase(_ reason: String) -> String {
        switch reason {
        case "debounced": "debounce"
        case "budget": "budget spent"
        case "spread": "origin's rate"
        case "offline": "device offline"
        case "loop": "too many requests"
        default: reason
        }
    }

    private var apnsSection: ReportSection? {
        guard let apns else { return nil }
        var rows = [
            Row("accepted", value: grouped(apns.accepted)),
            Row("accepted, p50", value: apns.pushToAccepted.text(\.p50)),
            Row("accepted, p99", value: apns.pushToAccepted.text(\.p99)),
            Row("delivered", value: grouped(apns.delivered)),
            Row("kept for a device", value: grouped(apns.kept)),
            Row("replaced by a later one", value: grouped(apns.replaced)),
            Row("expired", value: grouped(apns.expired)),
            Row("more than had a cause", value: grouped(apns.duplicates)),
            Row("devices gone", value: grouped(apns.devicesGone)),
            Row("reports over HTTP", value: grouped(apns.reports)),
        ]
        for (reason, count) in apns.refused.sorted(by: { $0.key < $1.key }) {
            rows.append(Row(reason, value: grouped(count)))
        }
        return ReportSection(title: "APNs", rows: rows)
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
