internal import Basics
internal import Foundation
internal import WidgetTimelines

/// Writes the content of a view as JSON, for a page that draws it. A node has one of these members:
///
///     {"text": ["Full in ", {"symbol": "clock"}, {"runs": ["5 min"], "notes": […]}]}
///     {"symbol": "star.fill"}   {"image": "logo"}   {"progress": 0.4}   {"divider": true}
///     {"spacer": 8}             {"area": {"kind": "Circle", …, "paint": "red/50"}}
///     {"row": […], "align": ["center", "top"], "spacing": 4}, also `column`, `layers`, `grid`,
///     `columns`                 {"group": […]}
///
/// and `notes`: its modifiers from the innermost to the outermost, each a list of the name and
/// what `NoteValue` has. What is nil is null, and so is a number that is none.
struct ViewDrawing {
    /// The bytes of a widget after which no more nodes are begun.
    static var bytesLimit: Int { 65_536 }
    /// The most containers in one another; those in them are left out.
    static var depthLimit: Int { 64 }
    /// The most characters of a text; those after them are left out.
    static var textLimit: Int { 1_000 }
    /// The most bytes of a path; a longer one is not drawn.
    static var pathLimit: Int { 16_384 }

    private let dates: DateText
    private var json = JSONWriter()
    private var depth = 0
    private var mayBegin: Bool { json.bytes.count < Self.bytesLimit && depth < Self.depthLimit }

    /// The JSON of a view at a moment.
    static func json(of content: ViewContent, at now: Date, calendar: Calendar) -> String {
        var drawing = ViewDrawing(dates: DateText(now: now, calendar: calendar))
        drawing.write(content)
        return String(decoding: drawing.json.bytes, as: UTF8.self)
    }

    /// Writes the members `view` and, if it is another one in a dark environment, `darkView`.
    static func write(
        _ content: (ColorScheme) -> ViewContent?,
        at now: Date,
        calendar: Calendar,
        to json: inout JSONWriter
    ) {
        guard let light = content(.light) else { return }
        json.member("view", json: Self.json(of: light, at: now, calendar: calendar))
        guard let dark = content(.dark), dark != light else { return }
        json.member("darkView", json: Self.json(of: dark, at: now, calendar: calendar))
    }

    private init(dates: DateText) { self.dates = dates }

    private mutating func write(_ content: ViewContent) {
        var notes: [ViewNote] = []
        var content = content
        while case .noted(let view, let note) = content {
            notes.append(note)
            content = view
        }
        depth += 1
        json.beginObject()
        write(content: content)
        write(notes.reversed())
        json.endObject()
        depth -= 1
    }

    private mutating func write(content: ViewContent) {
        switch content {
        case .text(let parts): write("text", parts: parts)
        case .image(let name): write("image", text: name)
        case .symbol(let name): write("symbol", text: name)
        case .progress(let fraction):
            write("progress", number: fraction.map { CGFloat($0) })
        case .area(let outline, let paint):
            json.key("area")
            write(outline, paint: paint)
        case .spacer(let length):
            write("spacer", number: length)
        case .divider: json.member("divider", value: true)
        case .group: write("group", views: content.members)
        case .stack(let stack, let views): write(stack, views: views)
        case .noted: assertionFailure("notes are written with their view")
        }
    }

    private mutating func write(_ name: String, views: [ViewContent]) {
        json.key(name)
        json.beginArray()
        for view in views where mayBegin { write(view) }
        json.endArray()
    }

    private mutating func write(_ stack: Stack, views: [ViewContent]) {
        switch stack.direction {
        case .row: write("row", views: views)
        case .column: write("column", views: views)
        case .layers: write("layers", views: views)
        case .grid: write("grid", views: views)
        case .columns(let count, let leastWidth):
            write("columns", views: views)
            json.member("count", value: count)
            write("leastWidth", number: leastWidth)
        }
        json.key("align")
        write(stack.alignment)
        write("spacing", number: stack.spacing)
    }

    private mutating func write(_ name: String, parts: [TextPart]) {
        json.key(name)
        json.beginArray()
        for part in parts {
            switch part {
            case .symbol(let name):
                json.beginObject()
                write("symbol", text: name)
                json.endObject()
            case .run(let parts, let notes):
                json.beginObject()
                write("runs", parts: parts)
                write(notes)
                json.endObject()
            case .literal, .date, .interval: json.string(cut(dates.text(part)))
            }
        }
        json.endArray()
    }

    private mutating func write(_ name: String, text: String) {
        json.member(name, value: cut(text))
    }

    private func cut(_ text: String) -> String { String(text.prefix(Self.textLimit)) }

    // MARK: - Notes

    private mutating func write(_ notes: [ViewNote]) {
        if notes.isEmpty { return }
        json.key("notes")
        json.beginArray()
        for note in notes {
            json.beginArray()
            json.string(note.name)
            write(note.value)
            json.endArray()
        }
        json.endArray()
    }

    private mutating func write(_ value: NoteValue) {
        switch value {
        case .none: json.null()
        case .text(let text): json.string(cut(text))
        case .numbers(let numbers): write(numbers)
        case .frame(let lengths, let alignment):
            write(lengths)
            write(alignment)
        case .paint(let paint): write(paint)
        case .area(let paint, let outline): write(outline, paint: paint)
        case .outline(let outline): write(outline, paint: nil)
        case .view(let content, let alignment):
            if mayBegin {
                write(content)
            } else {
                json.null()
            }
            write(alignment)
        }
    }

    private mutating func write(_ alignment: Alignment) {
        json.beginArray()
        json.string(alignment.places.horizontal)
        json.string(alignment.places.vertical)
        json.endArray()
    }

    private mutating func write(_ number: CGFloat?) {
        guard let number, !number.isNaN else { return json.null() }
        // JSON has no infinity: a length that is larger than any screen means the same.
        json.number(Double(min(1e6, max(-1e6, number))))
    }

    private mutating func write(_ name: String, number: CGFloat?) {
        json.key(name)
        write(number)
    }

    private mutating func write(_ name: String, numbers: [CGFloat]) {
        json.key(name)
        write(numbers)
    }

    private mutating func write(_ numbers: [CGFloat?]) {
        json.beginArray()
        for number in numbers { write(number) }
        json.endArray()
    }

    // MARK: - Areas

    private mutating func write(_ outline: Outline, paint: Paint?) {
        json.beginObject()
        json.member("kind", value: outline.kind)
        if 1...Self.pathLimit ~= outline.path.utf8.count {
            json.member("path", value: outline.path)
        }
        write("radii", numbers: outline.radii)
        write("part", numbers: [outline.part.lowerBound, outline.part.upperBound])
        write("degrees", number: CGFloat(outline.degrees))
        write("inset", number: outline.inset)
        if let line = outline.line {
            write("line", number: line.lineWidth)
            write("dash", numbers: line.dash)
            json.member("cap", value: "\(line.lineCap)")
            json.member("isLineInside", value: outline.isLineInside)
        }
        if let paint {
            json.key("paint")
            write(paint)
        }
        json.endObject()
    }

    private mutating func write(_ paint: Paint) {
        switch paint {
        case .color(let color): json.string(color.description)
        case .material(let name):
            json.object { json in json.member("material", value: name) }
        case .gradient(let kind, let numbers, let stops):
            json.beginObject()
            write(kind, numbers: numbers)
            json.key("stops")
            json.beginArray()
            for stop in stops.prefix(Self.depthLimit) {
                json.beginArray()
                json.string(stop.color.description)
                write(stop.location)
                json.endArray()
            }
            json.endArray()
            json.endObject()
        }
    }
}
