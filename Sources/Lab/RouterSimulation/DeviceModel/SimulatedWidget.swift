package import Basics
package import Foundation
internal import ReloadScheduling
package import WidgetTimelines

/// A widget on the screen of a `SimulatedDevice`.
///
///     gallery ──sample──► chosen ──placeholder──► placed ───timeline──► live ─┐
///                                                              ▲              │ RELOAD, date
///                                                              └──────────────┘
package struct SimulatedWidget {
    /// A question to the provider that has no answer yet.
    struct PendingQuestion {
        let number: UInt32
        let subject: ProviderQuestion.Subject
        let occasion: ReloadOccasion
        /// When it was asked.
        let since: WallTime
    }

    /// A reload request that has not begun.
    struct ReloadRequest {
        var occasion: ReloadOccasion
        /// Values inlined in the RELOAD, a JSON object.
        var values: String?
        /// When the device's own budget allows it; nil if it does not wait for the budget.
        var due: WallTime?
        /// When it may be tried again after its extension was ended; nil if it was not.
        var retryAt: WallTime?

        /// Whether it may begin: its extension was not ended, or that was long enough ago.
        func mayBeTried(at now: WallTime) -> Bool { retryAt.map { $0 <= now } ?? true }
    }

    /// The result of the widget's latest reload.
    package struct Outcome: Equatable, Sendable {
        /// Why the widget was reloaded.
        package let occasion: ReloadOccasion
        /// When the timeline arrived.
        package let at: WallTime
        /// Whether the text in sight changed.
        package let isNew: Bool
    }

    /// The widget's name at the router; it stays the same while the widget is on the screen.
    package let id: String
    /// The index of its kind among the app's declarations.
    package let kind: Int
    /// The size of the widget.
    package let family: WidgetFamily
    /// The configuration that the owner has chosen.
    package let choice: WidgetChoice
    /// The page of the screen on which it is.
    package let page: Int

    /// The gallery's sample, then the placeholder; nil once there is a timeline.
    var preliminaryEntry: RenderableEntry?
    /// The question that the provider is working on; nil if there is none.
    var pendingQuestion: PendingQuestion?
    /// The reload request that has not begun; nil if there is none.
    var request: ReloadRequest?
    /// The device's own budget for the widget, whose monotonic clock is the device's wall clock.
    var budget: ReloadBudget
    /// The reload date that the router has assigned; nil if it has not.
    var reportedDate: WallTime?
    /// The number of the last question.
    var lastNumber: UInt32 = 0
    /// The timeline that it displays; nil before the first.
    package internal(set) var player: TimelinePlayer?
    /// Whether it is on the screen.
    package internal(set) var isPlaced = false
    /// The result of the latest reload; nil before the first.
    package internal(set) var outcome: Outcome?

    /// Makes a widget that is about to be put on the screen.
    ///
    /// `phase` is the offset of its budget's days, below 24 h.
    package init(
        id: String,
        kind: Int,
        family: WidgetFamily,
        choice: WidgetChoice,
        page: Int,
        now: WallTime,
        phase: Milliseconds
    ) {
        self.id = id
        self.kind = kind
        self.family = family
        self.choice = choice
        self.page = page
        budget = ReloadBudget(now: Self.budgetTime(now), phase: phase)
        self.phase = phase
    }

    /// The offset of its budget's days.
    private let phase: Milliseconds

    /// Whether it has no timeline yet.
    package var isPlaceholder: Bool { player == nil }
    /// Whether its provider is working.
    package var isAsking: Bool { pendingQuestion != nil }
    /// Whether a reload of the widget waits to begin.
    package var isWaiting: Bool { request != nil }
    /// The date that the router has assigned to the next reload; nil if there is none.
    package var nextReload: WallTime? { reportedDate }

    /// The lines of text in sight at `now`.
    package func lines(at now: WallTime, calendar: Calendar) -> [String] {
        if let player { return player.lines(at: now.date, calendar: calendar) }
        return preliminaryEntry?.render().lines(at: now.date, calendar: calendar) ?? []
    }

    /// The content in sight at `now` in a colour scheme, before its dates are formatted.
    package func content(at now: WallTime, in scheme: ColorScheme) -> ViewContent? {
        player.map { $0.content(at: now.date, in: scheme) } ?? preliminaryEntry?.render(scheme)
    }

    // MARK: - Budget

    /// When it may reload by the device's own budget: `now` or later.
    func earliest(_ policy: BudgetPolicy, mayUseReserve: Bool, at now: WallTime) -> WallTime {
        let time = budget.earliest(
            policy,
            mayUseReserve: mayUseReserve,
            at: Self.budgetTime(now),
            phase: phase
        )
        return WallTime(rawValue: time.rawValue)
    }

    /// A date as a time of the budget's clock.
    private static func budgetTime(_ date: WallTime) -> MonotonicTime {
        MonotonicTime(rawValue: date.rawValue)
    }

    mutating func charge(at now: WallTime) { budget.charge(at: Self.budgetTime(now), phase: phase) }

    /// Records in its budget that the widget came into sight.
    mutating func recordSight(at now: WallTime) {
        budget.recordView(at: Self.budgetTime(now), phase: phase)
    }

    /// How many of its reloads count at `now`, and how many it may have; nil if the policy sets no
    /// limit.
    package func budget(_ policy: BudgetPolicy, at now: WallTime) -> (used: Int, allowance: Int)? {
        if !policy.isLimited { return nil }
        let now = Self.budgetTime(now)
        return (budget.used(at: now, phase: phase), budget.allowance(policy, at: now, phase: phase))
    }

    // MARK: - Dates

    /// When the device reloads the widget by itself; nil if the device does not.
    func ownDate(_ rules: DeviceRules) -> WallTime? {
        guard rules.timer == .device, let player, let date = player.reloadDate else { return nil }
        let soonest = player.arrival.wallTime + DeviceRules.leastInterval
        return reportedDate ?? max(date.wallTime, soonest)
    }

    /// When `SimulatedDevice.wake` has something to do for the widget; nil for never.
    func nextWake(_ rules: DeviceRules) -> WallTime? {
        if let pendingQuestion { return pendingQuestion.since + rules.extensionTime }
        if let request { return max(request.due ?? .min, request.retryAt ?? .min) }
        return ownDate(rules)
    }
}

extension WallTime {
    /// The same date as widget code has it.
    package var date: Date { Date(timeIntervalSince1970: Double(rawValue) / 1_000) }
}

extension Date {
    /// The same date in whole ms, clamped to a few million years; 1970 for a date that is no
    /// number.
    package var wallTime: WallTime {
        if timeIntervalSince1970.isNaN { return .zero }
        let number = min(max(timeIntervalSince1970 * 1_000, -1e17), 1e17)
        return WallTime(rawValue: Int64(number.rounded()))
    }
}
