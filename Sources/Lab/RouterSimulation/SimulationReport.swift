internal import LoadReporting
internal import ReloadModel
internal import RouterMetrics
internal import StrictJSON

/// The results of one day in several modes, as text, as JSON and as a picture.
///
/// They contain nothing of the machine: the same options give the same bytes.
package struct SimulationReport: Sendable {
    package let options: SimulationOptions
    package let records: [DayRecord]
    /// Requests per second that the origin can answer.
    let originRate: Int

    /// - Parameters:
    ///   - options: the options of the day.
    ///   - records: the results, one for each mode.
    package init(options: SimulationOptions, records: [DayRecord]) {
        self.options = options
        self.records = records
        originRate = World(devices: options.devices).originRate
    }

    /// When the record begins, in ms since 1970.
    var start: Int64 { records.first?.start ?? SimulatedTime.monday }

    /// The number of widgets that were on home screens at the end.
    var widgets: UInt64 {
        records.first.map { $0.budgets.reduce(0) { $0 + $1.count } } ?? 0
    }

    // MARK: - Text

    /// A table with one column for each mode.
    package var text: String {
        var lines = [heading, ""]
        lines.append(row("", records.map(\.mode.rawValue)))
        lines.append(row("requests to the origin", records.map { grouped($0.recorded) }))
        lines.append(row("  in the busiest second", records.map { grouped(UInt64($0.peak)) }))
        lines.append(
            row("  which is", records.map { SimulatedTime.text(time($0.busiest)).dropLast(4) })
        )
        lines.append(row("  in the busiest minute", records.map { grouped($0.busiestMinute) }))
        lines.append(
            row("  in 99 % of seconds, at most", records.map { grouped(UInt64($0.percentile99)) })
        )
        lines.append(row("  seconds above the rate", records.map { grouped(aboveRate($0)) }))
        lines.append(row("pushes", records.map { grouped($0.sums.pushes) }))
        lines.append(row("  widgets that they concern", records.map { grouped($0.sums.matches) }))
        lines.append(row("RELOADs", records.map { grouped($0.sums.reloads) }))
        for (index, cause) in ReloadCause.allCases.enumerated()
        where records.contains(where: { $0.sums.causes[index] > 0 }) {
            lines.append(
                row("  " + cause.rawValue, records.map { grouped($0.sums.causes[index]) })
            )
        }
        lines.append(row("timelines built", records.map { grouped($0.sums.timelines) }))
        lines.append(row("  with values from RELOAD", records.map { grouped($0.sums.carried) }))
        lines.append(row("reloads charged", records.map { grouped($0.sums.charged) }))
        lines.append(row("dates told (SCHEDULED)", records.map { grouped($0.sums.scheduled) }))
        lines.append(row("  mean delay, s", records.map { Decimal(meanDelay($0), 3).text }))
        lines.append(
            row("  longest delay, s", records.map { Decimal($0.sums.longestDelay, 3).text })
        )
        lines.append("")
        lines.append("widgets charged more than their allowance")
        for (index, use) in (records.first?.budgets ?? []).enumerated() {
            let allowance =
                use.least == use.allowance
                ? "\(use.allowance)" : "\(use.least) to \(use.allowance)"
            lines.append(
                row(
                    "  \(use.name) (\(allowance))",
                    records.map { grouped($0.budgets[index].above) }
                )
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }

    var heading: String {
        "\(grouped(UInt64(options.devices))) devices with \(grouped(widgets)) widgets, "
            + "\(options.hours) h from \(SimulatedTime.text(start).dropLast(7)), "
            + "seed \(options.seed); the origin takes \(grouped(UInt64(originRate))) requests/s"
    }

    /// The date of a second of the record, in ms since 1970.
    func time(_ second: Int) -> Int64 { start + Int64(second) * 1_000 }

    /// Seconds with more requests than the origin's rate.
    func aboveRate(_ record: DayRecord) -> UInt64 {
        record.requests.reduce(0) { $0 + ($1 > UInt32(originRate) ? 1 : 0) }
    }

    /// The mean delay of a scheduled reload, in ms.
    func meanDelay(_ record: DayRecord) -> Int64 {
        Int64(record.sums.delays / max(1, record.sums.scheduled))
    }

    private func row(_ name: String, _ values: [some StringProtocol]) -> String {
        let cells = values.map { value in
            String(repeating: " ", count: max(1, 18 - value.count)) + value
        }
        let label = name + String(repeating: " ", count: max(1, 50 - name.count))
        return label + cells.joined()
    }
}

/// The number with commas between groups of three digits.
func grouped(_ number: UInt64) -> String { FigureText.grouped(Int(clamping: number)) }
