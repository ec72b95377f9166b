internal import Foundation
internal import RouterMetrics

/// How long something took, in milliseconds.
package struct LatencySummary: Codable, Equatable, Sendable {
    /// The curve of all percentiles.
    package struct Spectrum: Codable, Equatable, Sendable {
        /// Per cent, ascending, below 100.
        package var percentiles: [Double] = []
        /// What so many took at most.
        package var milliseconds: [Double] = []
    }

    package var count = 0
    package var p50 = 0.0
    package var p90 = 0.0
    package var p99 = 0.0
    package var p999 = 0.0
    package var max = 0.0
    package var spectrum = Spectrum()

    /// Nothing was measured.
    package init() {}

    /// Asks for every percentile that a report shows.
    ///
    /// - Parameters:
    ///   - count: how many were measured; the percentiles are not asked for if it is 0.
    ///   - max: the longest.
    ///   - milliseconds: what so many per cent took at most.
    package init(count: Int, max: Double, milliseconds: (_ percentile: Double) -> Double) {
        guard count > 0 else { return }
        self.count = count
        self.max = max
        p50 = milliseconds(50)
        p90 = milliseconds(90)
        p99 = milliseconds(99)
        p999 = milliseconds(99.9)
        let percentiles = Self.percentiles(of: count)
        spectrum = Spectrum(
            percentiles: percentiles,
            milliseconds: percentiles.map(milliseconds)
        )
    }

    /// The summary of all that was measured, in any order; of each percentile the nearest rank.
    package init(milliseconds measured: [Double]) {
        let sorted = measured.sorted()
        self.init(count: sorted.count, max: sorted.last ?? 0) { percentile in
            sorted[percentile.rank(among: sorted.count) - 1]
        }
    }

    /// Ten for each further nine, as far as so many measurements can tell them apart.
    static func percentiles(of count: Int) -> [Double] {
        let steps = (0...50).map { 100 - 100 * pow(10, -Double($0) / 10) }
        // Half of one measurement may lie above the last.
        return steps.filter { (100 - $0) / 100 * Double(count) >= 0.5 }
    }
}

extension LatencySummary {
    /// What tables say of it.
    static let columns = ["count", "p50", "p90", "p99", "p99.9", "max"]

    var cells: [String] {
        let times: [KeyPath<LatencySummary, Double>] = [\.p50, \.p90, \.p99, \.p999, \.max]
        return [FigureText.grouped(count)] + times.map { text($0) }
    }

    func text(_ time: KeyPath<LatencySummary, Double>) -> String {
        count == 0 ? "–" : FigureText.milliseconds(self[keyPath: time])
    }
}

extension Double {
    /// The nearest rank of this percentile, from 1.
    func rank(among count: Int) -> Int {
        // A little less: 99.9 % of 1,000 are 999, and not the next number above it.
        Swift.max(1, Int((self / 100 * Double(count) - 1e-6).rounded(.up)))
    }
}
