import Basics

/// A table of a report: the names of values, with one value for each or several.
package struct ReportTable: Sendable {
    let columns: [String]
    let rows: [[String]]
    /// Whether it takes the page's whole width; the others stand side by side.
    private(set) var isWide = true

    /// Makes a table; the head of the first column is its title, and rows begin with their names.
    package init(_ columns: [String], rows: [[String]]) {
        assert(rows.allSatisfy { $0.count == columns.count }, "a row has no value for a column")
        self.columns = columns
        self.rows = rows
    }

    /// A table of distributions of latencies, of which those below `resolution` ms are alike.
    init(_ latencies: [NamedLatency], resolution: Double = 0) {
        self.init(
            ["Latency"] + LatencySummary.columns,
            rows: latencies.map { [$0.name] + $0.summary.cells(resolution: resolution) }
        )
    }

    /// Runs side by side: a row for each number that all of them have. For two runs it ends with
    /// the ratio of the first number to the second, unless one of them is 0.
    init(beside title: String, runs: [(name: String, figures: [ReportFigure])]) {
        let hasRatio = runs.count == 2
        let rows = (runs.first?.figures ?? []).compactMap { figure -> [String]? in
            let figures = runs.compactMap { run in
                run.figures.first { $0.part == figure.part && $0.name == figure.name }
            }
            let numbers = figures.compactMap(\.number)
            if numbers.count < runs.count { return nil }
            let isBoth = hasRatio && numbers.allSatisfy { $0 > 0 }
            let ratio = isBoth ? FigureText.short(numbers[0] / numbers[1]) : ""
            return ["\(figure.part), \(figure.name)"] + figures.map(\.text)
                + (hasRatio ? [ratio] : [])
        }
        self.init([title] + runs.map(\.name) + (hasRatio ? ["ratio"] : []), rows: rows)
    }

    /// A table for each part of a report, with its figures.
    static func parts(of figures: [ReportFigure]) -> [ReportTable] {
        var parts: [(name: String, rows: [[String]])] = []
        for figure in figures {
            let row = ["  " + figure.name, figure.text]
            if let index = parts.firstIndex(where: { $0.name == figure.part }) {
                parts[index].rows.append(row)
            } else {
                parts.append((figure.part, [row]))
            }
        }
        return parts.map { part in
            var table = ReportTable([part.name, ""], rows: part.rows)
            table.isWide = false
            return table
        }
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
        return "<section\(isWide ? " class=\"wide\"" : "")><table><thead><tr>\(head)</tr></thead>"
            + "<tbody>\(body.joined())</tbody></table></section>"
    }
}

/// A distribution of latencies, and what reports call it.
typealias NamedLatency = (name: String, summary: LatencySummary)
