internal import Foundation
internal import WidgetTimelines

/// The columns of a grid, whose widths are those of its widest cells.
struct GridColumns {
    let rows: [[Box]]
    private let spacing: CGFloat
    private let widths: [CGFloat]
    /// How a column is aligned, if one of its cells says it.
    private let alignments: [HorizontalAlignment?]

    /// A cell: its box, where it begins, and how wide it is.
    struct Cell {
        let box: Box
        let start: CGFloat
        let width: CGFloat
        let alignment: HorizontalAlignment?
    }

    /// The width of all columns with the room between them.
    var width: CGFloat { width(from: 0, count: widths.count) }

    init(_ rows: [[Box]], spacing: CGFloat, in room: CGFloat?) {
        self.rows = rows
        self.spacing = spacing
        let count = rows.map { $0.reduce(0) { $0 + $1.columns } }.max() ?? 0
        // Views of several columns do not decide how wide those are.
        let columns = (0..<count).map { column in
            rows.compactMap { Self.cell(of: $0, at: column) }
        }
        func width(_ column: Int, offer: CGFloat?) -> CGFloat {
            columns[column].map { $0.size(Proposal(width: offer, height: nil)).width }.max() ?? 0
        }
        let offers = Proposal.shares(
            of: room.map { max(0, $0 - spacing * CGFloat(max(0, count - 1))) },
            priorities: columns.map { _ in 0 },
            length: width
        )
        widths = columns.indices.map { width($0, offer: offers[$0]) }
        alignments = columns.map { $0.lazy.compactMap(\.columnAlignment).first }
    }

    private static func cell(of row: [Box], at column: Int) -> Box? {
        var place = 0
        for box in row {
            if place == column { return box.columns == 1 && !box.isWholeRow ? box : nil }
            place += box.columns
        }
        return nil
    }

    private func width(from start: Int, count: Int) -> CGFloat {
        let columns = widths[start..<min(widths.count, start + count)]
        return columns.reduce(0, +) + spacing * CGFloat(max(0, columns.count - 1))
    }

    /// The cells of a row; one without a row is as wide as all columns.
    func cells(of row: Int) -> [Cell] {
        var column = 0
        return rows[row].map { box in
            defer { column += box.columns }
            return Cell(
                box: box,
                start: column == 0 ? 0 : width(from: 0, count: column) + spacing,
                width: width(from: column, count: box.isWholeRow ? widths.count : box.columns),
                alignment: box.isWholeRow ? nil : alignments[column]
            )
        }
    }
}
