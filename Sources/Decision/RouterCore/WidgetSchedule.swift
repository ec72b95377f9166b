internal import ReloadModel
internal import ReloadScheduling

/// When a widget may reload and when it wants to: one cache line.
///
///     0      budget: what was spent in the last 24 h, and how often it is looked at
///     32     timelineAt │ voidAt
///     48     slot: group, index │ lastReloadAt │ stormEnd
struct WidgetSchedule: BitwiseCopyable {
    var budget: ReloadBudget
    /// When the timeline asks for a reload, its slot's delay included, or without it if the widget is
    /// `displaced`: ms of wall time; `Int64.max` for never.
    var timelineAt = Int64.max
    /// When every cause of the reload that waits, but for a date, is void, in ms of wall time;
    /// `Int64.max` for never.
    var voidAt = Int64.max
    /// The place in the ledger that `timelineAt` has.
    var slot = SlotPosition.none
    /// When the widget last reloaded, in sixteenths of a second of the monotonic clock, the lowest
    /// 32 bits, from 1; 0 for never.
    var lastReloadAt: UInt32 = 0
    /// When the storm of pushes is over if no more come; its limit is in `WidgetRecord`.
    var stormEnd = StormTime(0)

    init(budget: ReloadBudget) {
        self.budget = budget
    }
}

/// A moment of the monotonic clock, less than four years from now: in sixteenths of a second, the
/// lowest 32 bits.
struct StormTime: BitwiseCopyable, Equatable {
    let sixteenths: UInt32

    init(sixteenths: UInt32) {
        self.sixteenths = sixteenths
    }

    /// - Parameter time: in ms, rounded up.
    init(_ time: Int64) {
        sixteenths = UInt32(truncatingIfNeeded: (time &* 16 &+ 999) / 1_000)
    }

    /// How long until then, in ms; 0 if it is past.
    func wait(from now: Int64) -> Int64 {
        let present = sixteenth(of: now)
        let distance = Int32(bitPattern: sixteenths &- UInt32(truncatingIfNeeded: present))
        return max(0, milliseconds(ofSixteenth: present + Int64(distance)) - now)
    }
}

extension WidgetSchedule {
    /// When the widget last reloaded.
    ///
    /// After eight and a half years without a reload it may be a later time, but none to come.
    ///
    /// - Parameter now: of the monotonic clock.
    /// - Returns: the time in ms of that clock, rounded up; nil for never.
    func lastReload(asOf now: Int64) -> Int64? {
        if lastReloadAt == 0 { return nil }
        // It was rounded up, so that it can be the next one.
        let next = sixteenth(of: now) + 1
        let age = UInt32(truncatingIfNeeded: next) &- (lastReloadAt &- 1)
        return milliseconds(ofSixteenth: next - Int64(age))
    }

    mutating func setLastReload(_ time: Int64) {
        lastReloadAt = UInt32(truncatingIfNeeded: (time &* 16 &+ 999) / 1_000 &+ 1)
        if lastReloadAt == 0 { lastReloadAt = 1 }
    }
}

/// The sixteenth of a second that runs at a time in ms.
private func sixteenth(of time: Int64) -> Int64 { time &* 16 / 1_000 }

/// Its begin in ms, rounded up.
private func milliseconds(ofSixteenth number: Int64) -> Int64 { (number &* 1_000 &+ 15) / 16 }
