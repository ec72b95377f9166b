/// Columns of text, as wide as they need be.
package enum TextTable {
    /// - Parameters:
    ///   - rows: all of the same length, the header first.
    ///   - numbers: columns that are set to the right.
    /// - Returns: a line for each row.
    package static func text(_ rows: [[String]], numbers: Set<Int>) -> String {
        let widths = (rows.first ?? []).indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        var text = ""
        for row in rows {
            var line = ""
            for (column, cell) in row.enumerated() {
                let space = String(repeating: " ", count: widths[column] - cell.count)
                line += (numbers.contains(column) ? space + cell : cell + space) + "  "
            }
            while line.last == " " { line.removeLast() }
            text += line + "\n"
        }
        return text
    }
}
