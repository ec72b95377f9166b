internal import Basics
internal import Foundation

/// An axis of a plot: its range, its marks and its title.
package struct PlotAxis: Encodable, Sendable {
    /// A value that is written beside the axis.
    struct Mark: Encodable, Sendable {
        let value: Double
        let text: String
    }

    /// The values at its ends.
    package let range: ClosedRange<Double>
    let isLogarithmic: Bool
    /// The marks within the range.
    let marks: [Mark]
    let title: String
    /// True to draw a grid line at each mark. The vertical axis always has them.
    let hasGrid: Bool

    /// Makes an axis; marks outside the range are left out.
    package init(
        range: ClosedRange<Double>,
        isLogarithmic: Bool = false,
        marks: [(value: Double, text: String)] = [],
        title: String = "",
        hasGrid: Bool = false
    ) {
        self.range = range
        self.isLogarithmic = isLogarithmic
        self.marks = marks.filter { range.contains($0.value) }
            .map { Mark(value: $0.value, text: $0.text) }
        self.title = title
        self.hasGrid = hasGrid
    }

    /// The position of a value on an axis of this length. A value beyond an end lies at that end,
    /// and NaN at the lower one.
    func position(_ value: Double, length: Int) -> Int {
        assert(length >= 0, "the axis ends before it begins")
        assert(!isLogarithmic || range.lowerBound > 0, "a logarithmic axis begins above 0")
        let (low, high) = (range.lowerBound, range.upperBound)
        if value.isNaN || value <= low { return 0 }
        if value >= high { return length }
        let share =
            isLogarithmic ? log(value / low) / log(high / low) : (value - low) / (high - low)
        return Int((share * Double(length)).rounded())
    }

    /// A time axis from 0, in the unit that suits the span: seconds, minutes or hours.
    static func time(seconds: Int) -> PlotAxis {
        let (title, unit) =
            seconds <= 240
            ? ("seconds", 1.0) : seconds <= 14_400 ? ("minutes", 60) : ("hours", 3_600)
        let end = max(1, Double(seconds)) / unit
        // A day has 24 hours, and its parts are not decimal.
        let hours = end <= 12 ? 1.0 : end <= 36 ? 3 : 24
        let step = title == "hours" ? hours : roundStep(end / 10)
        return PlotAxis(
            range: 0...end,
            marks: stride(from: 0, through: end, by: step).map {
                ($0, FigureText.fixed($0, places: step < 1 ? 1 : 0))
            },
            title: title
        )
    }

    /// The smallest of 1, 2, 5, 10, 20 and so on that is not below `least`.
    private static func roundStep(_ least: Double) -> Double {
        assert(least > 0, "the marks would be in one place")
        let power = pow(10, floor(log10(least)))
        return [1, 2, 5].map { $0 * power }.first { $0 >= least } ?? 10 * power
    }

    /// An axis from 0 to a little more than `largest`, with a few marks at round numbers.
    static func upwards(to largest: Double, title: String) -> PlotAxis {
        let top = largest.isFinite ? min(max(1, largest), 1e12) : 1
        var step = pow(10, floor(log10(top / 5)))
        for factor in [2, 2.5, 2] where top / step > 5 { step *= factor }
        let marks = stride(from: 0, through: top * 1.14, by: step).map { mark in
            (mark, step < 1 ? FigureText.fixed(mark, places: 1) : FigureText.grouped(Int(mark)))
        }
        return PlotAxis(range: 0...top * 1.14, marks: marks, title: title)
    }

    /// A logarithmic axis from just below 1 to above `largest`, with marks at the powers of ten.
    package static func powersOfTen(to largest: Double, title: String) -> PlotAxis {
        let powers = (0...9).map { pow(10, Double($0)) }
        return PlotAxis(
            range: 0.8...largest * 2.4,
            isLogarithmic: true,
            marks: powers.map { ($0, FigureText.grouped(Int($0))) },
            title: title
        )
    }

    /// A logarithmic axis for latencies in ms, from the power of ten below them to the one above.
    static func latency(_ milliseconds: [Double]) -> PlotAxis {
        let logarithms = milliseconds.filter { $0 > 0 && $0 < 1e9 }.map(log10)
        let low = floor(logarithms.min() ?? 0)
        let high = max(low + 1, ceil(logarithms.max() ?? 1))
        let names = [
            "1 µs", "10 µs", "0.1 ms", "1 ms", "10 ms", "100 ms", "1 s", "10 s", "100 s", "1000 s",
            "10,000 s",
        ]
        return PlotAxis(
            range: pow(10, low)...pow(10, high),
            isLogarithmic: true,
            marks: logarithms.isEmpty
                ? [] : names.enumerated().map { (pow(10, Double($0 - 3)), $1) }
        )
    }

    /// A logarithmic axis for percentiles: from 90 % on, each further nine takes the same length.
    static func rarity(upTo percentile: Double) -> PlotAxis {
        let names = ["90 %", "99 %", "99.9 %", "99.99 %", "99.999 %"]
        return PlotAxis(
            range: 1...max(10, rarity(of: percentile)),
            isLogarithmic: true,
            marks: [(1, "0 %"), (2, "50 %")]
                + names.enumerated().map { (pow(10, Double($0 + 1)), $1) },
            title: "of all, at most",
            hasGrid: true
        )
    }

    /// The value of a percentile on the axis `rarity(upTo:)`: one of this many measurements exceeds
    /// it. A damaged report may have one of 100 % or more, which lies far at the end.
    static func rarity(of percentile: Double) -> Double { 100 / max(1e-6, 100 - percentile) }
}
