import Basics

extension FleetReport {
    private typealias Row = ReportSection.Row

    /// The figures of the report.
    var sections: [ReportSection] {
        [pushSection, reloadSection]
            + [untoldSection, apnsSection].compactMap { $0 }
            + [originSection, costSection]
    }

    private var pushSection: ReportSection {
        ReportSection(
            title: "Pushes",
            rows: [
                Row("sent", count: pushes.sent),
                Row("acknowledged", count: pushes.acknowledged),
                Row("rejected", count: pushes.rejected),
                Row("mean", value: FigureText.rate(pushes.perSecond)),
                Row("busiest second", value: FigureText.rate(Double(pushes.peakPerSecond))),
            ]
        )
    }

    private var reloadSection: ReportSection {
        let putOff = router.untold.map { FigureText.grouped($0.putOffCount) }
        let lost = router.untold.map { FigureText.grouped($0.lost) }
        let wasted = FigureText.percent(reloads.wasted, of: reloads.asks)
        var rows = [
            Row("RELOAD frames", count: reloads.frames),
            Row("widgets named", count: reloads.widgets),
        ]
        rows += ReportSection.rows(byCause: reloads.byCause)
        rows += [
            Row("mean", value: FigureText.rate(reloads.perSecond)),
            Row("busiest second", value: FigureText.rate(Double(reloads.peakPerSecond))),
            Row("providers asked", count: reloads.asks),
            Row("coalesced", count: reloads.coalesced),
            Row("showed nothing new", count: reloads.wasted, note: wasted),
            Row("changes not seen by the end", count: reloads.missed),
            Row("device offline", count: reloads.missedOffline),
            Row("budget spent", count: reloads.missedForBudget),
            Row("reload under way", count: reloads.missedUnderWay),
            Row("no RELOAD came", count: reloads.missedWithoutReload),
            Row("put off by router", value: putOff ?? "not asked"),
            Row("lost", value: lost ?? "not asked"),
            Row("held by the device", count: reloads.heldByDevice),
            Row("ended for memory or time", count: reloads.extensionsEnded),
        ]
        return ReportSection(title: "Reloads", rows: rows)
    }

    /// Why changes had no RELOAD by the end, by the word of the router; nil if there were none, or
    /// if it was not asked.
    private var untoldSection: ReportSection? {
        guard let untold = router.untold, reloads.missedWithoutReload > 0 else { return nil }
        var rows = untold.putOff.map { putOff in
            let wait = putOff.until.map {
                FigureText.milliseconds(Double(max(0, $0 - untold.askedAt)))
            }
            return Row(
                "put off: \(Self.phrase(putOff.reason))",
                count: putOff.widgets,
                note: wait.map { "the last reloads \($0) after the end" } ?? ""
            )
        }
        if untold.underWay > 0 { rows.append(Row("sent as the run ended", count: untold.underWay)) }
        for (reason, count) in untold.settled.sorted(by: { $0.key < $1.key }) {
            rows.append(Row("needs none: \(reason)", count: count))
        }
        rows.append(Row("lost", count: untold.lost))
        if untold.unknown > 0 {
            rows.append(
                Row("not known", count: untold.unknown, note: "the router has not answered")
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
        return ReportSection(
            title: "APNs",
            rows: [
                Row("accepted", count: apns.accepted),
                Row("accepted, p50", value: apns.pushToAccepted.text(\.p50)),
                Row("accepted, p99", value: apns.pushToAccepted.text(\.p99)),
                Row("delivered", count: apns.delivered),
                Row("kept for a device", count: apns.kept),
                Row("replaced by a later one", count: apns.replaced),
                Row("expired", count: apns.expired),
                Row("more than had a cause", count: apns.duplicates),
                Row("devices gone", count: apns.devicesGone),
                Row("reports over HTTP", count: apns.reports),
            ] + ReportSection.rows(byCode: apns.refused)
        )
    }

    private var originSection: ReportSection {
        let capacity = origin.capacity.map { FigureText.rate(Double($0)) }
        func share(_ count: Int) -> String { FigureText.percent(count, of: origin.requests) }
        return ReportSection(
            title: "Origin",
            rows: [
                Row("requests", count: origin.requests),
                Row("answered", count: origin.answered, note: share(origin.answered)),
                Row("refused", count: origin.refused, note: share(origin.refused)),
                Row("retries", count: origin.retries),
                Row("failed for good", count: origin.failed),
                Row("mean", value: FigureText.rate(origin.meanPerSecond)),
                Row("busiest second", value: FigureText.rate(Double(origin.peakPerSecond))),
                Row("capacity", value: capacity ?? "no limit"),
                Row("latency", value: FigureText.milliseconds(origin.latencyMilliseconds)),
            ]
        )
    }

    private var costSection: ReportSection {
        let each = router.cpuNanosecondsPerReload.map(FigureText.nanoseconds)
        return ReportSection(
            title: "Cost",
            rows: [
                Row(
                    "router CPU",
                    value: router.cpuSeconds.map(FigureText.seconds) ?? "not measured"
                ),
                Row("router CPU a reload", value: each ?? "not measured"),
                Row("fleet CPU", value: FigureText.seconds(fleet.cpuSeconds)),
                Row("memory a device", value: FigureText.bytes(fleet.bytesPerDevice)),
                Row("connections lost", count: fleet.connectionsLost),
                Row("frames refused", count: fleet.framesRefused),
            ]
        )
    }
}
