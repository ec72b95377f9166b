/// A series of values as a line of bars, for a terminal.
///
///     ▁▁▂▅█▆▃▂▁▁
package struct Sparkline: Equatable, Sendable {
    private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    private let values: [Double]

    /// Values in their order; one that is negative or not finite counts as zero.
    package init(_ values: [Double]) {
        self.values = values.map { $0.isFinite ? max(0, $0) : 0 }
    }

    /// Whole values in their order; a negative one counts as zero.
    package init(_ values: [Int]) { self.init(values.map(Double.init)) }

    /// One bar for each value. If there are more than `width` values, each bar shows the largest of
    /// several neighbours. The largest value of all has the highest bar.
    package func text(width: Int) -> String {
        let columns = Thinning(values, to: width).values
        guard let largest = columns.max(), largest > 0 else {
            return String(repeating: Self.bars[0], count: columns.count)
        }
        let top = Double(Self.bars.count - 1)
        return String(columns.map { Self.bars[Int(($0 / largest * top).rounded())] })
    }
}
