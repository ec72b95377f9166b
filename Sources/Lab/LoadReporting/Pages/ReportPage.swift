internal import Basics
internal import CLabFiles
internal import Foundation
internal import Platform

/// The results of a run for people: as text for a terminal, and as a page with plots.
package struct ReportPage: Sendable {
    let title: String
    let subtitle: String
    /// Lines below the subtitle: where the report is from, and what has to be known of it.
    let notes: [String]
    let charts: [Chart]
    let tables: [ReportTable]

    /// Makes a page.
    package init(
        title: String,
        subtitle: String,
        notes: [String] = [],
        charts: [Chart],
        tables: [ReportTable]
    ) {
        self.title = title
        self.subtitle = subtitle
        self.notes = notes
        self.charts = charts
        self.tables = tables
    }

    // MARK: - Text

    /// Aligned text with units and without colours.
    package var text: String {
        let head = ([title, subtitle] + notes).joined(separator: "\n") + "\n"
        return ([head] + tables.map(\.text)).joined(separator: "\n")
    }

    // MARK: - HTML

    /// The page as one file that loads nothing from anywhere: the text of Chart.js becomes a part
    /// of it. Without that, the page shows numbers without plots, and says so.
    package func html(library: String? = ReportPage.installedLibrary) -> String {
        let shown = library == nil ? [] : charts
        let plots =
            library == nil && !charts.isEmpty
            ? ["<p>Without plots: no Chart.js where this was written (Debian: libjs-chart.js).</p>"]
            : shown.map(\.figure)
        let content = [
            "<h1>\(title.escaped)</h1>\n<p>\(subtitle.escaped)."
                + notes.map { "<br>\n\($0.escaped)" }.joined() + "</p>",
            plots.joined(separator: "\n"),
            tables.filter(\.isWide).map(\.html).joined(separator: "\n"),
            "<div class=\"tables\">", tables.filter { !$0.isWide }.map(\.html).joined(), "</div>",
        ]
        return Self.filled([
            "title": title.escaped,
            "colors": PlotColor.styles,
            "content": content.joined(separator: "\n"),
            // A script ends at the first such tag, wherever it stands.
            "library": (library ?? "").replacingOccurrences(of: "</script", with: "<\\/script"),
            "charts": Self.json(shown.filter { !$0.isEmpty }),
        ])
    }

    /// Chart.js as this machine has it; nil if it is not installed.
    package static var installedLibrary: String? {
        FileManager.default.contents(atPath: ChartLibrary.path)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private static func json(_ charts: [Chart]) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(charts) else {
            preconditionFailure("an axis ends at a number that JSON does not have")
        }
        // No text may look like a tag, which could end the script.
        return String(decoding: data, as: UTF8.self).replacingOccurrences(of: "<", with: "\\u003c")
    }

    /// The file `report.html` with values in the places of their names.
    private static func filled(_ values: [String: String]) -> String {
        let parts = String(decoding: report_html.copy, as: UTF8.self).components(separatedBy: "{{")
        var text = parts[0]
        for part in parts.dropFirst() {
            let end = part.range(of: "}}")!
            text += values[String(part[..<end.lowerBound])]! + part[end.upperBound...]
        }
        return text
    }
}
