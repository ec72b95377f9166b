package import Basics

/// Decides when the next sign of life to the service manager is due.
///
/// Signs are due twice within the time after which a service counts as stuck, so that a late one
/// does no harm. Pure: the time is a parameter.
package struct ServiceWatchdog: Equatable, Sendable {
    /// The time between two signs of life.
    package let interval: Milliseconds
    /// The time of the last sign of life; nil before the first.
    private var last: MonotonicTime?

    /// A watchdog that has sent no sign of life yet.
    ///
    /// - Parameter silence: the silence after which the service counts as stuck.
    package init(silence: Microseconds) {
        interval = max(.milliseconds(1), .milliseconds(silence.rawValue / 2_000))
    }

    /// Whether a sign of life is due.
    package func isDue(at now: MonotonicTime) -> Bool {
        guard let last else { return true }
        return now - last >= interval
    }

    /// Records that a sign of life was sent.
    package mutating func recordSignSent(at now: MonotonicTime) {
        last = now
    }
}
