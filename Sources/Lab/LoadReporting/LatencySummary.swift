internal import Basics
internal import Foundation

/// A distribution of latencies, in milliseconds. All values are 0 if nothing was measured.
package struct LatencySummary: Codable, Equatable, Sendable {
    /// The curve of all percentiles.
    package struct Spectrum: Codable, Equatable, Sendable {
        /// The percentiles of the curve, in per cent, ascending, below 100.
        package var percentiles: [Double] = []
        /// For each percentile, the time in ms that this percentage of the measurements did not
        /// exceed.
        package var milliseconds: [Double] = []
    }

    /// The number of measurements.
    package var count = 0
    /// The median, in ms.
    package var p50 = 0.0
    /// The time that 90 % of the measurements did not exceed, in ms.
    package var p90 = 0.0
    /// The time that 99 % of the measurements did not exceed, in ms.
    package var p99 = 0.0
    /// The time that 99.9 % of the measurements did not exceed, in ms.
    package var p999 = 0.0
    /// The longest measured time, in ms.
    package var max = 0.0
    /// All percentiles that the number of measurements can resolve, for a plot.
    package var spectrum = Spectrum()

    /// A summary of no measurements.
    package init() {}

    /// Reads every percentile that a report shows from a distribution, in ms, unless it is empty.
    package init(count: Int, max: Double, milliseconds: (_ percentile: Double) -> Double) {
        guard count > 0 else { return }
        self.count = count
        self.max = max
        p50 = milliseconds(50)
        p90 = milliseconds(90)
        p99 = milliseconds(99)
        p999 = milliseconds(99.9)
        let percentiles = Self.percentiles(of: count)
        spectrum = Spectrum(percentiles: percentiles, milliseconds: percentiles.map(milliseconds))
    }

    /// The percentiles of the curve, ten from each of 0, 90, 99, 99.9 … to the next, as far as
    /// `count` measurements can distinguish them.
    static func percentiles(of count: Int) -> [Double] {
        let steps = (0...50).map { 100 - 100 * pow(10, -Double($0) / 10) }
        // A percentile is kept if at least half a measurement lies above it.
        return steps.filter { (100 - $0) / 100 * Double(count) >= 0.5 }
    }
}

extension LatencySummary {
    /// The times that tables show, with their names there.
    static var times: [(name: String, path: KeyPath<LatencySummary, Double>)] {
        [("p50", \.p50), ("p90", \.p90), ("p99", \.p99), ("p99.9", \.p999), ("max", \.max)]
    }

    /// A limit of latencies, in ms: `500us`, `5ms` or `1.5 s`; nil if the text is none of these.
    package static func limit(_ text: String) -> Double? {
        let units: [(String, Double)] = [("us", 0.001), ("ms", 1), ("s", 1_000)]
        guard let (unit, factor) = units.first(where: { text.hasSuffix($0.0) }) else { return nil }
        let digits = text.dropLast(unit.count)
        guard let number = Double(digits.hasSuffix(" ") ? digits.dropLast() : digits),
            number > 0, number.isFinite
        else { return nil }
        return number * factor
    }

    /// The columns of a table of latencies.
    static var columns: [String] { ["count"] + times.map(\.name) }

    /// The summary's row in such a table.
    func cells(resolution: Double) -> [String] {
        [FigureText.grouped(count)] + Self.times.map { text($0.path, resolution: resolution) }
    }

    /// One of the percentiles as text; a dash if nothing was measured.
    func text(_ time: KeyPath<LatencySummary, Double>, resolution: Double) -> String {
        if count == 0 { return "–" }
        let value = self[keyPath: time]
        return (value < resolution ? "< " : "")
            + FigureText.milliseconds(Swift.max(value, resolution))
    }
}

extension Double {
    /// The nearest rank of this percentile, from 1.
    func rank(among count: Int) -> Int {
        assert(self >= 0 && self <= 100 && count >= 0, "no percentile has a rank there")
        // Slightly less, so that 99.9 % of 1,000 is rank 999 in spite of rounding errors.
        return Swift.max(1, Int((self / 100 * Double(count) - 1e-6).rounded(.up)))
    }
}
