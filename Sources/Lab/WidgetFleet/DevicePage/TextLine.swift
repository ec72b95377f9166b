internal import Foundation
internal import WidgetTimelines

/// A line of text in a widget, with dates that the page rewrites every second.
///
///     {"parts":[{"text":"Full in "},{"date":1800000000000,"style":"relative"}]}
struct TextLine: Encodable, Equatable, Sendable {
    /// A piece of text, or a date with its style.
    enum Part: Equatable, Sendable {
        case text(String)
        /// A date in ms since 1970, and the style in which it is displayed.
        case date(Int64, Style)
    }

    /// The styles whose text changes with time.
    enum Style: String, Codable, CaseIterable, Sendable {
        case relative
        case offset
        case timer
    }

    /// The pieces of the line, from left to right.
    var parts: [Part]
    /// The colour that the view has set, as `Color` describes it; nil for the usual one.
    var color: String?

    /// Makes a line from its pieces.
    init(_ parts: [Part], color: String? = nil) {
        self.parts = parts
        self.color = color
    }

    /// The lines of a view from top to bottom.
    ///
    /// A column has the lines of its views one below the other, a row has them side by side. Dates
    /// in styles that do not change with time are already written as text. A picture is its name, a
    /// progress is in per cent.
    ///
    /// - Parameters:
    ///   - content: the content of the view.
    ///   - calendar: the calendar of the device, with its time zone.
    ///   - shift: by how many seconds the device's clock is ahead of the clock of the view's dates.
    /// - Returns: the lines.
    static func lines(
        of content: ViewContent,
        calendar: Calendar,
        shift: TimeInterval = 0
    ) -> [TextLine] {
        switch content {
        case .text(let parts):
            return [TextLine(parts.map { Part($0, calendar: calendar, shift: shift) }).joined()]
        case .image(let name): return [TextLine([.text("[\(name)]")])]
        case .progress(let fraction): return [TextLine([.text(ViewContent.progressText(fraction))])]
        case .color: return []
        case .noted(let view, let note):
            return lines(of: view, calendar: calendar, shift: shift).map {
                TextLine($0.parts, color: $0.color ?? note.foreground)
            }
        case .column(let views), .group(let views), .layers(let views):
            return views.flatMap { lines(of: $0, calendar: calendar, shift: shift) }
        case .row(let views):
            let columns = views.map { lines(of: $0, calendar: calendar, shift: shift) }
            let height = columns.map(\.count).max() ?? 0
            return (0..<height).map { line in
                let cells = columns.compactMap { line < $0.count ? $0[line] : nil }
                let parts = Array(cells.map(\.parts).joined(separator: [.text(" ")]))
                // The page draws a line in one colour.
                let isOneColor = cells.allSatisfy { $0.color == cells[0].color }
                return TextLine(parts, color: isOneColor ? cells[0].color : nil).joined()
            }
        }
    }

    /// Joins neighbouring texts.
    private func joined() -> TextLine {
        var joined: [Part] = []
        for part in parts {
            if case .text(let text) = part, case .text(let before) = joined.last {
                joined[joined.count - 1] = .text(before + text)
            } else {
                joined.append(part)
            }
        }
        return TextLine(joined, color: color)
    }
}

extension TextLine.Part {
    fileprivate init(_ part: TextPart, calendar: Calendar, shift: TimeInterval) {
        if case .date(let date, let style) = part, let style = TextLine.Style(style) {
            let shifted = (date + shift).nearestDisplayable
            self = .date(Int64((shifted.timeIntervalSince1970 * 1_000).rounded()), style)
        } else {
            let lines = ViewContent.text([part]).lines(at: .distantPast, calendar: calendar)
            self = .text(lines.joined())
        }
    }
}

extension TextLine.Style {
    fileprivate init?(_ style: Text.DateStyle) {
        switch style {
        case .relative: self = .relative
        case .offset: self = .offset
        case .timer: self = .timer
        default: return nil
        }
    }
}

extension TextLine.Part: Encodable {
    private enum Key: String, CodingKey {
        case text, date, style
    }

    /// Encodes text as `{"text":…}`, a date as `{"date":…,"style":…}`.
    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        switch self {
        case .text(let text): try values.encode(text, forKey: .text)
        case .date(let date, let style):
            try values.encode(date, forKey: .date)
            try values.encode(style, forKey: .style)
        }
    }
}
