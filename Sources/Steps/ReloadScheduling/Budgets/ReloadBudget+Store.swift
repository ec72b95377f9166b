package import Basics
package import StoreFormat

extension ReloadBudget {
    /// Writes the 32 bytes of a budget.
    ///
    ///     0    charges of the buckets, from the one that runs now back     24 × 8 bits
    ///     24   bucket │ day                                                16 + 16
    ///     28   average of views │ today's │ age                            16 + 8 + 8
    package func write(to writer: inout StoreWriter) {
        writer.put(window.recent)
        writer.put(window.middle)
        writer.put(window.oldest)
        writer.put(bucket)
        writer.put(day)
        habit.write(to: &writer)
    }

    /// Reads a budget. Without the widget's phase little can be checked: ask `isPossible` before
    /// any other call.
    package init(reading reader: inout StoreReader) throws(StoreError) {
        window = ReloadBudgetWindow()
        window.recent = try reader.read(UInt64.self)
        window.middle = try reader.read(UInt64.self)
        window.oldest = try reader.read(UInt64.self)
        bucket = try reader.read(UInt16.self)
        day = try reader.read(UInt16.self)
        habit = try ReloadBudgetHabit(reading: &reader)
    }

    /// Whether the last change can have been at `now` or before, as every call requires: bucket and
    /// day must belong to the same moment, and that must not be in the future.
    package func isPossible(at now: MonotonicTime, phase: Milliseconds) -> Bool {
        let local = (now + phase).rawValue
        let (dayLength, bucketLength) = (Self.dayLength.rawValue, Self.bucketLength.rawValue)
        let today = local / dayLength
        let changed = today - Int64(UInt16(truncatingIfNeeded: today) &- day)
        if changed < 0 { return false }
        let first = changed * dayLength / bucketLength
        let last = min(local, (changed + 1) * dayLength - 1) / bucketLength
        return Int64(bucket &- UInt16(truncatingIfNeeded: first)) <= last - first
    }
}
