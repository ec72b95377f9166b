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
        case .image(let name), .symbol(let name): return ["[\(name)]"]
        case .progress(let fraction): return [Self.progressText(fraction)]
        case .area, .spacer, .divider: return []
        case .noted(let view, let note):
            if note.name == "hidden" { return [] }
            guard let other = note.value.view, note.name != "mask" else { return view.lines(dates) }
            let isInBack = note.name.lowercased().hasSuffix("background")
            return (isInBack ? [other, view] : [view, other]).flatMap { $0.lines(dates) }
        case .stack(let stack, let views) where stack.direction == .row:
            let columns = views.map { $0.lines(dates) }
            let height = columns.map(\.count).max() ?? 0
            return (0..<height).map { line in
                let cells = columns.compactMap { line < $0.count ? $0[line] : nil }
                return cells.joined(separator: " ")
            }
        case .group(let views), .stack(_, let views): return views.flatMap { $0.lines(dates) }
        case .sized(let views): return views.usual.lines(dates)
        case .fitting(let views, _): return views.first?.lines(dates) ?? []
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
        case .text(let parts): parts.contains(where: \.isTicking)
        case .image, .symbol, .progress, .area, .spacer, .divider: false
        case .noted(let view, let note): view.isTicking || note.value.view?.isTicking == true
        case .group(let views), .stack(_, let views), .fitting(let views, _):
            views.contains(where: \.isTicking)
        case .sized(let views): views.usual.isTicking
        }
    }
}
