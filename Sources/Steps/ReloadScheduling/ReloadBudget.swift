package import ReloadModel

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
/// - if charges are made only when `earliest` returns now, no 24 h ever hold more of them than the
///   allowance was at the last of them, not even when a bucket is full (`ReloadBudgetWindow`).
///
/// A widget's `phase`, 0 ..< 24 h in ms, is derived from its number and must be the same in every
/// call. Buckets and days are those of `now + phase`, so that the bucket borders and the days of
/// different widgets do not coincide. `now` is the monotonic clock in ms, so that setting the wall
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
    /// Length of a bucket, L, in ms.
    package static var bucketLength: Int64 { (dayLength + 22) / 23 }
    /// Length of a day in ms; phases are below it.
    package static var dayLength: Int64 { 86_400_000 }

    var window = ReloadBudgetWindow()
    /// The number of the bucket of the last change, modulo 2^16.
    var bucket: UInt16
    /// The number of the day of the last change, modulo 2^16.
    var day: UInt16
    var habit: ReloadBudgetHabit

    /// Makes the budget of a widget that is added now; nothing is spent.
    package init(now: Int64, phase: Int64) {
        let time = BudgetTime(now, phase: phase)
        bucket = UInt16(truncatingIfNeeded: time.bucket)
        day = UInt16(truncatingIfNeeded: time.day)
        habit = ReloadBudgetHabit(isAddedAtStartOfDay: time.isStartOfDay)
    }

    /// Records that the widget came into sight.
    package mutating func seen(at now: Int64, phase: Int64) {
        advance(to: BudgetTime(now, phase: phase))
        habit.see()
    }

    /// Counts a reload of the widget, whether the router asked for it or the device reloaded by
    /// itself.
    package mutating func charge(at now: Int64, phase: Int64) {
        advance(to: BudgetTime(now, phase: phase))
        window.add()
    }

    /// How many reloads the widget may have in 24 h, judged by its views and age at `now`: from 0
    /// to `BudgetPolicy.limit`, or `Int.max` if the policy sets no limit.
    package func allowance(_ policy: BudgetPolicy, at now: Int64, phase: Int64) -> Int {
        allowance(policy, at: BudgetTime(now, phase: phase))
    }

    /// How many charges count at `now`: all of the last 24 h, and some that are older by at most L.
    ///
    /// A bucket counts up to 255.
    package func used(at now: Int64, phase: Int64) -> Int {
        window(at: BudgetTime(now, phase: phase)).sum
    }

    /// The first time at which one more charge is within the present allowance: `now`, the time at
    /// which enough old charges stop counting, or `Int64.max` if the allowance is 0.
    ///
    /// The share `urgentPercent` of the allowance is reserved for reloads that `mayUseReserve`,
    /// except that at least one reload is never reserved. The allowance may have changed by the
    /// returned time: ask again then.
    package func earliest(
        _ policy: BudgetPolicy,
        mayUseReserve: Bool,
        at now: Int64,
        phase: Int64
    ) -> Int64 {
        guard policy.isLimited else { return now }
        let time = BudgetTime(now, phase: phase)
        let allowance = allowance(policy, at: time)
        guard allowance > 0 else { return .max }
        let reserve = mayUseReserve ? 0 : allowance * policy.urgentPercent / 100
        let buckets = window(at: time).advances(untilBelow: max(allowance - reserve, 1))
        return buckets == 0 ? now : time.start(ofBucketAfter: buckets)
    }

    private func allowance(_ policy: BudgetPolicy, at time: BudgetTime) -> Int {
        guard policy.isLimited else { return .max }
        var habit = habit
        habit.roll(days: days(to: time))
        return habit.allowance(policy)
    }

    private func window(at time: BudgetTime) -> ReloadBudgetWindow {
        var window = window
        window.advance(by: buckets(to: time))
        return window
    }

    private mutating func advance(to time: BudgetTime) {
        habit.roll(days: days(to: time))
        window.advance(by: buckets(to: time))
        bucket = UInt16(truncatingIfNeeded: time.bucket)
        day = UInt16(truncatingIfNeeded: time.day)
    }

    private func days(to time: BudgetTime) -> Int {
        let days = Int(UInt16(truncatingIfNeeded: time.day) &- day)
        assert(days < Int(UInt16.max), "time goes back")
        return days
    }

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
    private let local: UInt64
    private let phase: UInt64

    init(_ now: Int64, phase: Int64) {
        assert(now >= 0, "the monotonic clock is not negative")
        assert((0..<ReloadBudget.dayLength).contains(phase), "a phase is a time of day")
        local = UInt64(bitPattern: now &+ phase)
        self.phase = UInt64(bitPattern: phase)
    }

    var bucket: UInt64 { local / UInt64(ReloadBudget.bucketLength) }
    var day: UInt64 { local / UInt64(ReloadBudget.dayLength) }
    var isStartOfDay: Bool { local.isMultiple(of: UInt64(ReloadBudget.dayLength)) }

    /// When the bucket begins that is `buckets` after the current one, in ms of the monotonic
    /// clock.
    func start(ofBucketAfter buckets: Int) -> Int64 {
        let start = (bucket + UInt64(buckets)) * UInt64(ReloadBudget.bucketLength)
        return Int64(clamping: start - phase)
    }
}
