import RouterMetrics

/// Compares two replays, row by row, for `replay --compare`.
package struct ReplayComparison: Sendable {
    private struct Row {
        let name: String
        let value: String
        let other: String
        /// This run's value divided by the other's; empty where one of them is 0.
        let ratio: String
    }

    private let run: ReplayReport
    private let other: ReplayReport
    private let name: String

    /// - Parameters:
    ///   - run: the replay of this command.
    ///   - other: the replay to compare it with.
    ///   - name: the name of the other replay, for the head of its column.
    package init(_ run: ReplayReport, with other: ReplayReport, named name: String) {
        self.run = run
        self.other = other
        self.name = name
    }

    private var rows: [Row] {
        var rows = [
            rate("intended", of: \.pushes.intendedPerSecond),
            rate("sent", of: \.pushes.sentPerSecond),
            rate("acknowledged", of: \.pushes.acknowledgedPerSecond),
        ]
        for (what, summary) in [
            ("ACK", \ReplayReport.acknowledgement), ("RELOAD", \.reload), ("lateness", \.lateness),
        ] {
            rows += [
                time("\(what), p50", of: summary, at: \.p50),
                time("\(what), p99", of: summary, at: \.p99),
                time("\(what), p99.9", of: summary, at: \.p999),
                time("\(what), max", of: summary, at: \.max),
            ]
        }
        rows += [
            count("matched widgets", of: \.pushes.matched),
            count("widgets reloaded", of: \.reloads.widgets),
            count("rejected", of: \.pushes.rejected),
            count("unanswered", of: \.pushes.unanswered),
            count("connections lost", of: \.connectionsLost),
        ]
        if let cost = run.cost.routerCPUSeconds, let before = other.cost.routerCPUSeconds {
            rows.append(
                row("router CPU", value: cost, other: before) { FigureText.seconds($0) }
            )
        }
        return rows
    }

    private func row(
        _ name: String,
        value: Double,
        other: Double,
        text: (Double) -> String
    ) -> Row {
        let ratio = other > 0 && value > 0 ? FigureText.short(value / other) : ""
        return Row(name: name, value: text(value), other: text(other), ratio: ratio)
    }

    private func rate(_ name: String, of path: KeyPath<ReplayReport, Double>) -> Row {
        row(name, value: run[keyPath: path], other: other[keyPath: path], text: FigureText.rate)
    }

    private func count(_ name: String, of path: KeyPath<ReplayReport, Int>) -> Row {
        row(name, value: Double(run[keyPath: path]), other: Double(other[keyPath: path])) {
            FigureText.grouped(Int($0))
        }
    }

    private func time(
        _ name: String,
        of summary: KeyPath<ReplayReport, LatencySummary>,
        at percentile: KeyPath<LatencySummary, Double>
    ) -> Row {
        let path = summary.appending(path: percentile)
        return row(name, value: run[keyPath: path], other: other[keyPath: path]) {
            $0 == 0 ? "–" : FigureText.milliseconds($0)
        }
    }

    /// A table for a terminal.
    package var text: String {
        let width = max(14, name.count + 2)
        let head = [
            TextColumns.left("", width: 20), TextColumns.right("this run", width: 14),
            TextColumns.right(name, width: width), TextColumns.right("ratio", width: 9),
        ]
        let lines = rows.map { row in
            TextColumns.left(row.name, width: 20) + TextColumns.right(row.value, width: 14)
                + TextColumns.right(row.other, width: width)
                + TextColumns.right(row.ratio, width: 9)
        }
        return ([head.joined()] + lines).map(TextColumns.withoutTrailingSpaces)
            .joined(separator: "\n") + "\n"
    }

    /// A table for the page.
    var html: String {
        let head = ["", "this run", name, "ratio"].map { "<th scope=\"col\">\($0.escaped)</th>" }
        let body = rows.map { row in
            "<tr><th scope=\"row\">\(row.name)</th><td>\(row.value)</td><td>\(row.other)</td>"
                + "<td>\(row.ratio)</td></tr>"
        }
        return "<section class=\"wide\"><h2>Beside \(name.escaped)</h2><table><thead><tr>"
            + "\(head.joined())</tr></thead><tbody>\(body.joined())</tbody></table></section>"
    }
}
