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
            Row("intended", grouped(pushes.intended), FigureText.rate(pushes.intendedPerSecond)),
            Row("sent", grouped(pushes.sent), FigureText.rate(pushes.sentPerSecond)),
            Row(
                "acknowledged",
                grouped(pushes.acknowledged),
                FigureText.rate(pushes.acknowledgedPerSecond)
            ),
            Row("busiest second intended", grouped(pushes.peakIntendedPerSecond)),
            Row("matched widgets", grouped(pushes.matched)),
            Row("unanswered", grouped(pushes.unanswered)),
            Row("sent again", grouped(pushes.sentAgain)),
            Row("rejected", grouped(pushes.rejected)),
        ]
        rows += Self.rows(pushes.rejectedByCode)
        return ReportSection(title: "Pushes", rows: rows)
    }

    private var reloadSection: ReportSection {
        var rows = [
            Row("RELOAD frames", grouped(reloads.frames)),
            Row("widgets named", grouped(reloads.widgets)),
        ]
        rows += causes.map { Row("cause \($0.name)", grouped($0.count)) }
        rows.append(Row("still without RELOAD", grouped(reloads.waiting)))
        if reloads.unknown > 0 { rows.append(Row("for nobody known", grouped(reloads.unknown))) }
        return ReportSection(title: "Reloads", rows: rows)
    }

    /// Reloads by cause, the most frequent first.
    var causes: [(name: String, count: Int)] {
        reloads.byCause.map { (name: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }

    private static func rows(_ codes: [String: Int]) -> [Row] {
        codes.sorted { $0.key < $1.key }.map { Row("  " + $0.key, FigureText.grouped($0.value)) }
    }

    private var deviceSection: ReportSection {
        ReportSection(
            title: "Devices",
            rows: [
                Row("devices", grouped(devices.devices)),
                Row("widgets", grouped(devices.widgets)),
                Row(
                    "registered before",
                    grouped(devices.registrations),
                    FigureText.seconds(devices.registrationSeconds)
                ),
                Row("concerned while away", grouped(devices.unreachable)),
                Row("rejected", grouped(devices.rejectedByCode.values.reduce(0, +))),
            ] + Self.rows(devices.rejectedByCode)
        )
    }

    private var generatorSection: ReportSection {
        var rows = [
            Row("connections lost", grouped(connectionsLost)),
            Row("lost by the recorder", grouped(lostRecords)),
            Row("generator CPU", FigureText.seconds(cost.generatorCPUSeconds)),
        ]
        if let router = cost.routerCPUSeconds {
            rows.append(Row("router CPU", FigureText.seconds(router)))
            if pushes.acknowledged > 0 {
                let each = router * 1e9 / Double(pushes.acknowledged)
                rows.append(Row("router CPU a push", FigureText.nanoseconds(each)))
            }
        }
        if laterAppFiles > 0 {
            rows.append(Row("app files not replayed", grouped(laterAppFiles)))
        }
        if gaveUp { rows.append(Row("given up", "no more answers")) }
        return ReportSection(title: "Run", rows: rows)
    }
}
