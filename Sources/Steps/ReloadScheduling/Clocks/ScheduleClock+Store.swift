internal import Basics
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
        now = try reader.read(ScheduleTime.self)
        monotonic = try reader.read(MonotonicTime.self)
        wall = try reader.read(WallTime.self)
        ahead = try reader.read(Milliseconds.self)
        if !(.zero...Self.end).contains(now) || !(.zero...Self.tolerance).contains(ahead) {
            throw reader.corrupt("an impossible schedule time")
        }
    }
}
