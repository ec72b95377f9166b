/// How devices and producers are divided among the partitions of a store: by a hash of their names,
/// which is the same in every process.
///
///     app, device   ─► stableHash ─► mod count ─► the partition with all that the device owns
///     app, producer ─► the same                ─► the producer's home, where its pushes go first
///
/// It is fixed when the store is made. The seed is secret: without it, names that all fall to one
/// partition cannot be chosen.
package struct PartitionMap: Equatable, Sendable {
    /// The number of partitions, 1 to `RouterLimits.partitionsLimit`.
    package let count: Int
    /// The store's seed.
    package let seed: DecisionSeed

    /// Makes the map of a store with this many partitions.
    package init(count: Int, seed: DecisionSeed) {
        precondition(Self.counts.contains(count), "a store of \(count) partitions")
        self.count = count
        self.seed = seed
    }

    /// The numbers of partitions that a store can have.
    package static var counts: ClosedRange<Int> { 1...RouterLimits.partitionsLimit }

    /// The partition of a device of an app.
    package func partition(app: ByteView, device: ByteView) -> PartitionID {
        number(of: device, app: app)
    }

    /// The home of a producer of an app.
    package func home(app: ByteView, producer: ByteView) -> PartitionID {
        number(of: producer, app: app)
    }

    private func number(of name: ByteView, app: ByteView) -> PartitionID {
        if count == 1 { return .first }
        let hash = stableHash(name, seed: stableHash(app, seed: seed.rawValue))
        return PartitionID(index: Int(hash % UInt64(count)))
    }
}
