import Basics

/// Compares two results of the same benchmarks, for `bench compare`.
///
/// A figure's ratio to its reference of the same run can be compared between machines, and between
/// a quiet and a busy hour. Figures without a reference are compared only if they do not depend on
/// the machine's speed: those whose units are bytes or reloads.
package struct BenchComparison: Equatable, Sendable {
    /// One figure of both results.
    package struct Row: Equatable, Sendable {
        /// The name of the figure, such as `frames.16.rate`.
        package var name: String
        /// What is compared: `ratio`, or the unit of the figure if its values themselves are
        /// compared.
        package var of: String
        /// The baseline's median.
        package var before: Double
        /// The median of the new results.
        package var after: Double
        /// How many times as bad as before; above 1 is worse.
        package var worsening: Double
        /// Whether both the median and the best run are worse than the bound allows.
        package var isWorse: Bool
    }

    /// The figures that both results have and that can be compared, in the baseline's order.
    package private(set) var rows: [Row] = []
    /// Figures that only the baseline has.
    package private(set) var missing: [String] = []
    /// How many times as bad as before a figure may become.
    package let bound: Double

    /// A figure of the new results may become `bound` times as bad as in the earlier ones.
    package init(_ baseline: BenchResults, current: BenchResults, bound: Double) {
        self.bound = bound
        let now = Dictionary(
            current.benchmarks.flatMap(\.figures).map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        for figure in baseline.benchmarks.flatMap(\.figures) {
            guard let other = now[figure.name] else {
                missing.append(figure.name)
                continue
            }
            if let row = Self.row(figure, after: other, bound: bound) { rows.append(row) }
        }
    }

    /// The rows whose median and best run are both worse than `bound` allows.
    package var worse: [Row] { rows.filter(\.isWorse) }
    /// True if no figure is worse than `bound` allows, and none is missing.
    package var isAcceptable: Bool { worse.isEmpty && missing.isEmpty }

    private static func row(
        _ before: BenchResults.Figure,
        after: BenchResults.Figure,
        bound: Double
    ) -> Row? {
        if before.better == .neither { return nil }
        if let old = before.ratio, let new = after.ratio {
            return row(before, of: "ratio", before: old, after: new, bound: bound)
        }
        if !before.unit.hasPrefix("bytes") && !before.unit.hasPrefix("reloads") { return nil }
        return row(before, of: before.unit, before: before.value, after: after.value, bound: bound)
    }

    private static func row(
        _ figure: BenchResults.Figure,
        of: String,
        before: BenchResults.Spread,
        after: BenchResults.Spread,
        bound: Double
    ) -> Row? {
        assert(figure.better != .neither, "the figure can become neither better nor worse")
        guard before.median > 0, after.median > 0 else { return nil }
        let isLower = figure.better == .lower
        let worsening = isLower ? after.median / before.median : before.median / after.median
        // A single bad run among good ones is due to the machine, so the best run must be worse as
        // well.
        let best = isLower ? after.low / before.median : before.median / after.high
        return Row(
            name: figure.name,
            of: of,
            before: before.median,
            after: after.median,
            worsening: worsening,
            isWorse: worsening > bound && best > bound
        )
    }

    /// A table that begins with the figure that has worsened most, and the result in one sentence.
    package var text: String {
        var lines = [["figure", "of", "before", "now", "times as bad", ""]]
        for row in rows.sorted(by: { $0.worsening > $1.worsening }) {
            lines.append([
                row.name, row.of, FigureText.short(row.before), FigureText.short(row.after),
                FigureText.fixed(row.worsening, places: 2), row.isWorse ? "WORSE" : "",
            ])
        }
        var text = TextTable.text(lines, numbers: [2, 3, 4])
        for name in missing { text += "\(name) was not measured\n" }
        let verdict =
            isAcceptable
            ? "nothing is worse than \(FigureText.fixed(bound, places: 2)) times as bad as before"
            : "\(worse.count) of \(rows.count) figures are more than "
                + "\(FigureText.fixed(bound, places: 2)) times as bad as before, \(missing.count) are missing"
        return text + verdict + "\n"
    }
}
