package import Basics
package import StoreFormat

/// The reload budget of one widget instance: its reloads of the last 24 hours, and how many it may
/// have. 32 bytes.
///
/// Time is cut into buckets of L = 24 h / 23, in whole milliseconds (1 h 2 min 37 s):
///
///     ├──┬──┬──┬─ … ─┬──┬──┬──┤
///      23 22 21        2  1  0 ▲ now      a charge counts in bucket 0; bucket 23 drops out when
///                                         bucket 0 ends
///
/// The 23 buckets before the current one last 24 h and 6 ms, so that
/// - a charge stops counting after more than 24 h and at most 24 L (24 h and L, and the same 6 ms);
/// - if charges are made only when `earliest` returns `now`, any 24 h contain at most as many
///   charges as the allowance at the last of them, even when a bucket is full
///   (`ReloadBudgetWindow`).
///
/// A widget's `phase`, 0 ..< 24 h, is derived from its number and must be the same in every call.
/// Buckets and days are those of `now + phase`, so that the bucket borders and the days of
/// different widgets do not coincide. `now` is of the monotonic clock, so that setting the wall
/// clock costs no widget a reload; it must not be earlier than that of an earlier change.
///
/// Of the bucket and the day of the last change only the lowest 16 bits are kept. The day shows
/// whether the bucket number has wrapped: from the third day on, all buckets have dropped out
/// (65,536 buckets are 7.8 years). Days wrap after 179 years; a widget without any change for so
/// long would have its last charges counted once more.
///
/// All calls take constant time. Reading does not change the state: time that has passed is applied
/// to a copy.
package struct ReloadBudget: BitwiseCopyable, Sendable {
    /// Length of a bucket, L.
    package static var bucketLength: Milliseconds { (dayLength + .milliseconds(22)) / 23 }
    /// Length of a day; phases are below it.
    package static var dayLength: Milliseconds { .days(1) }

    var window = ReloadBudgetWindow()
    /// The number of the bucket of the last change, modulo 2^16.
    var bucket: UInt16
    /// The number of the day of the last change, modulo 2^16.
    var day: UInt16
    /// The widget's views and its age in days.
    var habit: ReloadBudgetHabit

    /// Makes the budget of a widget that is added now; nothing is spent.
    package init(now: MonotonicTime, phase: Milliseconds) {
        let time = BudgetTime(now, phase: phase)
        bucket = UInt16(truncatingIfNeeded: time.bucket)
        day = UInt16(truncatingIfNeeded: time.day)
        habit = ReloadBudgetHabit(isAddedAtStartOfDay: time.isStartOfDay)
    }

    /// Records that the widget came into view.
    package mutating func recordView(at now: MonotonicTime, phase: Milliseconds) {
        advance(to: BudgetTime(now, phase: phase))
        habit.addView()
    }

    /// Counts a reload of the widget, whether the router asked for it or the device reloaded by
    /// itself.
    package mutating func charge(at now: MonotonicTime, phase: Milliseconds) {
        advance(to: BudgetTime(now, phase: phase))
        window.add()
    }

    /// How many reloads the widget may have in 24 h, judged by its views and age at `now`: from 0
    /// to `BudgetPolicy.limit`, or `Int.max` if the policy sets no limit.
    package func allowance(
        _ policy: BudgetPolicy,
        at now: MonotonicTime,
        phase: Milliseconds
    ) -> Int {
        allowance(policy, at: BudgetTime(now, phase: phase))
    }

    /// How many charges count at `now`: all of the last 24 h, and some that are older by at most L.
    ///
    /// A bucket counts up to 255.
    package func used(at now: MonotonicTime, phase: Milliseconds) -> Int {
        window(at: BudgetTime(now, phase: phase)).sum
    }

    /// The first time at which one more charge is within the present allowance: `now`, the time at
    /// which enough old charges stop counting, or `.max` if the allowance is 0.
    ///
    /// The share `urgentPercent` of the allowance is reserved for reloads that `mayUseReserve`,
    /// except that at least one reload is never reserved. The allowance may have changed by the
    /// returned time: ask again then.
    package func earliest(
        _ policy: BudgetPolicy,
        mayUseReserve: Bool,
        at now: MonotonicTime,
        phase: Milliseconds
    ) -> MonotonicTime {
        guard policy.isLimited else { return now }
        let time = BudgetTime(now, phase: phase)
        let allowance = allowance(policy, at: time)
        guard allowance > 0 else { return .max }
        let reserve = mayUseReserve ? 0 : allowance * policy.urgentPercent / 100
        let buckets = window(at: time).advances(untilBelow: max(allowance - reserve, 1))
        return buckets == 0 ? now : time.start(ofBucketAfter: buckets)
    }

    /// Does what the other `allowance` does, for a time in buckets and days.
    private func allowance(_ policy: BudgetPolicy, at time: BudgetTime) -> Int {
        guard policy.isLimited else { return .max }
        var habit = habit
        habit.roll(days: days(to: time))
        return habit.allowance(policy)
    }

    /// The charges as they count at a time: with the buckets dropped that are over by then.
    private func window(at time: BudgetTime) -> ReloadBudgetWindow {
        var window = window
        window.advance(by: buckets(to: time))
        return window
    }

    /// Applies the buckets and days that have passed since the last change.
    private mutating func advance(to time: BudgetTime) {
        habit.roll(days: days(to: time))
        window.advance(by: buckets(to: time))
        bucket = UInt16(truncatingIfNeeded: time.bucket)
        day = UInt16(truncatingIfNeeded: time.day)
    }

    /// How many days have begun since the last change.
    private func days(to time: BudgetTime) -> Int {
        let days = Int(UInt16(truncatingIfNeeded: time.day) &- day)
        assert(days < Int(UInt16.max), "time goes back")
        return days
    }

    /// How many buckets have begun since the last change; the size of the window if more than two
    /// days have.
    private func buckets(to time: BudgetTime) -> Int {
        // Three borders between days take more than 48 h, which is longer than the window.
        if days(to: time) > 2 { return ReloadBudgetWindow.bucketCount }
        let buckets = Int(UInt16(truncatingIfNeeded: time.bucket) &- bucket)
        assert(buckets <= 3 * ReloadBudgetWindow.bucketCount, "time goes back")
        return buckets
    }
}

/// A moment of the monotonic clock, in the buckets and days of a widget with a certain phase.
private struct BudgetTime {
    /// The time plus the widget's phase, in ms.
    private let local: UInt64
    private let phase: UInt64

    init(_ now: MonotonicTime, phase: Milliseconds) {
        assert(now >= .zero, "the monotonic clock is not negative")
        assert((.zero..<ReloadBudget.dayLength).contains(phase), "a phase is a time of day")
        local = UInt64(bitPattern: now.rawValue &+ phase.rawValue)
        self.phase = UInt64(bitPattern: phase.rawValue)
    }

    private static var bucketLength: UInt64 { UInt64(ReloadBudget.bucketLength.rawValue) }
    private static var dayLength: UInt64 { UInt64(ReloadBudget.dayLength.rawValue) }

    var bucket: UInt64 { local / Self.bucketLength }
    var day: UInt64 { local / Self.dayLength }
    /// Whether a day of the widget begins at just this time.
    var isStartOfDay: Bool { local.isMultiple(of: Self.dayLength) }

    /// When the bucket begins that is `buckets` after the current one.
    func start(ofBucketAfter buckets: Int) -> MonotonicTime {
        let start = (bucket + UInt64(buckets)) * Self.bucketLength
        return MonotonicTime(rawValue: Int64(clamping: start - phase))
    }
}

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

extension ReloadBudget {
    /// Checks that the last change can have been at `now` or before, and that the average of views
    /// is at most 255 a day, the most that are counted.
    ///
    /// - Throws: the first contradiction.
    package func checkInvariants(
        at now: MonotonicTime,
        phase: Milliseconds
    ) throws(InvariantViolation) {
        try checkInvariant(
            isPossible(at: now, phase: phase),
            otherwise: "the last change, in bucket \(bucket) of day \(day), is after \(now)"
        )
        try checkInvariant(
            Int(habit.average) <= Int(UInt8.max) * ReloadBudgetHabit.view,
            otherwise: "\(habit.average) of 256 views a day are more than are counted"
        )
    }
}
