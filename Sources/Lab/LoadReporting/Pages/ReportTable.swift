import Basics

/// A table of a report, with several values for each name.
package struct ReportTable: Sendable {
    let columns: [String]
    let rows: [[String]]

    /// Makes a table of rows that are as long as the first.
    ///
    /// - Parameters:
    ///   - columns: the heads of the columns; the first one is the title of the table.
    ///   - rows: the names of the rows, each with its values.
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
