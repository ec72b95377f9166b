/// A set of positions in a kind's list of fields, one bit for each.
@frozen @usableFromInline
struct FieldPositions: OptionSet, BitwiseCopyable, Sendable {
    @usableFromInline let rawValue: UInt16

    @inlinable @inline(__always)
    init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The set of one position.
    @inline(__always)
    init(_ index: Int) {
        assert(index >= 0 && index < UInt16.bitWidth, "position \(index)")
        rawValue = 1 << UInt16(truncatingIfNeeded: index)
    }

    /// The first `count` positions.
    @inlinable @inline(__always)
    init(first count: Int) {
        assert(count >= 0 && count <= UInt16.bitWidth, "\(count) positions")
        rawValue = UInt16(truncatingIfNeeded: 1 << UInt32(count) &- 1)
    }

    /// The number of positions in the set.
    @inline(__always)
    var count: Int { rawValue.nonzeroBitCount }

    /// Whether a position is in the set.
    @inline(__always)
    subscript(position: Int) -> Bool { rawValue & FieldPositions(position).rawValue != 0 }

    /// How many positions of the set are before one.
    @inline(__always)
    func count(before position: Int) -> Int { intersection(FieldPositions(first: position)).count }

    /// Removes and returns the lowest position; nil if the set is empty.
    @inline(__always)
    mutating func popFirst() -> Int? {
        if rawValue == 0 { return nil }
        let position = rawValue.trailingZeroBitCount
        self = FieldPositions(rawValue: rawValue & (rawValue &- 1))
        return position
    }
}
