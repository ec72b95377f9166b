/// A series with fewer values: of neighbours the largest stays, so that peaks are kept.
package struct Thinning: Equatable, Sendable {
    package let values: [Double]
    /// How many neighbours are one value.
    package let step: Int

    /// - Parameters:
    ///   - values: the series.
    ///   - limit: how many values there may be in the end; below 1 there are none.
    package init(_ values: [Double], to limit: Int) {
        guard limit > 0 else {
            (self.values, step) = ([], 1)
            return
        }
        let step = max(1, (values.count + limit - 1) / limit)
        self.step = step
        self.values = stride(from: 0, to: values.count, by: step).map { start in
            values[start..<min(start + step, values.count)].max()!
        }
    }
}
