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

    package init(_ run: ReplayReport, with other: ReplayReport, named name: String) {
        self.run = run
        self.other = other
        self.name = name
    }

    private var rows: [Row] {
        var rows = [
            rate("intended", \.pushes.intendedPerSecond),
            rate("sent", \.pushes.sentPerSecond),
            rate("acknowledged", \.pushes.acknowledgedPerSecond),
        ]
        for (what, summary) in [
            ("ACK", \ReplayReport.acknowledgement), ("RELOAD", \.reload), ("lateness", \.lateness),
        ] {
            rows += [
                time("\(what), p50", summary, \.p50), time("\(what), p99", summary, \.p99),
                time("\(what), p99.9", summary, \.p999), time("\(what), max", summary, \.max),
            ]
        }
        rows += [
            count("matched widgets", \.pushes.matched),
            count("widgets reloaded", \.reloads.widgets),
            count("rejected", \.pushes.rejected),
            count("unanswered", \.pushes.unanswered),
            count("connections lost", \.connectionsLost),
        ]
        if let cost = run.cost.routerCPUSeconds, let before = other.cost.routerCPUSeconds {
            rows.append(
                row("router CPU", cost, before) { FigureText.seconds($0) }
            )
        }
        return rows
    }

    private func row(
        _ name: String,
        _ value: Double,
        _ other: Double,
        _ text: (Double) -> String
    ) -> Row {
        let ratio = other > 0 && value > 0 ? FigureText.short(value / other) : ""
        return Row(name: name, value: text(value), other: text(other), ratio: ratio)
    }

    private func rate(_ name: String, _ path: KeyPath<ReplayReport, Double>) -> Row {
        row(name, run[keyPath: path], other[keyPath: path], FigureText.rate)
    }

    private func count(_ name: String, _ path: KeyPath<ReplayReport, Int>) -> Row {
        row(name, Double(run[keyPath: path]), Double(other[keyPath: path])) {
            FigureText.grouped(Int($0))
        }
    }

    private func time(
        _ name: String,
        _ summary: KeyPath<ReplayReport, LatencySummary>,
        _ percentile: KeyPath<LatencySummary, Double>
    ) -> Row {
        let path = summary.appending(path: percentile)
        return row(name, run[keyPath: path], other[keyPath: path]) {
            $0 == 0 ? "–" : FigureText.milliseconds($0)
        }
    }

    /// A table for a terminal.
    package var text: String {
        let width = max(14, name.count + 2)
        let head = [
            TextColumns.left("", 20), TextColumns.right("this run", 14),
            TextColumns.right(name, width), TextColumns.right("ratio", 9),
        ]
        let lines = rows.map { row in
            TextColumns.left(row.name, 20) + TextColumns.right(row.value, 14)
                + TextColumns.right(row.other, width) + TextColumns.right(row.ratio, 9)
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
