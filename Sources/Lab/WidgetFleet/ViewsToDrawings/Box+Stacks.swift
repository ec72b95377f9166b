internal import Foundation
internal import WidgetTimelines

extension Box {
    /// The room between views of a stack that says none, and between texts below each other.
    static var usualSpacing: CGFloat { 8 }
    private static var spacingOfTexts: CGFloat { 4 }

    func line(
        _ boxes: [Box],
        along axis: Axis,
        alignment: Alignment,
        spacing: CGFloat?,
        proposal: Proposal
    ) -> Arrangement {
        let gaps = zip(boxes, boxes.dropFirst()).map { one, next in
            spacing ?? Self.spacing(one, next: next, axis: axis)
        }
        let offers = Proposal.shares(
            of: proposal[axis].map { max(0, $0 - gaps.reduce(0, +)) },
            priorities: boxes.map(\.priority)
        ) { boxes[$0].size(proposal.with($1, axis: axis))[axis] }
        let places = alignment.places
        let name = axis == .horizontal ? places.vertical : places.horizontal
        var arrangement = Arrangement(size: .zero)
        var (before, after): (CGFloat, CGFloat) = (0, 0)
        let inner = offers.map { proposal.with($0, axis: axis) }
        let guides = boxes.indices.map {
            boxes[$0].position(name, axis: axis.other, proposal: inner[$0])
        }
        for (index, box) in boxes.enumerated() {
            let across = box.size(inner[index])[axis.other]
            before = max(before, guides[index])
            after = max(after, across - guides[index])
        }
        var place: CGFloat = 0
        for (index, box) in boxes.enumerated() {
            let across = before - guides[index]
            let origin =
                axis == .horizontal
                ? CGPoint(x: place, y: across) : CGPoint(x: across, y: place)
            arrangement.parts.append(.init(box: box, origin: origin, proposal: inner[index]))
            place += box.size(inner[index])[axis] + (index < gaps.count ? gaps[index] : 0)
        }
        arrangement.size[axis] = place
        arrangement.size[axis.other] = before + after
        return arrangement
    }

    private static func spacing(_ one: Box, next: Box, axis: Axis) -> CGFloat {
        if one.isSpacer || next.isSpacer { return 0 }
        return axis == .vertical && one.isText && next.isText ? spacingOfTexts : usualSpacing
    }

    func layers(
        _ boxes: [Box],
        alignment: Alignment,
        proposal: Proposal
    ) -> Arrangement {
        let places = alignment.places
        var arrangement = Arrangement(size: .zero)
        for (axis, name) in [(Axis.horizontal, places.horizontal), (.vertical, places.vertical)] {
            let guides = boxes.map { $0.position(name, axis: axis, proposal: proposal) }
            let before = guides.max() ?? 0
            let after = boxes.indices.map { boxes[$0].size(proposal)[axis] - guides[$0] }.max() ?? 0
            arrangement.size[axis] = before + after
            for (index, box) in boxes.enumerated() {
                if axis == .horizontal {
                    arrangement.parts.append(.init(box: box, origin: .zero, proposal: proposal))
                    arrangement.parts[index].origin.x = before - guides[index]
                } else {
                    arrangement.parts[index].origin.y = before - guides[index]
                }
            }
        }
        // Sorted so that equal levels stay in their order.
        let order = arrangement.parts.enumerated().sorted {
            ($0.element.box.level, $0.offset) < ($1.element.box.level, $1.offset)
        }
        arrangement.parts = order.map(\.element)
        return arrangement
    }
}
