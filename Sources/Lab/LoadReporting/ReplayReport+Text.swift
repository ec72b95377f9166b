import RouterMetrics

/// The report as text for a terminal, and what text and page share.
extension ReplayReport {
    /// Aligned text with units and without colours.
    package var text: String {
        let lines =
            [heading, subheading, ""] + TextColumns.lines(latencies, nameWidth: 10) + [""]
            + sections.flatMap { Self.lines($0) + [""] } + curveLines
        return lines.map(TextColumns.withoutTrailingSpaces).joined(separator: "\n") + "\n"
    }

    /// What was replayed.
    var heading: String { capture.joined(separator: ", ") }

    /// How it was replayed: speed, connections, duration, and what latencies count from.
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
            + (wasInterrupted == true ? "; interrupted by a signal" : "")
    }

    /// The measured latencies with their names.
    var latencies: [(name: String, summary: LatencySummary)] {
        [("ACK", acknowledgement), ("RELOAD", reload), ("lateness", lateness)]
    }

    private static func lines(_ section: ReportSection) -> [String] {
        [section.title]
            + section.rows.map { row in
                "  " + TextColumns.left(row.name, width: 26)
                    + TextColumns.right(row.value, width: 14)
                    + (row.note.isEmpty ? "" : "  \(row.note)")
            }
    }

    private var curveLines: [String] {
        [
            ("intended/s", series.intended), ("sent/s", series.sent),
            ("acknowledged/s", series.acknowledged), ("reloads/s", series.reloads),
        ].map { name, values in
            TextColumns.left(name, width: 16) + Sparkline(values).text(width: 48)
                + "  peak \(FigureText.grouped(values.max() ?? 0))"
        }
    }
}
