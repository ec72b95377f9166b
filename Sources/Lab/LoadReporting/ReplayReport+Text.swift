import TextFigures

/// The report for a terminal, and what text and page have in common.
extension ReplayReport {
    /// Aligned, with units, without colour.
    package var text: String {
        let lines =
            [heading, subheading, ""] + latencyLines + [""]
            + sections.flatMap { Self.lines($0) + [""] } + curveLines
        return lines.map(TextColumns.withoutTrailingSpaces).joined(separator: "\n") + "\n"
    }

    /// What was replayed.
    var heading: String { capture.joined(separator: ", ") }

    /// How.
    var subheading: String {
        let rounds = loops > 1 ? ", \(loops) times" : ""
        let copies = scale > 1 ? ", \(scale) copies of everything" : ""
        let loop =
            isOpenLoop
            ? "open loop, latency from the intended time"
            : "closed loop, latency "
                + "from the time of sending"
        return
            "speed \(speed)\(rounds)\(copies); \(FigureText.grouped(publishers)) connections push, "
            + "\(FigureText.grouped(gateways)) receive; \(FigureText.seconds(seconds)); \(loop)"
    }

    /// What is measured, with its names.
    var latencies: [(name: String, summary: LatencySummary)] {
        [("ACK", acknowledgement), ("RELOAD", reload), ("lateness", lateness)]
    }

    private var latencyLines: [String] {
        let columns = ["count", "p50", "p90", "p99", "p99.9", "max"]
        let head = TextColumns.left("", 10) + columns.map { TextColumns.right($0, 12) }.joined()
        return [head]
            + latencies.map { name, summary in
                let values = [summary.p50, summary.p90, summary.p99, summary.p999, summary.max]
                let cells =
                    [FigureText.grouped(summary.count)]
                    + values.map { summary.count == 0 ? "–" : FigureText.milliseconds($0) }
                return TextColumns.left(name, 10) + cells.map { TextColumns.right($0, 12) }.joined()
            }
    }

    private static func lines(_ section: ReportSection) -> [String] {
        [section.title]
            + section.rows.map { row in
                "  " + TextColumns.left(row.name, 26) + TextColumns.right(row.value, 14)
                    + (row.note.isEmpty ? "" : "  \(row.note)")
            }
    }

    private var curveLines: [String] {
        [
            ("intended/s", series.intended), ("sent/s", series.sent),
            ("acknowledged/s", series.acknowledged), ("reloads/s", series.reloads),
        ].map { name, values in
            TextColumns.left(name, 16) + Sparkline(values).text(width: 48)
                + "  peak \(FigureText.grouped(values.max() ?? 0))"
        }
    }
}

/// Columns of text.
enum TextColumns {
    static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    static func withoutTrailingSpaces(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }
}
