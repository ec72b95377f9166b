import RouterMetrics

/// Writes a router's figures; what is not known is a dash.
enum Figures {
    static let dash = "–"

    /// Three digits that count, thousands apart.
    static func short(_ value: Double?) -> String {
        value.map(FigureText.short) ?? dash
    }

    static func rate(_ value: Double?) -> String {
        value.map(FigureText.rate) ?? dash
    }

    /// A whole number, thousands apart.
    static func count(_ value: Double?) -> String {
        whole(value).map(FigureText.grouped) ?? dash
    }

    static func bytes(_ value: Double?) -> String {
        whole(value).map(FigureText.bytes) ?? dash
    }

    static func microseconds(_ value: Double?) -> String {
        value.map { FigureText.nanoseconds($0 * 1_000) } ?? dash
    }

    static func milliseconds(_ value: Double?) -> String {
        value.map(FigureText.milliseconds) ?? dash
    }

    /// The time of day of ms since 1970, in UTC: `12:03:04Z`.
    static func clock(_ milliseconds: Double) -> String {
        guard let whole = whole(milliseconds), whole >= 0 else { return dash }
        let second = whole / 1_000 % 86_400
        let parts = [second / 3_600, second / 60 % 60, second % 60]
        return parts.map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":") + "Z"
    }

    /// A number may be any that JSON can write: what no counter reaches is not shown.
    private static func whole(_ value: Double?) -> Int? {
        guard let value, abs(value) < 1e15 else { return nil }
        return Int(value.rounded())
    }
}
