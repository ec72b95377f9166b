/// What an app or a kind has done, and how much of it is stored.
package struct CourseCounts: Equatable, Sendable, BitwiseCopyable {
    /// Pushes that were accepted; of a kind, those that matched widgets of it.
    package var pushes: UInt64 = 0
    /// Widgets that pushes matched.
    package var matched: UInt64 = 0
    /// RELOADs that were sent; of a kind, widgets that were reloaded.
    package var reloads: UInt64 = 0
    /// Decisions that a reload has to wait.
    package var putOff: UInt64 = 0
    /// Frames that were refused; of an app alone.
    package var rejected: UInt64 = 0
    /// Stored devices; of an app alone.
    package var devices: UInt64 = 0
    /// Stored widgets.
    package var widgets: UInt64 = 0

    /// Makes counts that are all 0.
    package init() {}

    /// What has happened since an earlier reading; what is stored is that of the later one.
    func since(_ earlier: CourseCounts) -> CourseCounts {
        var counts = self
        counts.pushes -= min(counts.pushes, earlier.pushes)
        counts.matched -= min(counts.matched, earlier.matched)
        counts.reloads -= min(counts.reloads, earlier.reloads)
        counts.putOff -= min(counts.putOff, earlier.putOff)
        counts.rejected -= min(counts.rejected, earlier.rejected)
        return counts
    }
}
