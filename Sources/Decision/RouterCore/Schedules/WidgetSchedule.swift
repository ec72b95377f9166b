internal import Basics
internal import ReloadScheduling

/// When a widget may reload and when it wants to: one cache line.
///
///     0      budget: what was spent in the last 24 h, and how often the widget is viewed
///     32     timelineAt │ expiresAt
///     48     slot: group, index │ lastReloadAt │ debounceEnd
struct WidgetSchedule: BitwiseCopyable {
    var budget: ReloadBudget
    /// When the timeline's reload is due, with its slot's delay, or without it if the widget is
    /// `displaced`; `.max` for never.
    var timelineAt = WallTime.max
    /// When the pending reload's causes other than a date have all expired; `.max` for never.
    var expiresAt = WallTime.max
    /// The slot of `timelineAt` in the origin's ledger; `none` if it has none.
    var slot = SlotPosition.none
    /// When the widget last reloaded, in sixteenths of a second of the monotonic clock, rounded up,
    /// plus 1: the lowest 32 bits; 0 for never.
    var lastReloadAt: UInt32 = 0
    /// When the debounce window ends if no more pushes come; its limit is in `WidgetRecord`.
    var debounceEnd = DebounceTime(sixteenths: 0)

    init(budget: ReloadBudget) { self.budget = budget }
}

/// A moment of the monotonic clock, less than four years from now: the lowest 32 bits of its
/// sixteenths of a second.
struct DebounceTime: BitwiseCopyable, Equatable {
    let sixteenths: UInt32

    init(sixteenths: UInt32) { self.sixteenths = sixteenths }

    /// Makes the moment at a time, rounded up to a sixteenth of a second.
    init(_ time: MonotonicTime) {
        sixteenths = UInt32(truncatingIfNeeded: (time.rawValue &* 16 &+ 999) / 1_000)
    }

    /// The time until this moment; 0 if it has passed.
    func wait(from now: MonotonicTime) -> Milliseconds {
        let present = sixteenth(of: now)
        let distance = Int32(bitPattern: sixteenths &- UInt32(truncatingIfNeeded: present))
        return max(.zero, time(ofSixteenth: present + Int64(distance)) - now)
    }
}

extension WidgetSchedule {
    /// When the widget last reloaded, rounded up; nil for never. After eight and a half years
    /// without a reload the result may be too late, but never in the future.
    func lastReload(asOf now: MonotonicTime) -> MonotonicTime? {
        if lastReloadAt == 0 { return nil }
        // The stored time was rounded up, so it can be in the next sixteenth.
        let next = sixteenth(of: now) + 1
        let age = UInt32(truncatingIfNeeded: next) &- (lastReloadAt &- 1)
        return time(ofSixteenth: next - Int64(age))
    }

    /// The stored time of the last reload, as if the monotonic clock had not yet counted more
    /// sixteenths of a second than 32 bits hold, which takes eight and a half years.
    var lastReloadOfFirstPeriod: MonotonicTime? {
        lastReloadAt == 0 ? nil : time(ofSixteenth: Int64(lastReloadAt) - 1)
    }

    /// Records that the widget reloads at a time.
    mutating func setLastReload(_ time: MonotonicTime) {
        assert(time >= .zero, "the monotonic clock is not negative")
        lastReloadAt = UInt32(truncatingIfNeeded: (time.rawValue &* 16 &+ 999) / 1_000 &+ 1)
        if lastReloadAt == 0 { lastReloadAt = 1 }
    }
}

/// The number of the sixteenth of a second that a time is in.
private func sixteenth(of time: MonotonicTime) -> Int64 { time.rawValue &* 16 / 1_000 }

/// The time at which a sixteenth of a second begins, rounded up.
private func time(ofSixteenth number: Int64) -> MonotonicTime {
    MonotonicTime(rawValue: (number &* 1_000 &+ 15) / 16)
}
