internal import DataStructures
package import StoreFormat

extension ScheduleClock {
    /// Writes 32 bytes: schedule time, monotonic clock, wall clock, `ahead`.
    package func write(to writer: inout StoreWriter) {
        writer.put(now)
        writer.put(monotonic)
        writer.put(wall)
        writer.put(ahead)
    }

    /// Reads a clock; throws `corrupt` if the bytes are cut off, or if a value is out of range.
    package init(reading reader: inout StoreReader) throws(StoreError) {
        now = try reader.read(Int64.self)
        monotonic = try reader.read(Int64.self)
        wall = try reader.read(Int64.self)
        ahead = try reader.read(Int64.self)
        if !(0...Self.end).contains(now) || !(0...Self.tolerance).contains(ahead) {
            throw reader.corrupt("a schedule time that cannot be")
        }
    }
}
