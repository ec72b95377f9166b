package import Foundation
package import ReloadModel
internal import ReloadScheduling
package import WidgetTimelines

/// A widget on a device's screen.
///
///     gallery ──sample──► placed ──placeholder──► waiting ──timeline──► live ─┐
///                                                              ▲              │ RELOAD, date
///                                                              └──────────────┘
package struct SimulatedWidget {
    /// A provider is asked, and has not answered.
    struct Asking {
        let number: UInt32
        let subject: ProviderQuestion.Subject
        let occasion: ReloadOccasion
        let since: Int64
    }

    /// A reload that has not begun.
    struct Wish {
        var occasion: ReloadOccasion
        var values: String?
        /// When the device's own budget allows it; what is due at once has begun or waits for the
        /// provider.
        var due = Int64.min
        /// When it is tried again after its extension was ended.
        var retry = Int64.min
    }

    /// What became of the latest reload.
    package struct Outcome: Equatable, Sendable {
        package let occasion: ReloadOccasion
        package let at: Int64
        package let isNew: Bool
    }

    /// The same for as long as the widget stays on the screen.
    package let id: String
    /// The index of its kind among the app's declarations.
    package let kind: Int
    package let family: WidgetFamily
    /// What the person has chosen.
    package let choice: WidgetChoice
    /// The screen page that it is on.
    package let page: Int

    /// The sample of the gallery, then the placeholder, until there is a timeline.
    var stand: RenderableEntry?
    var asking: Asking?
    var wish: Wish?
    var budget: ReloadBudget
    /// The date that the router has told.
    var toldDate: Int64?
    var lastNumber: UInt32 = 0
    /// What it shows.
    package internal(set) var player: TimelinePlayer?
    package internal(set) var isPlaced = false
    package internal(set) var outcome: Outcome?

    /// A widget that is about to be put on the screen.
    ///
    /// `now` is in ms since 1970; `phase`, of its budget's day, is below 24 h in ms.
    package init(
        id: String,
        kind: Int,
        family: WidgetFamily,
        choice: WidgetChoice,
        page: Int,
        now: Int64,
        phase: Int64
    ) {
        self.id = id
        self.kind = kind
        self.family = family
        self.choice = choice
        self.page = page
        budget = ReloadBudget(now: now, phase: phase)
        self.phase = phase
    }

    private let phase: Int64

    /// Whether there is no timeline yet.
    package var isPlaceholder: Bool { player == nil }
    /// Whether a provider works for it.
    package var isAsking: Bool { asking != nil }
    /// Whether a reload waits.
    package var isWaiting: Bool { wish != nil }
    /// When the router said it reloads the widget; nil if it does not by date.
    package var nextReload: Int64? { toldDate }

    /// What somebody sees who looks now.
    package func lines(at now: Int64, calendar: Calendar) -> [String] {
        if let player { return player.lines(at: now.date, calendar: calendar) }
        return stand?.render().lines(at: now.date, calendar: calendar) ?? []
    }

    /// The same before dates in it are written.
    package func content(at now: Int64) -> ViewContent? {
        player.map { $0.content(at: now.date) } ?? stand?.render()
    }

    // MARK: - Budget

    /// When it may reload: now, or when its own budget allows it.
    func earliest(_ policy: BudgetPolicy, mayUseReserve: Bool, at now: Int64) -> Int64 {
        budget.earliest(policy, mayUseReserve: mayUseReserve, at: now, phase: phase)
    }

    mutating func charge(at now: Int64) { budget.charge(at: now, phase: phase) }

    mutating func see(at now: Int64) { budget.seen(at: now, phase: phase) }

    /// How many of its reloads count, and how many it may have; nil if they are not counted.
    package func budget(_ policy: BudgetPolicy, at now: Int64) -> (used: Int, allowance: Int)? {
        if !policy.isLimited { return nil }
        return (
            budget.used(at: now, phase: phase), budget.allowance(policy, at: now, phase: phase)
        )
    }

    // MARK: - Dates

    /// When the device reloads it by itself.
    func ownDate(_ rules: DeviceRules) -> Int64? {
        guard rules.timer == .device, let player, let date = player.reloadDate else { return nil }
        let soonest = player.arrival.milliseconds + DeviceRules.leastInterval
        return toldDate ?? max(date.milliseconds, soonest)
    }

    /// When something is to be done for it.
    func nextWake(_ rules: DeviceRules) -> Int64? {
        if let asking { return asking.since + rules.extensionTime }
        if let wish { return max(wish.due, wish.retry) }
        return ownDate(rules)
    }
}

extension Int64 {
    /// Milliseconds since 1970 as a date.
    package var date: Date { Date(timeIntervalSince1970: Double(self) / 1_000) }
}

extension Date {
    /// Milliseconds since 1970; a date beyond all calendars is one a few million years away.
    package var milliseconds: Int64 {
        Int64(min(max(timeIntervalSince1970 * 1_000, -1e17), 1e17).rounded())
    }
}
