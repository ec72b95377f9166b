package import Foundation

/// The content of a view, before its dates are formatted for a moment.
public indirect enum ViewContent: Equatable, Sendable {
    /// Text from its pieces.
    case text([TextPart])
    /// A picture of the app by its name.
    case image(name: String)
    /// A symbol of the system by its name.
    case symbol(name: String)
    /// How far something has progressed, from 0 to 1; nil if it is not known.
    case progress(Double?)
    /// An area with an outline, filled or stroked.
    case area(Outline, Paint)
    /// Room between views, at least so wide.
    case spacer(CGFloat?)
    /// A thin line between views.
    case divider
    /// Views whose container decides how they are arranged; without one, they are a column.
    case group([ViewContent])
    /// Views that a container arranges.
    case stack(Stack, [ViewContent])
    /// Views that depend on the room that they have.
    case sized(Later<CGSize, ViewContent>)
    /// The first of some views that fits along some axes.
    case fitting([ViewContent], Axis.Set)
    /// A view with a modifier that is kept as a note.
    case noted(ViewContent, ViewNote)

    /// Nothing.
    static var empty: ViewContent { .group([]) }

    /// The views of which a container arranges this content.
    package var members: [ViewContent] {
        switch self {
        case .group(let views): views.flatMap(\.members)
        case .noted(.group(let views), let note): views.flatMap(\.members).map { .noted($0, note) }
        default: [self]
        }
    }

    /// The notes of the whole content, from the outermost to the innermost.
    public var notes: [ViewNote] {
        switch self {
        case .noted(let view, let note): [note] + (note.value.view?.notes ?? []) + view.notes
        case .group(let views), .stack(_, let views): views.flatMap(\.notes)
        case .text(let parts): parts.flatMap(\.notes)
        case .sized(let views): views.usual.notes
        case .fitting(let views, _): views.first?.notes ?? []
        case .image, .symbol, .progress, .area, .spacer, .divider: []
        }
    }
}

/// How a container arranges its views.
public struct Stack: Equatable, Sendable {
    /// In which direction the views follow each other.
    package enum Direction: Equatable, Sendable {
        /// Side by side, in reading order.
        case row
        /// One below the other.
        case column
        /// One in front of the other, from the back to the front.
        case layers
        /// Rows whose views make columns, with the room between those.
        case grid(spacing: CGFloat?)
        /// In columns (or, horizontally, rows) whose widths are said.
        case tracks(Axis, [GridItem])
    }

    /// In which direction they follow each other.
    package let direction: Direction
    /// Where views are that have more room than they need.
    package let alignment: Alignment
    /// The room between views; nil for the usual one.
    package let spacing: CGFloat?

    static func row(_ alignment: VerticalAlignment?, _ spacing: CGFloat?) -> Stack {
        let alignment = Alignment(horizontal: .center, vertical: alignment ?? .center)
        return Stack(direction: .row, alignment: alignment, spacing: spacing)
    }

    static func column(_ alignment: HorizontalAlignment, _ spacing: CGFloat?) -> Stack {
        let alignment = Alignment(horizontal: alignment, vertical: .center)
        return Stack(direction: .column, alignment: alignment, spacing: spacing)
    }

    static func layers(_ alignment: Alignment) -> Stack {
        Stack(direction: .layers, alignment: alignment, spacing: nil)
    }

    static func grid(_ alignment: Alignment, _ horizontal: CGFloat?, _ spacing: CGFloat?) -> Stack {
        Stack(direction: .grid(spacing: horizontal), alignment: alignment, spacing: spacing)
    }

    static func tracks(
        _ axis: Axis,
        _ tracks: [GridItem],
        _ alignment: Alignment,
        _ spacing: CGFloat?
    ) -> Stack {
        Stack(direction: .tracks(axis, tracks), alignment: alignment, spacing: spacing)
    }
}

extension Alignment {
    /// The names of both directions' alignments.
    package var places: (horizontal: String, vertical: String) { (horizontal.name, vertical.name) }

    /// The share of a length at which the guide of a name usually is.
    package static func share(_ name: String) -> CGFloat {
        switch name {
        case "leading", "top": 0
        case "trailing", "bottom", "firstTextBaseline", "lastTextBaseline": 1
        default: 0.5
        }
    }
}
