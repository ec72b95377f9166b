internal import Foundation
internal import WidgetTimelines

extension Box {
    /// How thick a divider is.
    private static var dividerWidth: CGFloat { 0.5 }

    func arrange(_ proposal: Proposal) -> Arrangement {
        switch content {
        case .text(let block): return Arrangement(size: block.size(block.lines(in: proposal)))
        case .symbol(_, let side), .picture(_, let side):
            let square = side.map { CGSize(width: $0, height: $0) }
            return Arrangement(size: square ?? proposal.filled(style.symbolSide))
        case .area: return Arrangement(size: proposal.filled())
        case .spacer(let least):
            var size = CGSize.zero
            // Outside of a stack, it takes all room.
            for axis in style.axis.map({ [$0] }) ?? [.horizontal, .vertical] {
                size[axis] = max(least, proposal[axis] ?? least)
            }
            return Arrangement(size: size)
        case .divider:
            var size = proposal.filled()
            size[style.axis ?? .vertical] = Self.dividerWidth
            return Arrangement(size: size)
        case .line(let axis, let alignment, let spacing, let boxes):
            return line(
                boxes,
                along: axis,
                alignment: alignment,
                spacing: spacing,
                proposal: proposal
            )
        case .layers(let alignment, let boxes):
            return layers(boxes, alignment: alignment, proposal: proposal)
        case .grid(let rows, let alignment, let spacing):
            return grid(rows, alignment: alignment, spacing: spacing, proposal: proposal)
        case .tracks(let axis, let items, let alignment, let spacing, let boxes):
            return tracks(
                boxes,
                axis: axis,
                items: items,
                alignment: alignment,
                spacing: spacing,
                proposal: proposal
            )
        case .beside(let box, let other, let alignment, let isInFront):
            return beside(
                box,
                other: other,
                alignment: alignment,
                isInFront: isInFront,
                proposal: proposal
            )
        case .sized(let make):
            let size = proposal.filled()
            return Arrangement(
                size: size,
                parts: [.init(box: make(size), origin: .zero, proposal: Proposal(size))]
            )
        case .fitting(let boxes, let axes): return fitting(boxes, axes: axes, proposal: proposal)
        default: return changed(proposal)
        }
    }

    /// An arrangement of one part, that is offered something else, or is elsewhere.
    private func changed(_ proposal: Proposal) -> Arrangement {
        switch content {
        case .padded(let box, let insets):
            let (x, y) = (insets.leading + insets.trailing, insets.top + insets.bottom)
            let inner = Proposal(
                width: proposal.width.map { $0 - x },
                height: proposal.height.map { $0 - y }
            )
            let size = box.size(inner)
            return Arrangement(
                size: CGSize(width: max(0, size.width + x), height: max(0, size.height + y)),
                parts: [
                    .init(
                        box: box,
                        origin: CGPoint(x: insets.leading, y: insets.top),
                        proposal: inner
                    )
                ]
            )
        case .framed(let box, let width, let height, let alignment):
            let inner = Proposal(width: width ?? proposal.width, height: height ?? proposal.height)
            let size = box.size(inner)
            let own = CGSize(width: width ?? size.width, height: height ?? size.height)
            return framing(box, inner: inner, size: own, alignment: alignment)
        case .bounded(let box, let least, let most, let alignment):
            return bounded(box, least: least, most: most, alignment: alignment, proposal: proposal)
        case .ratio(let box, let ratio, let isFilling):
            let inner = Self.proposal(proposal, ratio: ratio, of: box, isFilling: isFilling)
            return whole(box, proposal: inner)
        case .fixed(let box, let axes):
            return whole(
                box,
                proposal: Proposal(
                    width: axes.contains(.horizontal) ? nil : proposal.width,
                    height: axes.contains(.vertical) ? nil : proposal.height
                )
            )
        case .moved(let box, let offset):
            var arrangement = whole(box, proposal: proposal)
            arrangement.parts[0].origin = CGPoint(x: offset.width, y: offset.height)
            return arrangement
        case .positioned(let box, let point):
            let size = box.size(proposal)
            return Arrangement(
                size: proposal.filled(),
                parts: [
                    .init(
                        box: box,
                        origin: CGPoint(
                            x: point.x - size.width / 2,
                            y: point.y - size.height / 2
                        ),
                        proposal: proposal
                    )
                ]
            )
        case .guided(let box, _, _), .effect(let box, _): return whole(box, proposal: proposal)
        default: preconditionFailure("it has no single part")
        }
    }

    /// One part, which is as large as the whole.
    private func whole(_ box: Box, proposal: Proposal) -> Arrangement {
        Arrangement(
            size: box.size(proposal),
            parts: [.init(box: box, origin: .zero, proposal: proposal)]
        )
    }

    /// One part in a frame, where an alignment says.
    func framing(
        _ box: Box,
        inner: Proposal,
        size: CGSize,
        alignment: Alignment
    ) -> Arrangement {
        let (x, y) = alignment.places
        let origin = CGPoint(
            x: size.width * Alignment.share(x)
                - box.position(x, axis: .horizontal, proposal: inner),
            y: size.height * Alignment.share(y) - box.position(y, axis: .vertical, proposal: inner)
        )
        return Arrangement(size: size, parts: [.init(box: box, origin: origin, proposal: inner)])
    }

    private func bounded(
        _ box: Box,
        least: Proposal,
        most: Proposal,
        alignment: Alignment,
        proposal: Proposal
    ) -> Arrangement {
        var inner = proposal
        var own = CGSize.zero
        let axes: [Axis] = [.horizontal, .vertical]
        for axis in axes {
            // What may be as long as it likes is so, within the bounds.
            guard let offer = proposal[axis] else { continue }
            inner[axis] = max(least[axis] ?? 0, min(most[axis] ?? .infinity, offer))
        }
        let size = box.size(inner)
        for axis in axes {
            let offer = inner[axis] ?? size[axis]
            own[axis] = size[axis]
            if let least = least[axis] { own[axis] = max(least, min(own[axis], offer)) }
            if let most = most[axis] { own[axis] = min(most, max(own[axis], offer)) }
        }
        return framing(box, inner: inner, size: own, alignment: alignment)
    }

    private static func proposal(
        _ proposal: Proposal,
        ratio: CGFloat?,
        of box: Box,
        isFilling: Bool
    ) -> Proposal {
        let ideal = box.size(.ideal)
        let ratio = ratio ?? (ideal.height > 0 ? ideal.width / ideal.height : 1)
        guard ratio > 0, ratio.isFinite else { return proposal }
        switch (proposal.width, proposal.height) {
        case (nil, nil): return Proposal(width: ideal.width, height: ideal.width / ratio)
        case (let width?, nil): return Proposal(width: width, height: width / ratio)
        case (nil, let height?): return Proposal(width: height * ratio, height: height)
        case (let width?, let height?):
            let isWide = (width > height * ratio) != isFilling
            return isWide
                ? Proposal(width: height * ratio, height: height)
                : Proposal(width: width, height: width / ratio)
        }
    }

    private func beside(
        _ box: Box,
        other: Box,
        alignment: Alignment,
        isInFront: Bool,
        proposal: Proposal
    ) -> Arrangement {
        let size = box.size(proposal)
        let (x, y) = alignment.places
        let inner = Proposal(size)
        let part = Arrangement.Part(
            box: other,
            origin: CGPoint(
                x: box.position(x, axis: .horizontal, proposal: proposal)
                    - other.position(x, axis: .horizontal, proposal: inner),
                y: box.position(y, axis: .vertical, proposal: proposal)
                    - other.position(y, axis: .vertical, proposal: inner)
            ),
            proposal: inner
        )
        let first = Arrangement.Part(box: box, origin: .zero, proposal: proposal)
        return Arrangement(size: size, parts: isInFront ? [first, part] : [part, first])
    }

    private func fitting(_ boxes: [Box], axes: Axis.Set, proposal: Proposal) -> Arrangement {
        let asked = Proposal(
            width: axes.contains(.horizontal) ? nil : proposal.width,
            height: axes.contains(.vertical) ? nil : proposal.height
        )
        let fits = boxes.first { box in
            let size = box.size(asked)
            return
                (!axes.contains(.horizontal) || size.width <= (proposal.width ?? Proposal.largest))
                && (!axes.contains(.vertical)
                    || size.height <= (proposal.height ?? Proposal.largest))
        }
        guard let box = fits ?? boxes.last else { return Arrangement(size: .zero) }
        return whole(box, proposal: proposal)
    }
}
