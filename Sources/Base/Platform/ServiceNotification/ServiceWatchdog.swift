/// Decides when the next sign of life to the service manager is due.
///
/// Signs are due twice within the time after which a service counts as stuck, so that a late one
/// does no harm. Pure: the time is a parameter, in milliseconds of a clock that never goes back.
package struct ServiceWatchdog: Equatable, Sendable {
    /// The milliseconds between two signs of life.
    package let interval: Int64
    /// The time of the last one; nil before the first.
    private var last: Int64?

    /// - Parameter microseconds: the silence after which the service counts as stuck.
    package init(microseconds: Int64) {
        interval = max(1, microseconds / 2_000)
    }

    /// Whether a sign of life is due.
    package func isDue(at now: Int64) -> Bool {
        guard let last else { return true }
        return now - last >= interval
    }

    /// Records that one was sent.
    package mutating func fed(at now: Int64) {
        last = now
    }
}
