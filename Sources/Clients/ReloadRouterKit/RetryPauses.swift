/// The pauses between the attempts of a call. Their length doubles, up to a limit, and has jitter,
/// so that the devices of a restarted router do not all come back at once.
struct RetryPauses {
    private let longest: Duration
    private var step: Duration

    init(_ limits: ReportLimits) {
        longest = limits.longestPause
        step = min(limits.firstPause, limits.longestPause)
    }

    /// The next pause: a random time between half of the current step and all of it.
    mutating func next(random: (ClosedRange<Double>) -> Double) -> Duration {
        defer { step = min(step * 2, longest) }
        return step * random(0.5...1)
    }
}
