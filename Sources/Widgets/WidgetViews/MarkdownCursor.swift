/// Reads the Markdown of a text's pieces; those that are no literal are single characters to it.
struct MarkdownCursor {
    private enum Unit: Equatable {
        case character(Character)
        case part(TextPart)
    }

    private let units: [Unit]
    private var position = 0
    /// The marks that are open; one is not opened again.
    private var open: [String] = []

    private static let styles: [(mark: String, note: ViewNote)] = [
        ("**", ViewNote("bold", value: NoteValue(true))),
        ("__", ViewNote("bold", value: NoteValue(true))),
        ("~~", ViewNote("strikethrough", value: NoteValue(true))),
        ("*", ViewNote("italic", value: NoteValue(true))),
        ("_", ViewNote("italic", value: NoteValue(true))),
    ]

    init(_ parts: [TextPart]) {
        units = parts.flatMap { part -> [Unit] in
            guard case .literal(let text) = part else { return [.part(part)] }
            return text.map { .character($0) }
        }
    }

    private func character(_ offset: Int = 0) -> Character? {
        let index = position + offset
        guard units.indices.contains(index), case .character(let character) = units[index]
        else { return nil }
        return character
    }

    private func isAt(_ mark: String) -> Bool {
        mark.enumerated().allSatisfy { character($0) == $1 }
    }

    /// The pieces up to a mark, which is consumed; nil if it does not come.
    mutating func parts(until end: String?) -> [TextPart]? {
        var found: [TextPart] = []
        var text = ""
        func flushed() -> [TextPart] { text.isEmpty ? [] : [.literal(text)] }
        while position < units.count {
            if let end, isAt(end) {
                position += end.count
                return found + flushed()
            }
            if let styled = styledPart() ?? code() ?? link() {
                found += flushed() + [styled]
                text = ""
                continue
            }
            switch units[position] {
            case .part(let part):
                found += flushed() + [part]
                text = ""
            case .character("\\") where character(1)?.isPunctuation == true:
                position += 1
                text.append(character() ?? "\\")
            case .character(let character): text.append(character)
            }
            position += 1
        }
        return end == nil ? found + flushed() : nil
    }

    /// A part between two marks; nil if none begins here.
    private mutating func styledPart() -> TextPart? {
        for (mark, note) in Self.styles where isAt(mark) && !open.contains(mark) {
            // A mark stands at a word: `2 * 3` and `snake_case` have none.
            let isInWord =
                mark.first == "_" && character(-1).map { $0.isLetter || $0.isNumber } == true
            if isInWord || character(mark.count)?.isWhitespace != false && !isPart(mark.count) {
                continue
            }
            let start = position
            position += mark.count
            open.append(mark)
            defer { open.removeLast() }
            if let parts = parts(until: mark), !parts.isEmpty { return .run(parts, [note]) }
            position = start
        }
        return nil
    }

    private func isPart(_ offset: Int) -> Bool {
        guard units.indices.contains(position + offset), case .part = units[position + offset]
        else { return false }
        return true
    }

    private mutating func code() -> TextPart? {
        guard character() == "`",
            let length = units[(position + 1)...].firstIndex(of: .character("`"))
        else { return nil }
        let parts = units[(position + 1)..<length].map { unit -> TextPart in
            switch unit {
            case .character(let character): .literal(String(character))
            case .part(let part): part
            }
        }
        position = length + 1
        return .run(parts, [ViewNote("monospaced", value: NoteValue(true))])
    }

    private mutating func link() -> TextPart? {
        guard character() == "[" else { return nil }
        let start = position
        position += 1
        guard let parts = parts(until: "]("),
            let end = units[position...].firstIndex(of: .character(")"))
        else {
            position = start
            return nil
        }
        position = end + 1
        return .run(parts, [ViewNote("foregroundStyle", value: NoteValue(Color.accentColor))])
    }
}
