public import Foundation

extension ViewContent {
    /// The text in sight at a moment.
    ///
    /// - Parameters:
    ///   - now: the moment.
    ///   - calendar: the device's calendar, whose time zone counts.
    /// - Returns: the lines from top to bottom.
    public func lines(at now: Date, calendar: Calendar = .current) -> [String] {
        lines(DateText(now: now, calendar: calendar))
    }

    private func lines(_ dates: DateText) -> [String] {
        switch self {
        case .text(let parts): return [parts.map(dates.text).joined()]
        case .image(let name): return ["[\(name)]"]
        case .progress(let fraction): return [Self.progressText(fraction)]
        case .color: return []
        case .noted(let view, _): return view.lines(dates)
        case .column(let views), .group(let views), .layers(let views):
            return views.flatMap { $0.lines(dates) }
        case .row(let views):
            let columns = views.map { $0.lines(dates) }
            let height = columns.map(\.count).max() ?? 0
            return (0..<height).map { line in
                columns.compactMap { line < $0.count ? $0[line] : nil }.joined(separator: " ")
            }
        }
    }

    /// A progress as text: `40 %`.
    package static func progressText(_ fraction: Double?) -> String {
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
