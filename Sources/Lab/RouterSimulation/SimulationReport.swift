internal import LoadReporting
internal import ReloadModel
internal import RouterMetrics
internal import StrictJSON
internal import Times

/// The results of one day in several modes, as text, as JSON and as a picture.
///
/// Nothing in a report depends on the machine: the same options give the same bytes.
package struct SimulationReport: Sendable {
    /// The options of the day.
    package let options: SimulationOptions
    /// The results, one for each mode.
    package let records: [DayRecord]
    /// The number of requests per second that the origin can answer.
    let originRate: Int

    /// Creates a report of runs with the same options.
    ///
    /// - Parameters:
    ///   - options: the options of the day.
    ///   - records: the results, one for each mode.
    package init(options: SimulationOptions, records: [DayRecord]) {
        self.options = options
        self.records = records
        originRate = World(devices: options.devices).originRate
    }

    /// When the record begins.
    var start: WallTime { records.first?.start ?? SimulatedTime.monday }

    /// The number of widgets that were on home screens at the end.
    var widgets: UInt64 {
        records.first.map { $0.budgets.reduce(0) { $0 + $1.count } } ?? 0
    }

    // MARK: - Text

    /// A table with one column for each mode.
    package var text: String {
        var lines = [heading, ""]
        lines.append(row("", values: records.map(\.mode.rawValue)))
        lines.append(row("requests to the origin", values: records.map { grouped($0.recorded) }))
        lines.append(
            row("  in the busiest second", values: records.map { grouped(UInt64($0.peak)) })
        )
        lines.append(
            row(
                "  which is",
                values: records.map { SimulatedTime.text(time($0.busiest)).dropLast(4) }
            )
        )
        lines.append(
            row("  in the busiest minute", values: records.map { grouped($0.busiestMinute) })
        )
        lines.append(
            row(
                "  in 99 % of seconds, at most",
                values: records.map { grouped(UInt64($0.percentile99)) }
            )
        )
        lines.append(
            row("  seconds above the rate", values: records.map { grouped(aboveRate($0)) })
        )
        lines.append(row("pushes", values: records.map { grouped($0.sums.pushes) }))
        lines.append(
            row("  widgets that they concern", values: records.map { grouped($0.sums.matches) })
        )
        lines.append(row("RELOADs", values: records.map { grouped($0.sums.reloads) }))
        for (index, cause) in ReloadCause.allCases.enumerated()
        where records.contains(where: { $0.sums.causes[index] > 0 }) {
            lines.append(
                row("  " + cause.rawValue, values: records.map { grouped($0.sums.causes[index]) })
            )
        }
        lines.append(row("timelines built", values: records.map { grouped($0.sums.timelines) }))
        lines.append(
            row("  with values from RELOAD", values: records.map { grouped($0.sums.inlined) })
        )
        lines.append(row("reloads charged", values: records.map { grouped($0.sums.charged) }))
        lines.append(
            row("dates sent (SCHEDULED)", values: records.map { grouped($0.sums.scheduled) })
        )
        lines.append(
            row(
                "  mean delay, s",
                values: records.map { Decimal(meanDelay($0).rawValue, places: 3).text }
            )
        )
        lines.append(
            row(
                "  longest delay, s",
                values: records.map { Decimal($0.sums.longestDelay.rawValue, places: 3).text }
            )
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
                    values: records.map { grouped($0.budgets[index].above) }
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

    /// Returns the date of a second of the record.
    func time(_ second: Int) -> WallTime { start + .seconds(Int64(second)) }

    /// Returns the number of seconds with more requests than the origin's rate.
    func aboveRate(_ record: DayRecord) -> UInt64 {
        record.requests.reduce(0) { $0 + ($1 > UInt32(originRate) ? 1 : 0) }
    }

    /// Returns the mean delay of a scheduled reload.
    func meanDelay(_ record: DayRecord) -> Milliseconds {
        record.sums.delays / Int64(max(1, record.sums.scheduled))
    }

    private func row(_ name: String, values: [some StringProtocol]) -> String {
        let cells = values.map { value in
            String(repeating: " ", count: max(1, 18 - value.count)) + value
        }
        let label = name + String(repeating: " ", count: max(1, 50 - name.count))
        return label + cells.joined()
    }
}

/// Formats a number with commas between groups of three digits.
func grouped(_ number: UInt64) -> String { FigureText.grouped(Int(clamping: number)) }
