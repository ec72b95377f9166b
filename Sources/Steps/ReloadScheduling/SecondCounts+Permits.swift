/// Immediate reloads: what the planned ones leave of the rate, a little at a time.
///
///     rate 100, 40 planned:   60 in the second, 3 in each of its 20 steps of 50 ms
///
/// What has not been used in a step may be used in the next ones of the same second. What has been
/// used beyond (a device with several widgets reloads them all) is a debt: the seconds that follow
/// pay it before anything else goes, but no more than `SlotLedger.debtLimit` of them. So a million
/// devices at once make an urgent push wait for seconds, not for hours, and every loop over the
/// seconds in debt is short.
extension SecondCounts {
    /// How finely a second's allowance is handed out, in ms.
    static var step: Int64 { 50 }
    private static var steps: Int { Int(1_000 / step) }

    var isUnlimited: Bool { rate == .max }

    /// How many may go now; of each second the first `undelayed` need not wait within it.
    func permits(at now: Int64, undelayed: Int) -> Int {
        if isUnlimited { return .max }
        let second = Self.second(of: now)
        let capacity = capacity(second)
        let step = Int(now % 1_000 / Self.step) + 1
        let allowed = max(min(capacity, undelayed), (capacity * step + Self.steps - 1) / Self.steps)
        return max(0, allowed - used(by: second))
    }

    func isOverdrawn(at now: Int64) -> Bool {
        if isUnlimited { return false }
        let second = Self.second(of: now)
        return used(by: second) > capacity(second)
    }

    mutating func spend(_ count: Int, at now: Int64) {
        settle(now)
        spent += count
    }

    /// The first time after now at which one may go, if nothing else is planned or spent until then.
    func nextPermit(after now: Int64, undelayed: Int) -> Int64 {
        if isUnlimited { return now + 1 }
        var second = Self.second(of: now + 1)
        var used = used(by: second)
        let end = debtEndAfterCurrent
        while second < Self.lastSecond {
            let capacity = capacity(second)
            if capacity > used {
                // The first step by whose end more than `used` are allowed.
                let step = used < undelayed ? 0 : used * Self.steps / capacity
                return max(now + 1, Int64(second) * 1_000 + Int64(step) * Self.step)
            }
            used -= capacity
            second = capacity == 0 ? firstWithRoom(from: second + 1) : second + 1
            if second >= end { used = 0 }
        }
        return max(now + 1, Int64(Self.lastSecond) * 1_000)
    }

    /// Closes the seconds before this one: what was spent too much becomes debt.
    mutating func settle(_ now: Int64) {
        let second = Self.second(of: now)
        if second <= current { return }
        debt = used(by: second)
        debtEnd = debtEndAfterCurrent
        spent = 0
        current = second
    }

    /// What is left of the rate after the planned ones.
    func capacity(_ second: UInt32) -> Int {
        Int(rate) - min(Int(rate), Int(planned(second)))
    }

    /// The second from which on the debt is forgotten that the current one leaves.
    var debtEndAfterCurrent: UInt32 {
        spent == 0 ? debtEnd : current + 1 + UInt32(SlotLedger.debtLimit)
    }

    /// How much of a second's capacity is used, by reloads in it and by debt from before it.
    private func used(by second: UInt32) -> Int {
        var used = spent + debt
        var earlier = current
        if earlier < second && second >= debtEndAfterCurrent { return 0 }
        while earlier < second && used > 0 {
            used = max(0, used - capacity(earlier))
            earlier += 1
        }
        return used
    }
}
