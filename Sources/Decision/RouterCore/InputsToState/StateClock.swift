internal import Basics
internal import FrameCodec
internal import ReloadScheduling
internal import StoreFormat

/// The time of the state: what all of its parts read, and none but `apply` sets.
struct StateClock {
    /// What the monotonic and the wall clock showed.
    private(set) var now = Instant(monotonic: .zero, wall: .zero)
    /// Schedule time, the time of timers and permits, at `now`.
    private(set) var schedule = ScheduleClock(Instant(monotonic: .zero, wall: .zero))
    /// Whether `now` was ever set.
    private(set) var isSet = false
    /// When the origins next forget the seconds that are over.
    private(set) var nextPass = ScheduleTime.zero
    /// The time in which the idleness of producers and devices is measured.
    var running = RunningTime()

    /// Sets the time.
    @inline(__always)
    mutating func set(_ now: Instant, schedule: ScheduleClock) {
        self.now = now
        self.schedule = schedule
        isSet = true
    }

    /// Counts the running time up to now.
    mutating func countRunningTime() { running.advance(to: now) }

    /// The present running time in whole seconds.
    @inline(__always)
    var runningSeconds: UInt32 { UInt32(clamping: running.time(at: now.monotonic).wholeSeconds) }

    /// The origins have forgotten the seconds that are over; they next do so in a second.
    mutating func originsPassed() {
        nextPass = schedule.now + .seconds(1)
        countRunningTime()
    }

    /// Converts a time of the monotonic clock to wall time; `.max` on overflow.
    func wallTime(ofMonotonic time: MonotonicTime) -> WallTime {
        let wait = time.rawValue &- now.monotonic.rawValue
        let (sum, overflow) = now.wall.rawValue.addingReportingOverflow(wait)
        return overflow ? .max : WallTime(rawValue: sum)
    }

    /// Why the clock cannot be set to a time, as the beginning of a sentence; nil if it can.
    func problem(with time: Instant, schedule: ScheduleClock) -> String? {
        if isSet && (time.monotonic < now.monotonic || schedule.now < self.schedule.now) {
            return "time goes back"
        }
        return time.isStorable ? nil : "an impossible time"
    }

    // MARK: - Dates that are none

    /// Refuses a timeline of which a date looks like one in another unit. 0, the zero value of many
    /// languages, is a date that is over. Entries rise, so those between two dates are dates.
    ///
    /// - Throws: `timeline-invalid`.
    func requireMilliseconds(_ message: TimelineMessage) throws(ProtocolError) {
        if let first = message.firstEntry, let last = message.lastEntry {
            try requireMilliseconds(first.date, as: "entries[\(first.index)]")
            try requireMilliseconds(last.date, as: "entries[\(last.index)]")
        }
        if case .after(let date) = message.policy {
            try requireMilliseconds(date, as: "policy.after")
        }
    }

    private func requireMilliseconds(
        _ date: WallTime,
        as what: @autoclosure () -> String
    ) throws(ProtocolError) {
        if date == .zero { return }
        let number = UInt64(date.rawValue)
        guard let unit = WallTime.misreading(of: number, now: now.wall) else { return }
        throw ProtocolError(
            .timelineInvalid,
            message: "\(what()) is \(number), which looks like \(unit); "
                + "send milliseconds since 1970"
        )
    }

    // MARK: - The table

    /// Writes the time, without the running time.
    func write(to writer: inout StoreWriter) {
        writer.put(isSet)
        writer.put(now.monotonic)
        writer.put(now.wall)
        schedule.write(to: &writer)
        writer.put(nextPass)
    }

    /// Reads what `write(to:)` has written.
    mutating func restore(_ reader: inout StoreReader) throws(StoreError) {
        isSet = try reader.readBool()
        let monotonic = try reader.read(MonotonicTime.self)
        now = Instant(monotonic: monotonic, wall: try reader.read(WallTime.self))
        if !now.isStorable { throw reader.corrupt("an impossible time") }
        schedule = try ScheduleClock(reading: &reader)
        nextPass = try reader.read(ScheduleTime.self)
    }

    /// Reads the running time, which cannot have been counted later than now.
    mutating func restoreRunningTime(_ reader: inout StoreReader) throws(StoreError) {
        running = try RunningTime(reading: &reader)
        if let countedAt = running.countedAt, countedAt.monotonic > now.monotonic {
            throw reader.corrupt("a running time counted in the future")
        }
    }
}

/// How long the router has run, summed over all processes that had its store.
///
/// The idleness of producers and devices is measured in it. The wall clock would not do, because it
/// may be set. Nor would the monotonic clock: from one process to the next it advances as the wall
/// clock does, while publishers cannot connect. Running time advances with inputs of the journal,
/// so a router that reads the journal computes the same time.
struct RunningTime: Equatable {
    /// The running time at `countedAt`.
    private(set) var total = Milliseconds.zero
    /// When `total` was counted last; nil from the end of a process to the next count.
    private(set) var countedAt: Instant?

    /// The running time at a moment of the monotonic clock. A moment before the last count yields
    /// the running time of that count.
    func time(at monotonic: MonotonicTime) -> Milliseconds {
        guard let countedAt else { return total }
        return total + max(.zero, monotonic - countedAt.monotonic)
    }

    /// Counts the time since the last count; the first count of a process adds nothing.
    mutating func advance(to now: Instant) {
        total = time(at: now.monotonic)
        countedAt = now
    }

    /// Makes the next count add nothing, because the process has ended.
    mutating func stop() { countedAt = nil }
}

extension RunningTime {
    /// Writes the running time, and when it was last counted.
    func write(to writer: inout StoreWriter) {
        writer.put(total)
        writer.put(countedAt != nil)
        writer.put(countedAt?.monotonic ?? .zero)
        writer.put(countedAt?.wall ?? .zero)
    }

    /// Reads what `write(to:)` has written.
    init(reading reader: inout StoreReader) throws(StoreError) {
        let total = try reader.read(Milliseconds.self)
        let isCounted = try reader.readBool()
        let monotonic = try reader.read(MonotonicTime.self)
        let time = Instant(monotonic: monotonic, wall: try reader.read(WallTime.self))
        if !(0...1 << 60).contains(total.rawValue) || !time.isStorable {
            throw reader.corrupt("an impossible running time")
        }
        self.init(total: total, countedAt: isCounted ? time : nil)
    }
}
