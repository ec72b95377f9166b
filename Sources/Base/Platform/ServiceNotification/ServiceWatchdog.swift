/// When the next sign of life is due.
///
/// Twice in the time after which a service counts as stuck, so that one that comes late does no harm.
/// Pure: what the clock shows is a parameter.
package struct ServiceWatchdog: Equatable, Sendable {
    /// Milliseconds between two signs of life.
    package let interval: Int64
    /// When the last one was given; nil before the first.
    private var last: Int64?

    /// - Parameter microseconds: after which the service counts as stuck.
    package init(microseconds: Int64) {
        interval = max(1, microseconds / 2_000)
    }

    /// Whether a sign of life is due, at a time in milliseconds of a clock that never goes back.
    package func isDue(at now: Int64) -> Bool {
        guard let last else { return true }
        return now - last >= interval
    }

    /// One was given.
    package mutating func fed(at now: Int64) {
        last = now
    }
}
