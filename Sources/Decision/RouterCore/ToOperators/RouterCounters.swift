package import Basics

/// Counts of what the router has done since it started. No counter ever falls.
package struct RouterCounters: Equatable, Sendable {
    /// Decisions by their reason.
    package var decisions = DecisionCounts()
    /// Reload requests of widgets: a push that matches the widget, a date, a request and so on.
    package var reloadRequests: UInt64 = 0
    /// Why reload requests have ended; one that is not counted here is still pending.
    package var endings = DecisionCounts()
    /// TIMELINEs with entries that are closer together than `TimelineMessage.entrySpacing`.
    package var closeEntries: UInt64 = 0
    /// Reloads that have to wait for their origin for longer than their kind's window.
    package var windowsExceeded: UInt64 = 0
    /// How often the window of a date had to grow, because the origin's rate left no room in it.
    package var windowsGrown: UInt64 = 0
    /// How often the wall clock has jumped.
    package var clockJumps: UInt64 = 0
    /// Pushes that were accepted, without those sent again.
    package var pushesAccepted: UInt64 = 0
    /// Pushes that a producer sent again after they had been accepted.
    package var pushesDuplicate: UInt64 = 0
    /// Widgets that pushes matched; one counts again for each push.
    package var pushesMatched: UInt64 = 0
    /// Widgets that were left out of pushes, because the patterns of their devices cost too much
    /// for the pushes' texts; one counts again for each push.
    package var widgetsLeftOut: UInt64 = 0
    /// Frames that were answered with REJECT.
    package var framesRejected: UInt64 = 0
    /// Sessions, and connections before HELLO, that were ended with ERROR.
    package var sessionsFailed: UInt64 = 0
    /// `framesRejected` by error code; codes that have not occurred may be missing.
    package var rejections: [ErrorCode: UInt64] = [:]
    /// `sessionsFailed` by error code; codes that have not occurred may be missing.
    package var failures: [ErrorCode: UInt64] = [:]
    /// Refusals with `quota-exceeded`, by the quota.
    package var quotaRefusals: [Quota: UInt64] = [:]
    /// RELOADs that were made; a device may get several for many widgets.
    package var reloadsSent: UInt64 = 0
    /// `reloadsSent` by the cause that they name.
    package var reloadsByCause = CauseCounts()
    /// Reloads of widgets that were dropped because they had expired.
    package var reloadsExpired: UInt64 = 0
    /// Pushes by APNs.
    package var pushes = APNsPushCounts()
    /// Producers that were forgotten because they were idle, or at an operator's request.
    package var producersForgotten: UInt64 = 0
    /// Devices that were removed because nothing was heard of them for `RouterLimits.deviceIdle`,
    /// or by an operator.
    package var devicesForgotten: UInt64 = 0
    /// Sessions that were refused because of a limit of producers.
    package var producersRefused: UInt64 = 0
    /// Sessions of publishers that knew of answers to pushes of which the router knows nothing.
    package var producersAhead: UInt64 = 0

    /// Requests over HTTP that were sent again and got the first answer again.
    package var requestsRepeated: UInt64 = 0
    /// Keys of requests that were forgotten because they were old.
    package var requestKeysForgotten: UInt64 = 0
    /// Keys of requests that were forgotten earlier, because their app had too many.
    package var requestKeysDisplaced: UInt64 = 0

    /// Makes counters that are all 0.
    package init() {}

    /// Counts a reload request, and how it ended if it ended at once.
    @inline(__always)
    mutating func countRequest(endedBy reason: DecisionReason?) {
        reloadRequests &+= 1
        if let reason { endings[reason] &+= 1 }
    }
}
