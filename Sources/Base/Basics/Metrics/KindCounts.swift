/// Counters of one kind's widgets since the router started.
@usableFromInline
package struct KindCounts: Equatable, Sendable, BitwiseCopyable {
    /// The number of pushes that matched widgets of the kind.
    @usableFromInline package var pushes: UInt64 = 0
    /// The number of widgets that they matched; one counts again for each push.
    @usableFromInline package var matched: UInt64 = 0
    /// Reloads that were sent, by RELOAD or APNs.
    @usableFromInline package var reloads: UInt64 = 0
    /// Decisions that a reload has to wait.
    @usableFromInline package var putOff: UInt64 = 0
    /// The fan-out number of the last push that was counted: of those whose matches are applied at
    /// once, and of those of a fan-out, between whose portions others come. Both rise.
    @usableFromInline var lastAtOnce: UInt64 = 0
    @usableFromInline var lastOfFanOut: UInt64 = 0

    /// Counters that are zero.
    @usableFromInline package init() {}

    /// Counts a match of a push with a fan-out number, and the push with its first match.
    @inlinable @inline(__always)
    package mutating func countMatch(of push: UInt64, isLate: Bool) {
        matched &+= 1
        if isLate {
            if lastOfFanOut != push { pushes &+= 1 }
            lastOfFanOut = push
        } else {
            if lastAtOnce != push { pushes &+= 1 }
            lastAtOnce = push
        }
    }
}
