/// The number of pushes in each second of a burst.
///
///     flash-crowd      ▁▁█▇▅▄▃▂▂▁▁▁      match-end       ▁▁▁▁▁▁▁▁████
///     market-open        █▄▂▁▁▁▁▁▁▁      many-apps       ▁▁▁▁▁█▁▁▁▁▁▁
///
/// Computed in whole numbers only: floating point might give other results on other machines.
struct BurstRate: Sendable {
    private let shape: BurstShape
    private let base: Int
    private let peak: Int
    private let seconds: Int
    private let peakLength: Int
    /// What the tail after the peak adds to the base, in pushes per second.
    private var extra = 0
    /// The second whose pushes the next call of `nextSecond` returns.
    private var next = 0

    /// Starts before the first second.
    package init(_ shape: BurstShape, options: BurstOptions) {
        self.shape = shape
        base = options.basePerSecond
        peak = options.basePerSecond * options.peakFactor
        seconds = options.seconds
        peakLength = options.peakSeconds
    }

    /// The seconds of the peak, counted from the burst's first second; empty if there is none.
    var peakSeconds: Range<Int> {
        switch shape {
        case .flashCrowd, .marketOpen: span(from: seconds / 4)
        case .matchEnd: span(from: seconds - peakLength)
        case .manyApps, .reconnects: span(from: seconds / 2)
        case .hotKey, .chattyProducer: 0..<0
        }
    }

    private func span(from first: Int) -> Range<Int> {
        assert(first >= 0, "the peak is longer than the burst")
        return first..<min(seconds, first + peakLength)
    }

    /// Returns the number of pushes in the next second; nil after the last.
    mutating func nextSecond() -> Int? {
        if next == seconds { return nil }
        defer { next += 1 }
        if peakSeconds.contains(next) {
            extra = peak - base
            return peak
        }
        switch shape {
        case .flashCrowd: extra = extra * 7 / 8
        case .marketOpen:
            if next < peakSeconds.lowerBound { return 0 }
            extra /= 2
        case .matchEnd, .hotKey, .chattyProducer, .reconnects, .manyApps: extra = 0
        }
        assert(extra >= 0, "the peak is lower than the base")
        return base + extra
    }
}
