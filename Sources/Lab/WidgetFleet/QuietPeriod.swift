internal import Basics

/// Finds when a run has come to rest: a second in which nothing happened, and in which this thread
/// could have noticed it.
///
/// On a busy machine neither this thread nor the router may have had a processor for a while.
/// A second of that is no rest, so the period begins anew with each tick that came late.
struct QuietPeriod {
    /// How long nothing must happen.
    static var length: Milliseconds { .seconds(1) }
    /// A tick that comes so long after the one before is late.
    static var lateness: Milliseconds { .milliseconds(50) }

    private var start = WallTime.zero
    private var observedAt = WallTime.zero
    private var progress = ExactTime.none

    /// Makes a period that begins with the first tick.
    init() {}

    /// Takes note of a tick.
    ///
    /// - Parameters:
    ///   - now: the time of the tick.
    ///   - isBusy: true if anything is known to be in progress.
    ///   - progress: when a pushed change last made progress; each new one begins the period anew.
    /// - Returns: true if the period has lasted.
    mutating func observe(_ now: WallTime, isBusy: Bool, progress: ExactTime) -> Bool {
        if isBusy || now - observedAt > Self.lateness || progress != self.progress { start = now }
        observedAt = now
        self.progress = progress
        return now - start > Self.length
    }
}
