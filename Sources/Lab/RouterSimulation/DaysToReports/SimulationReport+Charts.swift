internal import Basics
internal import LoadReporting

/// The plots of the report: the origin's requests per second in each mode, and a zoom on the
/// busiest date.
extension SimulationReport {
    /// How much time the zoom shows before and after the busiest date, in s.
    private static var before: Int { 60 }
    private static var after: Int { 1_140 }

    var charts: [Chart] { records.map(day) + [zoom].compactMap { $0 } }

    private func color(_ mode: SpreadPolicy.Mode) -> PlotColor {
        switch mode {
        case .none: .red
        case .uniform: .amber
        case .ledger: .blue
        }
    }

    private func name(_ mode: SpreadPolicy.Mode) -> String {
        switch mode {
        case .none: "none: at the date itself"
        case .uniform: "uniform: at random within the window"
        case .ledger: "ledger: in the origin's slots"
        }
    }

    /// The axis of requests, the same in all plots.
    private var rates: PlotAxis {
        let largest = max(records.map(\.peak).max() ?? 0, UInt32(originRate))
        return .powersOfTen(to: Double(largest), title: "requests/s, log scale")
    }

    private func addRate(to chart: inout Chart) {
        chart.addLevel(
            "the origin's rate, \(grouped(UInt64(originRate)))/s",
            at: Double(originRate)
        )
    }

    /// The whole record, minute by minute.
    private func day(_ record: DayRecord) -> Chart {
        let hours = record.requests.count / 3_600
        let every = hours <= 6 ? 1 : hours <= 36 ? 3 : 24
        let marks = stride(from: 0, through: hours, by: every).map { hour in
            let text = SimulatedTime.text(time(hour * 3_600))
            return (
                value: Double(hour),
                text: String(hours <= 36 ? text.dropFirst(4).prefix(5) : text.prefix(3))
            )
        }
        let busiest = SimulatedTime.text(time(record.busiest)).dropLast(4)
        var chart = Chart(
            name(record.mode),
            x: PlotAxis(range: 0...max(1, Double(hours)), marks: marks),
            y: rates,
            note: "busiest second \(grouped(UInt64(record.peak))) at \(busiest)"
        )
        let minutes = record.minutes
        chart.addSteps(
            "each minute's busiest second",
            of: minutes.map { Double($0.peak) },
            color: color(record.mode),
            style: .area
        )
        chart.addSteps("its mean", of: minutes.map { Double($0.sum) / 60 }, color: .ink)
        addRate(to: &chart)
        return chart
    }

    /// Every second around the busiest date, one curve for each mode.
    private var zoom: Chart? {
        guard let first = records.first else { return nil }
        let busiest = first.busiest / 60 * 60
        let begin = max(0, busiest - Self.before)
        let end = min(first.requests.count, busiest + Self.after)
        let marks = stride(from: begin, through: end, by: 120).map { second in
            let text = SimulatedTime.text(time(second)).dropFirst(4).prefix(5)
            return (value: Double(second), text: String(text))
        }
        var chart = Chart(
            "The busiest date, \(SimulatedTime.text(time(busiest)).prefix(9)), by the second",
            x: PlotAxis(range: Double(begin)...Double(end), marks: marks),
            y: rates
        )
        for record in records {
            chart.addSteps(
                record.mode.rawValue,
                of: record.requests[begin..<end].map(Double.init),
                color: color(record.mode)
            )
        }
        addRate(to: &chart)
        return chart
    }
}
