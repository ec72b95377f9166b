/// Counters of one app since the router started.
@usableFromInline
package struct AppCounts: Equatable, Sendable, BitwiseCopyable {
    /// The number of accepted pushes.
    @usableFromInline package var pushes: UInt64 = 0
    /// The number of widgets that accepted pushes matched; one counts again for each push.
    @usableFromInline package var matched: UInt64 = 0
    /// The number of RELOADs sent.
    @usableFromInline package var reloads: UInt64 = 0
    /// The number of frames that were refused.
    @usableFromInline package var rejected: UInt64 = 0
    /// The number of decisions that a reload has to wait.
    @usableFromInline package var putOff: UInt64 = 0

    /// Counters that are zero.
    @usableFromInline package init() {}

    /// Adds each counter of `right` to that of `left`.
    package static func += (left: inout AppCounts, right: AppCounts) {
        left.pushes += right.pushes
        left.matched += right.matched
        left.reloads += right.reloads
        left.rejected += right.rejected
        left.putOff += right.putOff
    }
}
