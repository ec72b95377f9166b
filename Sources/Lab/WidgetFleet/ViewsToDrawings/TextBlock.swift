internal import Foundation
internal import WidgetTimelines

/// A text, which is broken into lines where it has a width.
struct TextBlock {
    /// A piece with one style.
    struct Run {
        let style: ViewStyle
        let font: FontStyle
    }

    /// A character or a symbol, with its width.
    struct Unit {
        let text: String
        let isSymbol: Bool
        let run: Int
        let width: CGFloat
        /// Whether a line may end after it.
        let mayEnd: Bool
        var isSpace: Bool { text == " " }
        var isNewline: Bool { text == "\n" }
    }

    /// The text in lines, at a share of its size.
    struct Lines {
        var units: [[Unit]]
        var scale: CGFloat = 1
        /// Whether something of the text is missing, or a word is broken.
        var isCut = false
    }

    /// The most characters of a text; those after them are left out.
    static var textLimit: Int { 1_000 }
    /// The room between the sizes that are tried for a text that may be smaller.
    private static var scaleStep: CGFloat { 0.025 }

    private let style: ViewStyle
    let runs: [Run]
    private let units: [Unit]

    init(_ parts: [TextPart], style: ViewStyle, dates: DateText) {
        self.style = style
        var runs: [Run] = []
        var units: [Unit] = []
        func add(_ parts: [TextPart], style: ViewStyle) {
            let run = runs.count
            runs.append(Run(style: style, font: style.textFont))
            for part in parts where units.count < Self.textLimit {
                switch part {
                case .symbol(let name):
                    let side = style.symbolSide
                    units.append(
                        Unit(text: name, isSymbol: true, run: run, width: side, mayEnd: true)
                    )
                case .run(let parts, let notes):
                    var style = style
                    for note in notes.reversed() { _ = style.apply(note) }
                    add(parts, style: style)
                case .literal, .date, .interval, .clock:
                    let text = Self.cased(dates.text(part), letters: style.letters)
                    for character in text.prefix(Self.textLimit - units.count) {
                        units.append(Unit(character, run: run, style: runs[run]))
                    }
                }
            }
        }
        add(parts, style: style)
        (self.runs, self.units) = (runs, units)
    }

    private static func cased(_ text: String, letters: String?) -> String {
        switch letters {
        case "uppercase": text.uppercased()
        case "lowercase": text.lowercased()
        default: text
        }
    }

    // MARK: - Lines

    /// The lines in the room that is offered, as large as possible.
    func lines(in proposal: Proposal) -> Lines {
        var scale: CGFloat = 1
        while true {
            let lines = lines(in: proposal, scale: scale)
            let next = scale - Self.scaleStep
            if !lines.isCut || next < style.leastScale - 0.001 { return lines }
            scale = next
        }
    }

    private func lines(in proposal: Proposal, scale: CGFloat) -> Lines {
        // Rounding must not break a line that is as wide as it was measured.
        let width = (proposal.width ?? .infinity) + 0.01
        var lines = Lines(units: [], scale: scale)
        var line: [Unit] = []
        var length: CGFloat = 0
        func finish(at end: Int) {
            let seen = line[..<end].lastIndex { !$0.isSpace }.map { $0 + 1 } ?? 0
            lines.units.append(Array(line[..<seen]))
            line.removeFirst(end)
            while line.first?.isSpace == true { line.removeFirst() }
            length = line.reduce(0) { $0 + $1.width * scale }
        }
        for unit in units {
            if unit.isNewline {
                finish(at: line.count)
                continue
            }
            if !unit.isSpace {
                while length + unit.width * scale > width, !line.isEmpty {
                    let end = line.lastIndex(where: \.mayEnd).map { $0 + 1 }
                    if end == nil { lines.isCut = true }
                    finish(at: end ?? line.count)
                }
            }
            line.append(unit)
            length += unit.width * scale
        }
        if !line.isEmpty || lines.units.isEmpty { lines.units.append(line) }
        cut(&lines, width: width, height: proposal.height)
        return lines
    }

    /// Leaves out what has no room.
    private func cut(_ lines: inout Lines, width: CGFloat, height: CGFloat?) {
        var limit = style.lineLimit ?? .max
        if let height, height.isFinite {
            let line = lineHeight(lines.units[0], scale: lines.scale) + style.lineSpacing
            limit = min(limit, max(1, Int((height + style.lineSpacing + 0.34) / max(1, line))))
        }
        guard lines.units.count > limit else { return }
        lines.isCut = true
        let rest = lines.units[(limit - 1)...].flatMap { $0 }
        lines.units.removeSubrange((limit - 1)...)
        lines.units.append(shortened(rest, width: width, scale: lines.scale))
    }

    /// A line of which something is left out, with three dots in its place.
    private func shortened(_ line: [Unit], width: CGFloat, scale: CGFloat) -> [Unit] {
        let run = line.first?.run ?? 0
        let dots = Unit("…", run: run, style: runs[run])
        var kept = line
        while !kept.isEmpty,
            kept.reduce(dots.width, { $0 + $1.width }) * scale > width || kept.count == line.count
        {
            switch style.truncation {
            case "head": kept.removeFirst()
            case "middle": kept.remove(at: kept.count / 2)
            default: kept.removeLast()
            }
        }
        while style.truncation == "tail", kept.last?.isSpace == true { kept.removeLast() }
        switch style.truncation {
        case "head": return [dots] + kept
        case "middle":
            return kept[..<((kept.count + 1) / 2)] + [dots] + kept[((kept.count + 1) / 2)...]
        default: return kept + [dots]
        }
    }

    // MARK: - Sizes

    func lineHeight(_ line: [Unit], scale: CGFloat) -> CGFloat {
        let height = Set(line.map(\.run)).map { runs[$0].font.lineHeight }.max()
        return (height ?? runs[0].font.lineHeight) * scale
    }

    func ascent(_ line: [Unit], scale: CGFloat) -> CGFloat {
        (Set(line.map(\.run)).map { runs[$0].font.ascent }.max() ?? runs[0].font.ascent) * scale
    }

    func width(_ line: [Unit], scale: CGFloat) -> CGFloat {
        let end = line.lastIndex { !$0.isSpace }.map { $0 + 1 } ?? 0
        return line[..<end].reduce(0) { $0 + $1.width } * scale
    }

    /// The size of lines, rounded up to the pixels of a telephone.
    func size(_ lines: Lines) -> CGSize {
        let width = lines.units.map { self.width($0, scale: lines.scale) }.max() ?? 0
        let height = lines.units.reduce(0) { $0 + lineHeight($1, scale: lines.scale) }
        let spacing = CGFloat(lines.units.count - 1) * style.lineSpacing
        return CGSize(width: width.roundedUp, height: (height + spacing).roundedUp)
    }

    /// Calls an action for each piece of a line that has one style, with its place.
    func pieces(
        _ lines: Lines,
        at origin: CGPoint,
        width: CGFloat,
        body: (ArraySlice<Unit>, CGPoint, CGFloat) -> Void
    ) {
        var y = origin.y
        for line in lines.units {
            let free = width - self.width(line, scale: lines.scale)
            let share: CGFloat = ["center": 0.5, "trailing": 1][style.alignment] ?? 0
            var x = origin.x + max(0, free) * share
            let baseline = y + ascent(line, scale: lines.scale)
            var rest = line[...]
            while let first = rest.first {
                let piece = rest.prefix {
                    $0.run == first.run && !$0.isSymbol && !first.isSymbol
                }
                let units = piece.isEmpty ? rest.prefix(1) : piece
                body(units, CGPoint(x: x, y: y), baseline)
                x += units.reduce(0) { $0 + $1.width } * lines.scale
                rest = rest.dropFirst(units.count)
            }
            y += lineHeight(line, scale: lines.scale) + style.lineSpacing
        }
    }
}

extension TextBlock.Unit {
    /// A character of a run.
    init(_ character: Character, run: Int, style: TextBlock.Run) {
        text = String(character == "\u{a0}" ? " " : character)
        isSymbol = false
        self.run = run
        width =
            character.isNewline
            ? 0 : FontWidths.width(of: character, in: style.font) + style.style.kerning
        mayEnd = character == " " || character == "-" || FontWidths.isWide(character)
    }
}

extension CGFloat {
    /// Rounded up to the pixels of a telephone, which has three for each point.
    var roundedUp: CGFloat { (self * 3 - 0.001).rounded(.up) / 3 }
}
