internal import Basics
package import LoadReporting

/// The results of one day in several modes, as text, as JSON and as a page.
///
/// Nothing but its provenance depends on the machine: the same options give the same bytes.
package struct SimulationReport: Sendable {
    /// The options of the day.
    let options: SimulationOptions
    /// The results, one for each mode.
    let records: [DayRecord]
    /// The number of requests per second that the origin can answer.
    let originRate: Int
    /// Where the report is from; nil to leave that out.
    let provenance: Provenance?

    /// Creates a report of runs with the same options.
    package init(
        options: SimulationOptions,
        records: [DayRecord],
        provenance: Provenance? = nil
    ) {
        self.options = options
        self.records = records
        self.provenance = provenance
        originRate = World(devices: options.devices).originRate
    }

    /// When the record begins.
    var start: WallTime { records.first?.start ?? SimulatedTime.monday }

    /// The number of widgets that were on home screens at the end.
    var widgets: Int { records.first?.widgets ?? 0 }

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

    // MARK: - For people

    /// The report as text, and as a page with plots.
    package var page: ReportPage {
        ReportPage(
            title: "Requests to the origin while widgets reload",
            subtitle: heading,
            notes: provenance?.lines ?? [],
            charts: charts,
            tables: [figures]
        )
    }

    private var heading: String {
        "\(grouped(UInt64(options.devices))) devices with \(FigureText.grouped(widgets)) widgets, "
            + "\(options.hours) h from \(SimulatedTime.text(start).dropLast(7)), "
            + "seed \(options.seed); the origin takes \(grouped(UInt64(originRate))) requests/s"
    }

    /// A table with one column for each mode.
    private var figures: ReportTable {
        func row(_ name: String, value: (DayRecord) -> String) -> [String] {
            [name] + records.map(value)
        }
        func count(_ name: String, value: (DayRecord) -> UInt64) -> [String] {
            row(name) { grouped(value($0)) }
        }
        func seconds(_ name: String, value: (DayRecord) -> Milliseconds) -> [String] {
            row(name) { FigureText.fixed(value($0).inSeconds, places: 3) }
        }
        var rows = [
            count("requests to the origin", value: \.recorded),
            count("  in the busiest second") { UInt64($0.peak) },
            row("  which is") { String(SimulatedTime.text(time($0.busiest)).dropLast(4)) },
            count("  in the busiest minute", value: \.busiestMinute),
            count("  in 99 % of seconds, at most") { UInt64($0.percentile99) },
            count("  seconds above the rate", value: aboveRate),
            count("pushes", value: \.sums.pushes),
            count("  widgets that they concern", value: \.sums.matches),
            count("RELOADs", value: \.sums.reloads),
        ]
        for (index, cause) in ReloadCause.allCases.enumerated()
        where records.contains(where: { $0.sums.causes[index] > 0 }) {
            rows.append(count("  \(cause.rawValue)") { $0.sums.causes[index] })
        }
        rows += [
            count("timelines built", value: \.sums.timelines),
            count("  with values from RELOAD", value: \.sums.inlined),
            count("reloads charged", value: \.sums.charged),
            count("dates sent (SCHEDULED)", value: \.sums.scheduled),
            seconds("  mean delay, s", value: meanDelay),
            seconds("  longest delay, s", value: \.sums.longestDelay),
        ]
        return ReportTable([""] + records.map(\.mode.rawValue), rows: rows)
    }
}

/// Formats a number with commas between groups of three digits.
func grouped(_ number: UInt64) -> String { FigureText.grouped(Int(clamping: number)) }
