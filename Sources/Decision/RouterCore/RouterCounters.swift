package import ReloadModel

/// What the router has done since it started.
package struct RouterCounters: Equatable, Sendable {
    /// Decisions by their reason.
    package var decisions = DecisionCounts()
    /// Causes to reload a widget: a push that it matches, a date, a request and so on.
    package var wishes: UInt64 = 0
    /// What became of them: each has ended for one of these reasons, or still waits.
    package var endings = DecisionCounts()
    /// Timelines with entries that are closer together than WidgetKit shows them.
    package var closeEntries: UInt64 = 0
    /// Reloads that have to wait for their origin for longer than their kind's window.
    package var windowsExceeded: UInt64 = 0
    /// How often the window for one date had to grow, because the origin's rate could not hold it.
    package var windowsGrown: UInt64 = 0
    /// How often the wall clock has jumped.
    package var clockJumps: UInt64 = 0
    package var pushesAccepted: UInt64 = 0
    package var pushesDuplicate: UInt64 = 0
    /// Widgets that pushes concerned.
    package var pushesMatched: UInt64 = 0
    package var framesRejected: UInt64 = 0
    package var sessionsFailed: UInt64 = 0
    /// The two of them by what was wrong; what has not happened may be missing.
    package var rejections: [ErrorCode: UInt64] = [:]
    package var failures: [ErrorCode: UInt64] = [:]
    /// Of them, those with `quota-exceeded`, by what there was not enough of.
    package var quotaRefusals: [Quota: UInt64] = [:]
    package var reloadsSent: UInt64 = 0
    /// The same by the cause that they name.
    package var reloadsByCause = CauseCounts()
    package var reloadsVoid: UInt64 = 0
    /// Producers that were forgotten because they were idle, or because an operator has said so.
    package var producersForgotten: UInt64 = 0
    /// Sessions that a limit of producers has refused.
    package var producersRefused: UInt64 = 0

    package init() {}
}
