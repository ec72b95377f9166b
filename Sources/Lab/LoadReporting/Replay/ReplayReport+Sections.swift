import Basics

extension ReplayReport {
    private typealias Row = ReportSection.Row

    /// The figures of the report.
    var sections: [ReportSection] { [pushSection, reloadSection, deviceSection, generatorSection] }

    private var pushSection: ReportSection {
        let rows = [
            Row(
                "intended",
                count: pushes.intended,
                note: FigureText.rate(pushes.intendedPerSecond)
            ),
            Row("sent", count: pushes.sent, note: FigureText.rate(pushes.sentPerSecond)),
            Row(
                "acknowledged",
                count: pushes.acknowledged,
                note: FigureText.rate(pushes.acknowledgedPerSecond)
            ),
            Row("intended at the peak", count: pushes.peakIntendedPerSecond),
            Row("matched widgets", count: pushes.matched),
            Row("unanswered", count: pushes.unanswered),
            Row("sent again", count: pushes.sentAgain),
            Row("rejected", count: pushes.rejected),
        ]
        return ReportSection(
            title: "Pushes",
            rows: rows + ReportSection.rows(byCode: pushes.rejectedByCode)
        )
    }

    private var reloadSection: ReportSection {
        var rows = [
            Row("RELOAD frames", count: reloads.frames),
            Row("widgets named", count: reloads.widgets),
        ]
        rows += ReportSection.rows(byCause: reloads.byCause)
        rows.append(Row("still without RELOAD", count: reloads.waiting))
        if reloads.unknown > 0 { rows.append(Row("for unknown devices", count: reloads.unknown)) }
        return ReportSection(title: "Reloads", rows: rows)
    }

    private var deviceSection: ReportSection {
        let time = FigureText.seconds(devices.registrationSeconds)
        let rows = [
            Row("devices", count: devices.devices),
            Row("widgets", count: devices.widgets),
            Row("registered before", count: devices.registrations, note: time),
            Row("matched, not connected", count: devices.unreachable),
            Row("rejected", count: devices.rejectedByCode.values.reduce(0, +)),
        ]
        return ReportSection(
            title: "Devices",
            rows: rows + ReportSection.rows(byCode: devices.rejectedByCode)
        )
    }

    private var generatorSection: ReportSection {
        var rows = [
            Row("connections lost", count: connectionsLost),
            Row("lost by the recorder", count: lostRecords),
            Row("generator CPU", value: FigureText.seconds(cost.generatorCPUSeconds)),
        ]
        if let router = cost.routerCPUSeconds {
            rows.append(Row("router CPU", value: FigureText.seconds(router)))
            if pushes.acknowledged > 0 {
                let each = router * 1e9 / Double(pushes.acknowledged)
                rows.append(Row("router CPU a push", value: FigureText.nanoseconds(each)))
            }
        }
        if laterAppFiles > 0 { rows.append(Row("app files not replayed", count: laterAppFiles)) }
        if gaveUp { rows.append(Row("given up", value: "no more answers")) }
        return ReportSection(title: "Run", rows: rows)
    }
}
