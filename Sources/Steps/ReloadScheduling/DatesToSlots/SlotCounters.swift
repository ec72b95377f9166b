internal import Basics
internal import StoreFormat

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

extension SlotCounters {
    /// Counters above this are damaged: more than can be counted in a thousand years.
    static var limit: UInt64 { 1 << 60 }

    /// Writes the four counters, 64 bits each.
    func write(to writer: inout StoreWriter) {
        writer.put(UInt64(assigned))
        writer.put(UInt64(released))
        writer.put(UInt64(finished))
        writer.put(UInt64(windowsGrown))
    }

    init(reading reader: inout StoreReader) throws(StoreError) {
        assigned = try Self.count(&reader)
        released = try Self.count(&reader)
        finished = try Self.count(&reader)
        windowsGrown = try Self.count(&reader)
        if pending < 0 || windowsGrown > assigned {
            throw reader.corrupt("a ledger's counters contradict one another")
        }
    }

    /// Reads one counter; throws `corrupt` if it is above `limit`.
    private static func count(_ reader: inout StoreReader) throws(StoreError) -> Int {
        let count = try reader.read(UInt64.self)
        if count > limit { throw reader.corrupt("a count of \(count)") }
        return Int(count)
    }
}
