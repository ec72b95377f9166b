import Basics

/// A table of a report, with several values for each name.
package struct ReportTable: Sendable {
    let columns: [String]
    let rows: [[String]]

    /// Makes a table; the head of the first column is its title, and rows begin with their names.
    package init(_ columns: [String], rows: [[String]]) {
        assert(rows.allSatisfy { $0.count == columns.count }, "a row has no value for a column")
        self.columns = columns
        self.rows = rows
    }

    /// A table of distributions of latencies.
    init(_ latencies: [NamedLatency]) {
        self.init(
            ["Latency"] + LatencySummary.columns,
            rows: latencies.map { [$0.name] + $0.summary.cells }
        )
    }

    /// The table for a terminal.
    var text: String { TextTable.text([columns] + rows, numbers: Set(columns.indices.dropFirst())) }

    /// The table for a page.
    var html: String {
        let head = columns.map { "<th scope=\"col\">\($0.escaped)</th>" }.joined()
        let body = rows.map { row in
            "<tr><th scope=\"row\">\(row[0].escaped)</th>"
                + row.dropFirst().map { "<td>\($0.escaped)</td>" }.joined() + "</tr>"
        }
        return "<section class=\"wide\"><table><thead><tr>\(head)</tr></thead>"
            + "<tbody>\(body.joined())</tbody></table></section>"
    }
}

/// A distribution of latencies, and what reports call it.
typealias NamedLatency = (name: String, summary: LatencySummary)

/// A group of figures of a report: names and values under a title.
struct ReportSection: Sendable {
    /// A name and its value.
    struct Row: Sendable {
        let name: String
        let value: String
        /// A second value that puts the first one in relation, such as its share in per cent.
        let note: String

        init(_ name: String, value: String, note: String = "") {
            self.name = name
            self.value = value
            self.note = note
        }

        init(_ name: String, count: Int, note: String = "") {
            self.init(name, value: FigureText.grouped(count), note: note)
        }
    }

    let title: String
    let rows: [Row]

    /// A row for each code, in alphabetical order.
    static func rows(byCode counts: [String: Int]) -> [Row] {
        counts.sorted { $0.key < $1.key }.map { Row("  " + $0.key, count: $0.value) }
    }

    /// A row for each cause of reloads, the most frequent first.
    static func rows(byCause counts: [String: Int]) -> [Row] {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { Row("cause \($0.key)", count: $0.value) }
    }

    /// The section for a terminal.
    var text: String {
        title + "\n"
            + TextTable.text(rows.map { ["  " + $0.name, $0.value, $0.note] }, numbers: [1])
    }

    /// The section for a page.
    var html: String {
        let rows = rows.map { row in
            let note = row.note.isEmpty ? "" : "<small>\(row.note.escaped)</small> "
            return "<tr><th scope=\"row\">\(row.name.escaped)</th>"
                + "<td>\(note)\(row.value.escaped)</td></tr>"
        }
        return "<section><h2>\(title.escaped)</h2><table>\(rows.joined())</table></section>"
    }
}
