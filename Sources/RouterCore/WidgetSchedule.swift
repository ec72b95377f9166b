internal import ReloadModel
internal import ReloadScheduling

/// When a widget may reload and when it wants to: one cache line.
///
///     0      budget: what was spent in the last 24 h, and how often it is looked at
///     32     timelineAt │ voidAt
///     48     slot: group, index │ lastReloadAt │ stormEnd
struct WidgetSchedule: BitwiseCopyable {
    var budget: ReloadBudget
    /// When the timeline asks for a reload, its slot's delay included: ms of wall time; `Int64.max`
    /// for never.
    var timelineAt = Int64.max
    /// When every cause of the reload that waits, but for a date, is void, in ms of wall time;
    /// `Int64.max` for never.
    var voidAt = Int64.max
    /// The place in the ledger that `timelineAt` has.
    var slot = SlotPosition.none
    /// When the widget last reloaded, in sixteenths of a second of the monotonic clock, from 1; 0
    /// for never. (They last for eight years.)
    var lastReloadAt: UInt32 = 0
    /// When the storm of pushes is over if no more come; its limit is in `WidgetRecord`.
    var stormEnd = StormTime(0)

    init(budget: ReloadBudget) {
        self.budget = budget
    }
}

/// A moment of the monotonic clock, in sixteenths of a second. (They last for eight years.)
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
        max(0, (Int64(sixteenths) * 1_000 + 15) / 16 - now)
    }
}
