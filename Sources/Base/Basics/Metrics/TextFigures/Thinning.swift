/// A series reduced to fewer values, each the largest of several neighbours, so that peaks are
/// kept.
package struct Thinning: Equatable, Sendable {
    /// The reduced series, in order.
    package let values: [Double]
    /// The number of neighbours that became one value.
    package let step: Int

    /// Reduces a series to at most `limit` values; to none if that is below 1.
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
