/// A view of text, in which dates are formatted anew as time passes.
///
///     Text("Full in \(full, style: .relative)")
///
/// Source: <https://developer.apple.com/documentation/widgetkit/displaying-dynamic-dates>.
public struct Text: ContentView, Equatable {
    let parts: [TextPart]
    let notes: [ViewNote]

    init(parts: [TextPart], notes: [ViewNote] = []) {
        self.parts = parts
        self.notes = notes
    }

    /// The text as content.
    public var viewContent: ViewContent {
        notes.reduce(.text(parts)) { .noted($0, $1) }
    }

    /// The text with a note.
    func adding(_ name: String, value: NoteValue = .none) -> Text {
        Text(parts: parts, notes: notes + [ViewNote(name, value: value)])
    }

    /// One text after the other.
    public static func + (left: Text, right: Text) -> Text {
        if left.notes == right.notes {
            return Text(parts: left.parts + right.parts, notes: left.notes)
        }
        return Text(parts: [left, right].flatMap(\.runs))
    }

    /// The pieces, which keep their notes in another text.
    var runs: [TextPart] { notes.isEmpty ? parts : [.run(parts, notes)] }
}

/// A piece of a text.
public enum TextPart: Equatable, Sendable {
    /// Text that does not change.
    case literal(String)
    /// A date, formatted for the moment of display.
    case date(Date, Text.DateStyle)
    /// A clock that runs during an interval, down to its end or up from its beginning.
    case clock(ClosedRange<Date>, countsDown: Bool, showsHours: Bool)
    /// The two ends of an interval.
    case interval(ClosedRange<Date>)
    /// A symbol by its name, in the text.
    case symbol(String)
    /// Pieces with notes of their own.
    indirect case run([TextPart], [ViewNote])

    /// Its notes, and those of the pieces in it.
    var notes: [ViewNote] {
        guard case .run(let parts, let notes) = self else { return [] }
        return notes.reversed() + parts.flatMap(\.notes)
    }

    /// Whether it changes as time passes.
    var isTicking: Bool {
        switch self {
        case .date(_, let style): style != .date && style != .time
        case .run(let parts, _): parts.contains(where: \.isTicking)
        case .clock: true
        case .literal, .interval, .symbol: false
        }
    }

    /// A clock that runs during an interval, unless it stops at `pauseTime`.
    static func clock(
        _ dates: ClosedRange<Date>,
        pauseTime: Date?,
        countsDown: Bool,
        showsHours: Bool
    ) -> TextPart {
        let clock = TextPart.clock(dates, countsDown: countsDown, showsHours: showsHours)
        guard let pauseTime else { return clock }
        return .literal(DateText(now: pauseTime, calendar: .current).text(clock))
    }
}
