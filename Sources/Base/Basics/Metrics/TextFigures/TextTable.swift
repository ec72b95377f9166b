/// A table of text whose columns are as wide as their longest cell.
package enum TextTable {
    /// The text of a table, a line without trailing spaces for each row: all rows are of the same
    /// length, the header first; `numbers` are the indices of columns that are right-aligned, and
    /// `width` says how many columns of the screen a text takes.
    package static func text(
        _ rows: [[String]],
        numbers: Set<Int>,
        width: (String) -> Int = { $0.count }
    ) -> String {
        let widths = (rows.first ?? []).indices.map { column in
            rows.map { width($0[column]) }.max() ?? 0
        }
        var text = ""
        for row in rows {
            var line = ""
            for (column, cell) in row.enumerated() {
                let space = String(repeating: " ", count: widths[column] - width(cell))
                line += (numbers.contains(column) ? space + cell : cell + space) + "  "
            }
            while line.last == " " { line.removeLast() }
            text += line + "\n"
        }
        return text
    }
}
