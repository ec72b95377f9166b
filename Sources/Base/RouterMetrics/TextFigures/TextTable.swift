/// Columns of text, as wide as they need be.
package enum TextTable {
    /// - Parameters:
    ///   - rows: all of the same length, the header first.
    ///   - numbers: columns that are set to the right.
    ///   - width: how many columns of a screen a cell takes.
    /// - Returns: a line for each row.
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
