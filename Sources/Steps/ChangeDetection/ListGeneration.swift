/// The number of a change of any kind's list of fields: the higher one came later.
@frozen @usableFromInline
struct ListGeneration: Hashable, Comparable, BitwiseCopyable, Sendable {
    /// The generation of a list that has not changed since the start.
    @inlinable @inline(__always)
    static var first: ListGeneration { ListGeneration(rawValue: 0) }

    @usableFromInline let rawValue: UInt32

    @inlinable @inline(__always)
    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The generation of the next change.
    var next: ListGeneration { ListGeneration(rawValue: rawValue + 1) }

    @inlinable @inline(__always)
    static func < (left: ListGeneration, right: ListGeneration) -> Bool {
        left.rawValue < right.rawValue
    }
}
