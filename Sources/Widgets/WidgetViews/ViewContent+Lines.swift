public import Foundation

/// A line of a widget's text.
package struct TextLine: Equatable, Sendable {
    /// What is written in it.
    package let text: String
    /// The colour that the view has set, as `Color` describes it; nil for the usual one.
    package let color: String?

    /// A line in this colour.
    package init(_ text: String, color: String? = nil) {
        self.text = text
        self.color = color
    }
}

extension ViewContent {
    /// The text in sight at a moment.
    ///
    /// - Parameters:
    ///   - now: the moment.
    ///   - calendar: the device's calendar, whose time zone counts.
    /// - Returns: the lines from top to bottom.
    public func lines(at now: Date, calendar: Calendar = .current) -> [String] {
        textLines(at: now, calendar: calendar).map(\.text)
    }

    /// The text in sight at a moment, with its colours.
    package func textLines(at now: Date, calendar: Calendar) -> [TextLine] {
        lines(DateText(now: now, calendar: calendar))
    }

    private func lines(_ dates: DateText) -> [TextLine] {
        switch self {
        case .text(let parts): return [TextLine(parts.map(dates.text).joined())]
        case .image(let name): return [TextLine("[\(name)]")]
        case .progress(let fraction): return [TextLine(Self.progressText(fraction))]
        case .color: return []
        case .noted(let view, let note):
            let lines = view.lines(dates)
            guard let color = note.foreground else { return lines }
            return lines.map { TextLine($0.text, color: $0.color ?? color) }
        case .column(let views), .group(let views), .layers(let views):
            return views.flatMap { $0.lines(dates) }
        case .row(let views):
            let columns = views.map { $0.lines(dates) }
            let height = columns.map(\.count).max() ?? 0
            return (0..<height).map { line in
                let cells = columns.compactMap { line < $0.count ? $0[line] : nil }
                // A line has one colour.
                let isOneColor = cells.allSatisfy { $0.color == cells[0].color }
                let text = cells.map(\.text).joined(separator: " ")
                return TextLine(text, color: isOneColor ? cells[0].color : nil)
            }
        }
    }

    /// A progress as text: `40 %`.
    private static func progressText(_ fraction: Double?) -> String {
        guard let fraction, fraction.isFinite else { return "…" }
        return "\(Int((min(1, max(0, fraction)) * 100).rounded())) %"
    }

    /// Whether the text changes as time passes, without a new entry.
    public var isTicking: Bool {
        switch self {
        case .text(let parts):
            parts.contains { part in
                guard case .date(_, let style) = part else { return false }
                return style != .date && style != .time
            }
        case .image, .progress, .color: false
        case .noted(let view, _): view.isTicking
        case .row(let views), .column(let views), .group(let views), .layers(let views):
            views.contains(where: \.isTicking)
        }
    }
}
