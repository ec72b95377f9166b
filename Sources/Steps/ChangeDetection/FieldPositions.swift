/// A set of positions in a kind's list of fields, one bit for each.
@frozen @usableFromInline
struct FieldPositions: OptionSet, BitwiseCopyable, Sendable {
    @usableFromInline let rawValue: UInt16

    @inlinable @inline(__always)
    init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The set of one position.
    @inline(__always)
    init(_ place: Int) {
        assert(place >= 0 && place < UInt16.bitWidth, "position \(place)")
        rawValue = 1 << UInt16(truncatingIfNeeded: place)
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
    subscript(place: Int) -> Bool { rawValue & FieldPositions(place).rawValue != 0 }

    /// How many positions of the set are before one.
    @inline(__always)
    func count(before place: Int) -> Int { intersection(FieldPositions(first: place)).count }

    /// Removes and returns the lowest position; nil if the set is empty.
    @inline(__always)
    mutating func popFirst() -> Int? {
        if rawValue == 0 { return nil }
        let place = rawValue.trailingZeroBitCount
        self = FieldPositions(rawValue: rawValue & (rawValue &- 1))
        return place
    }
}
