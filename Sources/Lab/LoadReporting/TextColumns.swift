/// Aligns text in columns, by counting characters.
enum TextColumns {
    /// Pads a text on its right.
    static func left(_ text: String, width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Pads a text on its left.
    static func right(_ text: String, width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// A header, and a line for each distribution of latencies.
    static func lines(
        _ latencies: [(name: String, summary: LatencySummary)],
        nameWidth: Int
    ) -> [String] {
        ([("", LatencySummary.columns)] + latencies.map { ($0.name, $0.summary.cells) }).map {
            left($0, width: nameWidth) + $1.map { right($0, width: 12) }.joined()
        }
    }

    static func withoutTrailingSpaces(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }
}
