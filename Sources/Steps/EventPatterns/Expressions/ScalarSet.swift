/// The scalars that a class of a regular expression matches: ranges and categories, or all others.
///
/// `RegexParser` builds a set with `insert` and ends with `normalize`; only then may `contains` be
/// called.
struct ScalarSet: Equatable, Sendable {
    /// The ranges of scalars; once `normalize` has run, they ascend and no two are adjacent.
    private(set) var ranges: ContiguousArray<ClosedRange<UInt32>> = []
    private(set) var categories: GeneralCategories = []
    /// Whether the set matches the scalars outside of `ranges` and `categories`.
    var isNegated = false
    /// Answers for scalars 0–63 and 64–127, one bit each: ASCII needs no search.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Adds a range; it may overlap others until `normalize`.
    mutating func insert(_ range: ClosedRange<UInt32>) { ranges.append(range) }

    /// Adds all scalars of these categories.
    mutating func insert(_ other: GeneralCategories) { categories.formUnion(other) }

    /// The scalar of a set of exactly one; nil for all others. Valid before `normalize`.
    var single: UInt32? {
        guard !isNegated, categories.isEmpty, ranges.count == 1 else { return nil }
        return ranges[0].count == 1 ? ranges[0].lowerBound : nil
    }

    /// Bytes of the ranges on the heap.
    var byteCount: Int { ranges.count * MemoryLayout<ClosedRange<UInt32>>.stride }

    /// Sorts and merges the ranges and computes the answers for ASCII; nothing may be inserted
    /// afterwards.
    mutating func normalize() {
        var merged: ContiguousArray<ClosedRange<UInt32>> = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
                let end = max(last.upperBound, range.upperBound)
                merged[merged.count - 1] = last.lowerBound...end
            } else {
                merged.append(range)
            }
        }
        ranges = merged
        (low, high) = categories.ascii
        for range in ranges where range.lowerBound < 128 {
            for scalar in range.clamped(to: 0...127) {
                if scalar < 64 {
                    low |= 1 << UInt64(scalar)
                } else {
                    high |= 1 << UInt64(scalar - 64)
                }
            }
        }
        if isNegated { (low, high) = (~low, ~high) }
    }

    /// Whether the set matches a scalar.
    @inline(__always)
    func contains(_ scalar: UInt32) -> Bool {
        if scalar < 64 { return low >> UInt64(scalar) & 1 != 0 }
        if scalar < 128 { return high >> UInt64(scalar &- 64) & 1 != 0 }
        return search(scalar)
    }

    /// `contains` without the answers for ASCII.
    private func search(_ scalar: UInt32) -> Bool {
        var start = 0
        var end = ranges.count
        while start < end {
            let middle = (start + end) / 2
            if ranges[middle].upperBound < scalar {
                start = middle + 1
            } else {
                end = middle
            }
        }
        if start < ranges.count, ranges[start].lowerBound <= scalar { return !isNegated }
        if categories.isEmpty { return isNegated }
        return categories.contains(GeneralCategories(of: scalar)) != isNegated
    }
}
