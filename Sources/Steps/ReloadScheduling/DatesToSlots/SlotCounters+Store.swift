internal import Basics
internal import StoreFormat

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
