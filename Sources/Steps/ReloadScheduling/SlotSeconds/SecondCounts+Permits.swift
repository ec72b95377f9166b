internal import Basics

/// Immediate reloads get what the scheduled ones leave of the rate, a little at a time.
///
///     rate 100, 40 scheduled:   60 in the second, 3 in each of its 20 steps of 50 ms
///
/// What is not used in a step may be used in later steps of the same second. What is used beyond
/// the allowance (a device with several widgets reloads them all at once) is a debt: the following
/// seconds pay it before anything else is permitted, up to `SlotLedger.debtLimit`; then the rest is
/// forgiven. So a million devices at once delay an urgent push by seconds, not by hours, and every
/// loop over the seconds in debt is short.
///
/// A partition has its share of the rate, and may lend what it does not need of the present second
/// to another one. The lender counts it as spent before the borrower has it, and with the second
/// it is gone: so what all partitions send in a second never exceeds the rate.
extension SecondCounts {
    /// Length of the steps in which a second's allowance is released.
    static var step: Milliseconds { .milliseconds(50) }
    /// The number of steps in a second.
    private static var steps: Int { Int(Milliseconds.seconds(1) / step) }

    /// Whether the origin has no rate.
    var isUnlimited: Bool { rates.isUnlimited }

    /// The number of immediate reloads that may be sent now. As many as `undelayed` of each second
    /// may be sent at its beginning, without waiting for their step.
    func permits(at now: ScheduleTime, undelayed: ShareOfSeconds) -> Int {
        if isUnlimited { return .max }
        let second = Self.second(of: now)
        let capacity = capacity(second)
        let undelayed = Int(undelayed[second])
        let step = Int(Milliseconds(now.rawValue % 1_000) / Self.step) + 1
        let allowed = max(min(capacity, undelayed), (capacity * step + Self.steps - 1) / Self.steps)
        return max(0, allowed - used(by: second))
    }

    /// Whether more immediate reloads were sent than this second has capacity for.
    func isOverdrawn(at now: ScheduleTime) -> Bool {
        if isUnlimited { return false }
        let second = Self.second(of: now)
        return used(by: second) > capacity(second)
    }

    /// Counts immediate reloads that are sent now.
    mutating func spend(_ count: Int, at now: ScheduleTime) {
        assert(count >= 0)
        settle(now)
        spent += count
    }

    /// Lends permits of the present second to another partition.
    mutating func lend(_ count: Int, at now: ScheduleTime) {
        assert(!isUnlimited && count > 0, "lends permits that are none")
        spend(count, at: now)
    }

    /// Adds permits of the present second that another partition has lent.
    mutating func borrow(_ count: Int, at now: ScheduleTime) {
        assert(!isUnlimited && count > 0, "borrows permits that are none")
        settle(now)
        borrowed += count
    }

    /// The first time after `now` at which an immediate reload may be sent, if nothing else is
    /// planned or sent until then.
    func nextPermit(after now: ScheduleTime, undelayed: ShareOfSeconds) -> ScheduleTime {
        let next = now + .milliseconds(1)
        if isUnlimited { return next }
        var second = Self.second(of: next)
        var used = used(by: second)
        let end = debtEndAfterCurrent
        while second < Self.lastSecond {
            let capacity = capacity(second)
            if capacity > used {
                // The first step in which more than `used` are allowed.
                let step = used < Int(undelayed[second]) ? 0 : used * Self.steps / capacity
                return max(next, ScheduleTime(second: second) + Self.step * Int64(step))
            }
            used -= capacity
            second = capacity == 0 ? firstWithRoom(from: second + 1) : second + 1
            if second >= end { used = 0 }
        }
        return max(next, ScheduleTime(second: Self.lastSecond))
    }

    /// Makes the second of `now` the current one; what was used beyond the capacity of the seconds
    /// before it becomes debt.
    mutating func settle(_ now: ScheduleTime) {
        let second = Self.second(of: now)
        if second <= current { return }
        debt = used(by: second)
        debtEnd = debtEndAfterCurrent
        spent = 0
        borrowed = 0
        current = second
    }

    /// What the planned reloads leave of a second's rate.
    func capacity(_ second: UInt32) -> Int {
        let rate = Int(rate(of: second))
        return rate - min(rate, Int(planned(second)))
    }

    /// The second from which on a debt of the current second is forgiven.
    var debtEndAfterCurrent: UInt32 {
        spent == 0 ? debtEnd : current + 1 + UInt32(SlotLedger.debtLimit.wholeSeconds)
    }

    /// How much of a second's capacity is used: by reloads sent in it, and by debt from before it.
    /// Less than nothing if more was borrowed in `current`. The second must not be before that.
    private func used(by second: UInt32) -> Int {
        assert(second >= current, "the second is over")
        var used = spent + debt - borrowed
        var earlier = current
        if earlier < second { used = max(0, used) }
        if earlier < second && second >= debtEndAfterCurrent { return 0 }
        while earlier < second && used > 0 {
            used = max(0, used - capacity(earlier))
            earlier += 1
        }
        return used
    }
}
