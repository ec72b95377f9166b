import RouterMetrics

/// The report as text for a terminal.
extension FleetReport {
    /// The width of the summary in columns.
    package static var textWidth: Int { 78 }

    /// Aligned text with units and without colours.
    package var text: String {
        let lines =
            [heading, subheading, ""]
            + TextColumns.lines(latencies, nameWidth: 16) + [""]
            + sectionLines + untoldLines + causeLines + [""]
            + curveLines
        return lines.map(TextColumns.withoutTrailingSpaces).joined(separator: "\n") + "\n"
    }

    /// What was run.
    var heading: String { "\(scenario): \(bundle) of \(app)" }

    /// How it was run: the sizes, the duration and the seed.
    var subheading: String {
        "\(FigureText.grouped(devices)) devices, \(FigureText.grouped(widgets)) widgets, "
            + "\(FigureText.grouped(connections)) connections, "
            + "\(FigureText.seconds(seconds)) \(mode == .real ? "by the clock" : "accelerated"), "
            + "seed \(seed)" + (wasInterrupted == true ? "; interrupted by a signal" : "")
    }

    /// The two latencies with their names.
    var latencies: [(name: String, summary: LatencySummary)] {
        [("push to reload", pushToReload), ("push to screen", pushToRendered)]
    }

    /// The sections, two side by side.
    private var sectionLines: [String] {
        let blocks = sections.map(Self.lines)
        return stride(from: 0, to: blocks.count, by: 2).flatMap { index -> [String] in
            let left = blocks[index]
            let right = index + 1 < blocks.count ? blocks[index + 1] : []
            let lines = (0..<max(left.count, right.count)).map { line -> String in
                let start = line < left.count ? left[line] : ""
                let end = line < right.count ? right[line] : ""
                return TextColumns.left(start, width: Self.textWidth / 2) + end
            }
            return lines + [""]
        }
    }

    private static func lines(_ section: ReportSection) -> [String] {
        [section.title]
            + section.rows.map { row in
                "  " + TextColumns.left(row.name, width: 20)
                    + TextColumns.right(row.value, width: 12)
            }
    }

    private var untoldLines: [String] {
        guard let section = untoldSection else { return [] }
        let rows = section.rows.map { row in
            "  " + TextColumns.left(row.name, width: 26) + TextColumns.right(row.value, width: 8)
                + (row.note.isEmpty ? "" : "  \(row.note)")
        }
        return [section.title] + rows + [""]
    }

    private var causeLines: [String] {
        let causes = causes
        if causes.isEmpty { return [] }
        return [
            "Causes",
            "  "
                + causes.map { "\($0.name) \(FigureText.grouped($0.count))" }
                .joined(separator: "   "),
        ]
    }

    private var curveLines: [String] {
        let width = Self.textWidth - 32
        return [
            ("pushes a second", series.pushes),
            ("reloads a second", series.reloads),
            ("origin requests", series.originRequests),
            ("origin refusals", series.originRefused),
        ].map { name, values in
            let peak = "peak \(FigureText.grouped(values.max() ?? 0))"
            return TextColumns.left(name, width: 18) + Sparkline(values).text(width: width) + "  "
                + peak
        }
    }
}
