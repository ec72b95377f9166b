import RouterMetrics

extension ReplayReport {
    private typealias Row = ReportSection.Row

    private func grouped(_ number: Int) -> String { FigureText.grouped(number) }

    /// The tables of the report.
    var sections: [ReportSection] {
        [pushSection, reloadSection, deviceSection, generatorSection]
    }

    private var pushSection: ReportSection {
        var rows = [
            Row(
                "intended",
                value: grouped(pushes.intended),
                note: FigureText.rate(pushes.intendedPerSecond)
            ),
            Row("sent", value: grouped(pushes.sent), note: FigureText.rate(pushes.sentPerSecond)),
            Row(
                "acknowledged",
                value: grouped(pushes.acknowledged),
                note: FigureText.rate(pushes.acknowledgedPerSecond)
            ),
            Row("intended at the peak", value: grouped(pushes.peakIntendedPerSecond)),
            Row("matched widgets", value: grouped(pushes.matched)),
            Row("unanswered", value: grouped(pushes.unanswered)),
            Row("sent again", value: grouped(pushes.sentAgain)),
            Row("rejected", value: grouped(pushes.rejected)),
        ]
        rows += Self.rows(pushes.rejectedByCode)
        return ReportSection(title: "Pushes", rows: rows)
    }

    private var reloadSection: ReportSection {
        var rows = [
            Row("RELOAD frames", value: grouped(reloads.frames)),
            Row("widgets named", value: grouped(reloads.widgets)),
        ]
        rows += causes.map { Row("cause \($0.name)", value: grouped($0.count)) }
        rows.append(Row("still without RELOAD", value: grouped(reloads.waiting)))
        if reloads.unknown > 0 {
            rows.append(Row("for unknown devices", value: grouped(reloads.unknown)))
        }
        return ReportSection(title: "Reloads", rows: rows)
    }

    /// Reloads by cause, the most frequent first.
    var causes: [(name: String, count: Int)] {
        reloads.byCause.map { (name: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }

    private static func rows(_ codes: [String: Int]) -> [Row] {
        codes.sorted { $0.key < $1.key }.map {
            Row("  " + $0.key, value: FigureText.grouped($0.value))
        }
    }

    private var deviceSection: ReportSection {
        ReportSection(
            title: "Devices",
            rows: [
                Row("devices", value: grouped(devices.devices)),
                Row("widgets", value: grouped(devices.widgets)),
                Row(
                    "registered before",
                    value: grouped(devices.registrations),
                    note: FigureText.seconds(devices.registrationSeconds)
                ),
                Row("matched, not connected", value: grouped(devices.unreachable)),
                Row("rejected", value: grouped(devices.rejectedByCode.values.reduce(0, +))),
            ] + Self.rows(devices.rejectedByCode)
        )
    }

    private var generatorSection: ReportSection {
        var rows = [
            Row("connections lost", value: grouped(connectionsLost)),
            Row("lost by the recorder", value: grouped(lostRecords)),
            Row("generator CPU", value: FigureText.seconds(cost.generatorCPUSeconds)),
        ]
        if let router = cost.routerCPUSeconds {
            rows.append(Row("router CPU", value: FigureText.seconds(router)))
            if pushes.acknowledged > 0 {
                let each = router * 1e9 / Double(pushes.acknowledged)
                rows.append(Row("router CPU a push", value: FigureText.nanoseconds(each)))
            }
        }
        if laterAppFiles > 0 {
            rows.append(Row("app files not replayed", value: grouped(laterAppFiles)))
        }
        if gaveUp { rows.append(Row("given up", value: "no more answers")) }
        return ReportSection(title: "Run", rows: rows)
    }
}
