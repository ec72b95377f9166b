/// Which of a store's partitions a router is, and of how many.
package struct Partition: Equatable, BitwiseCopyable, Sendable, CustomStringConvertible {
    /// The partition's number.
    package let id: PartitionID
    /// The number of partitions.
    package let count: UInt32

    /// Makes one of `count` partitions.
    package init(_ id: PartitionID, of count: Int) {
        precondition(PartitionMap.counts.contains(count), "a store of \(count) partitions")
        precondition(id.index < count, "there is no partition \(id) of \(count)")
        self.id = id
        self.count = UInt32(count)
    }

    /// The partition of a store that has no other.
    package static var only: Partition { Partition(.first, of: 1) }
    /// Whether there is no other.
    package var isOnly: Bool { count == 1 }

    /// The partition as a sentence names it.
    package var description: String {
        isOnly ? "the only partition" : "partition \(id) of \(count)"
    }
}
