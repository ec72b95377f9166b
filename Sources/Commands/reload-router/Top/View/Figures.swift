import Basics
import CommandSupport

/// Formats the numbers of a status; a value that is missing is a dash.
enum Figures {
    static let dash = "–"

    /// Three significant digits, with separators between thousands.
    static func short(_ value: Double?) -> String { value.map(FigureText.short) ?? dash }

    static func rate(_ value: Double?) -> String { value.map(FigureText.rate) ?? dash }

    /// A whole number, with separators between thousands.
    static func count(_ value: Double?) -> String { whole(value).map(FigureText.grouped) ?? dash }

    static func bytes(_ value: Double?) -> String { whole(value).map(FigureText.bytes) ?? dash }

    static func microseconds(_ value: Double?) -> String {
        value.map { FigureText.nanoseconds($0 * 1_000) } ?? dash
    }

    static func milliseconds(_ value: Double?) -> String {
        value.map(FigureText.milliseconds) ?? dash
    }

    /// The time of day, in UTC, of a moment in ms since 1970: `12:03:04Z`.
    static func clock(_ milliseconds: Double) -> String {
        guard let whole = whole(milliseconds), whole >= 0 else { return dash }
        return WallDate(WallTime(rawValue: Int64(whole))).time
    }

    /// Rounds to a whole number; nil if the value is missing or too large for a counter, which JSON
    /// allows.
    private static func whole(_ value: Double?) -> Int? {
        guard let value, abs(value) < 1e15 else { return nil }
        return Int(value.rounded())
    }
}
