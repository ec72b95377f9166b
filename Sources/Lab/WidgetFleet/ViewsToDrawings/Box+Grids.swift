internal import Foundation
internal import WidgetTimelines

extension Box {
    func grid(
        _ rows: [[Box]],
        alignment: Alignment,
        spacing: CGSize,
        proposal: Proposal
    ) -> Arrangement {
        let columns = GridColumns(rows, spacing: spacing.width, in: proposal.width)
        let gaps = spacing.height * CGFloat(max(0, rows.count - 1))
        let heights = Proposal.shares(
            of: proposal.height.map { max(0, $0 - gaps) },
            priorities: rows.map { _ in 0 }
        ) { row, offer in
            columns.cells(of: row).map {
                $0.box.size(Proposal(width: $0.width, height: offer)).height
            }
            .max() ?? 0
        }
        var arrangement = Arrangement(size: CGSize(width: columns.width, height: 0))
        for row in rows.indices {
            if row > 0 { arrangement.size.height += spacing.height }
            let cells = columns.cells(of: row)
            let offers = cells.map { Proposal(width: $0.width, height: heights[row]) }
            let height = zip(cells, offers).map { $0.box.size($1).height }.max() ?? 0
            for (cell, offer) in zip(cells, offers) {
                var alignment = alignment
                if let side = cell.alignment { alignment.horizontal = side }
                let size = CGSize(width: cell.width, height: height)
                var part = framing(cell.box, inner: offer, size: size, alignment: alignment).parts[
                    0
                ]
                part.origin.x += cell.start
                part.origin.y += arrangement.size.height
                arrangement.parts.append(part)
            }
            arrangement.size.height += height
        }
        return arrangement
    }

    func tracks(
        _ boxes: [Box],
        axis: Axis,
        items: [GridItem],
        alignment: Alignment,
        spacing: CGFloat,
        proposal: Proposal
    ) -> Arrangement {
        let across = axis.other
        let room = proposal[across] ?? boxes.map { $0.size(.ideal)[across] * 2 }.max() ?? 0
        let lengths = Self.lengths(of: items, in: room)
        guard !lengths.isEmpty else { return Arrangement(size: .zero) }
        var arrangement = Arrangement(size: .zero)
        arrangement.size[across] = lengths.last.map { $0.start + $0.length } ?? 0
        var place: CGFloat = 0
        for start in stride(from: 0, to: boxes.count, by: lengths.count) {
            let row = boxes[start..<min(boxes.count, start + lengths.count)]
            let offers = lengths.map { Proposal.ideal.with($0.length, axis: across) }
            let most = zip(row, offers).map { $0.size($1)[axis] }.max() ?? 0
            for (box, (track, offer)) in zip(row, zip(lengths, offers)) {
                var size = CGSize.zero
                size[axis] = most
                size[across] = track.length
                var part = framing(
                    box,
                    inner: offer,
                    size: size,
                    alignment: track.alignment ?? alignment
                ).parts[0]
                part.origin.x += axis == .vertical ? track.start : place
                part.origin.y += axis == .vertical ? place : track.start
                arrangement.parts.append(part)
            }
            place += most + spacing
        }
        arrangement.size[axis] = max(0, place - spacing)
        return arrangement
    }

    private typealias Track = (start: CGFloat, length: CGFloat, alignment: Alignment?)

    /// The columns, or rows, of items in a room.
    private static func lengths(of items: [GridItem], in room: CGFloat) -> [Track] {
        let gaps = items.dropLast().reduce(0) { $0 + ($1.spacing ?? usualSpacing) }
        let fixed = items.reduce(0) { sum, item in
            if case .fixed(let length) = item.size { return sum + length }
            return sum
        }
        let others = items.count { if case .fixed = $0.size { false } else { true } }
        let share = max(0, room - gaps - fixed) / CGFloat(max(1, others))
        var tracks: [Track] = []
        var start: CGFloat = 0
        for item in items {
            let gap = item.spacing ?? usualSpacing
            switch item.size {
            case .fixed(let length):
                tracks.append((start, length, item.alignment))
                start += length + gap
            case .flexible(let least, let most):
                let length = max(least, min(most, share))
                tracks.append((start, length, item.alignment))
                start += length + gap
            case .adaptive(let least, let most):
                let count = max(1, Int((share + gap) / max(1, least + gap)))
                let length = min(most, (share - gap * CGFloat(count - 1)) / CGFloat(count))
                for _ in 0..<count {
                    tracks.append((start, length, item.alignment))
                    start += length + gap
                }
            }
        }
        return tracks
    }
}
