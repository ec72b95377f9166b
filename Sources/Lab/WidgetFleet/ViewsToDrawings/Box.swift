internal import Foundation
internal import WidgetTimelines

/// A view that is laid out as SwiftUI does it: it is offered room and decides how large it is, and
/// what offers the room decides where it is.
///
/// Sizes are asked for often while stacks distribute their room, so they are kept.
final class Box {
    enum Content {
        case text(TextBlock)
        /// A symbol or a picture, in a square of this side; nil if it is as large as the room.
        case symbol(String, side: CGFloat?)
        case picture(String, side: CGFloat?)
        case area(Outline, Paint)
        case spacer(CGFloat)
        case divider
        case line(Axis, Alignment, spacing: CGFloat?, [Box])
        case layers(Alignment, [Box])
        case grid([[Box]], Alignment, spacing: CGSize)
        case tracks(Axis, [GridItem], Alignment, spacing: CGFloat, [Box])
        case padded(Box, EdgeInsets)
        case framed(Box, width: CGFloat?, height: CGFloat?, Alignment)
        case bounded(Box, least: Proposal, most: Proposal, Alignment)
        case ratio(Box, CGFloat?, isFilling: Bool)
        case fixed(Box, Axis.Set)
        case moved(Box, CGSize)
        case positioned(Box, CGPoint)
        /// A view, and one in the back or in front of it.
        case beside(Box, Box, Alignment, isInFront: Bool)
        /// A view that depends on the room.
        case sized((CGSize) -> Box)
        /// The first of some that fits.
        case fitting([Box], Axis.Set)
        case guided(Box, String, Later<CGSize, CGFloat>)
        case effect(Box, Effect)
    }

    /// Where a box has its parts in the room that it is offered.
    struct Arrangement {
        struct Part {
            let box: Box
            var origin: CGPoint
            let proposal: Proposal
        }

        var size: CGSize
        var parts: [Part] = []
    }

    let content: Content
    let style: ViewStyle
    /// Whose room is distributed first.
    var priority: Double = 0
    /// What is in front of others.
    var level: CGFloat = 0
    /// How many columns of a grid it takes.
    var columns = 1
    /// Whether it is in a grid without a row, and is as wide as all columns.
    var isWholeRow = false
    /// How it says that its column is aligned.
    var columnAlignment: HorizontalAlignment?

    private var arrangements: [Proposal: Arrangement] = [:]

    init(_ content: Content, style: ViewStyle) {
        self.content = content
        self.style = style
        // Others get their room first.
        if case .spacer = content { priority = -.infinity }
    }

    /// Has the place of another one among others.
    func takePlace(of other: Box) {
        (priority, level) = (other.priority, other.level)
        (columns, columnAlignment) = (other.columns, other.columnAlignment)
    }

    func size(_ proposal: Proposal) -> CGSize { arranged(proposal).size }

    /// Where its parts are.
    func arranged(_ proposal: Proposal) -> Arrangement {
        if let known = arrangements[proposal] { return known }
        let arrangement = arrange(proposal)
        arrangements[proposal] = arrangement
        return arrangement
    }

    var isSpacer: Bool { if case .spacer = content { true } else { false } }

    /// Whether it is a text, perhaps with modifiers.
    var isText: Bool {
        switch content {
        case .text: true
        case .effect(let box, _), .guided(let box, _, _), .fixed(let box, _): box.isText
        default: false
        }
    }

    // MARK: - Guides

    /// Where the guide of an alignment is, from the leading edge or the top.
    func position(_ name: String, axis: Axis, proposal: Proposal) -> CGFloat {
        guide(name, axis: axis, proposal: proposal) ?? size(proposal)[axis] * Alignment.share(name)
    }

    /// Where a guide is that is not at its usual place.
    private func guide(_ name: String, axis: Axis, proposal: Proposal) -> CGFloat? {
        switch content {
        case .text(let block):
            let lines = block.lines(in: proposal)
            let last = name == "lastTextBaseline"
            guard last || name == "firstTextBaseline" else { return nil }
            let line = last ? lines.units.last : lines.units.first
            let (ascent, height) =
                line.map {
                    (block.ascent($0, scale: lines.scale), block.lineHeight($0, scale: lines.scale))
                } ?? (0, 0)
            return last ? size(proposal).height - height + ascent : ascent
        case .symbol(_, side: let side?): return name.hasSuffix("TextBaseline") ? side * 0.8 : nil
        case .guided(let box, name, let place): return place.value(in: box.size(proposal))
        case .beside(let box, _, _, _): return box.guide(name, axis: axis, proposal: proposal)
        case .moved(let box, _), .effect(let box, _), .guided(let box, _, _):
            return box.guide(name, axis: axis, proposal: proposal)
        default: return inner(name, axis: axis, proposal: proposal)
        }
    }

    /// The guide of its parts: the first baseline of texts, or the last one, or the middle.
    private func inner(_ name: String, axis: Axis, proposal: Proposal) -> CGFloat? {
        let guides = arranged(proposal).parts.compactMap { part in
            part.box.guide(name, axis: axis, proposal: part.proposal).map {
                $0 + (axis == .horizontal ? part.origin.x : part.origin.y)
            }
        }
        switch name {
        case "firstTextBaseline": return guides.min()
        case "lastTextBaseline": return guides.max()
        default: return guides.isEmpty ? nil : guides.reduce(0, +) / CGFloat(guides.count)
        }
    }
}
