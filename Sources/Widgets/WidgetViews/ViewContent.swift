/// The content of a view, before its dates are formatted for a moment.
public indirect enum ViewContent: Equatable, Sendable {
    /// Text from its pieces.
    case text([TextPart])
    /// A picture by its name.
    case image(name: String)
    /// How far something has progressed, from 0 to 1; nil if it is not known.
    case progress(Double?)
    /// An area of a colour.
    case color(Color)
    /// Views whose container decides how they are arranged; without one, they are a column.
    case group([ViewContent])
    /// The views side by side, in reading order.
    case row([ViewContent])
    /// The views one below the other.
    case column([ViewContent])
    /// The views one in front of the other, from the back to the front.
    case layers([ViewContent])
    /// A view with a modifier that is kept as a note.
    case noted(ViewContent, ViewNote)

    /// Nothing.
    static var empty: ViewContent { .group([]) }

    /// The views of which a container arranges this content.
    var members: [ViewContent] {
        switch self {
        case .group(let views): views.flatMap(\.members)
        case .noted(.group(let views), let note): views.flatMap(\.members).map { .noted($0, note) }
        default: [self]
        }
    }

    /// The content without the notes on it.
    public var withoutNotes: ViewContent {
        if case .noted(let view, _) = self { return view.withoutNotes }
        return self
    }

    /// The notes of the whole content, from the outermost to the innermost.
    public var notes: [ViewNote] {
        switch self {
        case .noted(let view, let note): [note] + view.notes
        case .group(let views), .row(let views), .column(let views), .layers(let views):
            views.flatMap(\.notes)
        case .text, .image, .progress, .color: []
        }
    }

    /// The colour of the widget's background; nil if the view sets none.
    package var background: String? {
        notes.first { $0.name == "containerBackground" && !$0.value.isEmpty }?.value
    }
}

/// A modifier of a view, with its value as text.
public struct ViewNote: Equatable, Sendable {
    /// The modifier's name.
    public let name: String
    /// The modifier's value; empty if it is not kept.
    public let value: String

    /// The colour of the foreground; nil if the note is another one, or names no colour.
    package var foreground: String? { name == "foregroundStyle" && !value.isEmpty ? value : nil }

    init(_ name: String, value: String = "") {
        self.name = name
        self.value = value
    }
}
