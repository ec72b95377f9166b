/// Counters of one kind's widgets since the router started.
@usableFromInline
package struct KindCounts: Equatable, Sendable, BitwiseCopyable {
    /// Reloads that were sent, by RELOAD or APNs.
    @usableFromInline package var reloads: UInt64 = 0
    /// Decisions that a reload has to wait.
    @usableFromInline package var putOff: UInt64 = 0

    /// Counters that are zero.
    @usableFromInline package init() {}
}
