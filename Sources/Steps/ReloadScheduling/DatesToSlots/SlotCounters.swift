/// Counters of what a ledger has done since it was first made.
package struct SlotCounters: Equatable, Sendable {
    /// How many slots were assigned.
    package var assigned = 0
    /// How many slots were released because their reload was cancelled.
    package var released = 0
    /// How many slots ended because their reload was sent or turned into an immediate one.
    package var finished = 0
    /// How often a group found its whole window full and continued after it.
    package var windowsGrown = 0

    /// Makes the counters of a new ledger; all are 0.
    package init() {}

    /// The number of slots in use. Each belongs to a reload of the caller; a slot without one has
    /// leaked.
    package var pending: Int { assigned - released - finished }
}
