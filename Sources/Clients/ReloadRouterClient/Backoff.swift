/// The pauses between attempts to reconnect. Their length doubles with each attempt, up to a limit,
/// and has jitter, so that the clients of a restarted router do not all reconnect at once.
package struct Backoff: Sendable {
    private let first: UInt64
    private let longest: UInt64
    private var next: UInt64
    private var generator: any RandomNumberGenerator & Sendable

    /// - Parameters:
    ///   - first: the first pause, in milliseconds.
    ///   - longest: the longest pause, in milliseconds.
    ///   - generator: the source of the jitter.
    package init(
        first: UInt64,
        longest: UInt64,
        generator: any RandomNumberGenerator & Sendable
    ) {
        precondition(first > 0 && first <= longest, "pauses from \(first) to \(longest) ms")
        self.first = first
        self.longest = longest
        self.generator = generator
        next = first
    }

    /// Makes the pauses that a client's limits set.
    package init(_ limits: ClientLimits, generator: any RandomNumberGenerator & Sendable) {
        self.init(first: limits.firstPause, longest: limits.longestPause, generator: generator)
    }

    /// The next pause, in milliseconds: a random time between half of the current step and all of
    /// it.
    package mutating func pause() -> UInt64 {
        assert((first...longest).contains(next), "a pause of \(next) ms")
        let longestNow = next
        next = min(longest, next * 2)
        return Self.random(longestNow / 2...longestNow, using: &generator)
    }

    /// Records that a connection was established: the next pause is the first again.
    package mutating func reset() {
        next = first
    }

    private static func random<Generator: RandomNumberGenerator>(
        _ range: ClosedRange<UInt64>,
        using generator: inout Generator
    ) -> UInt64 {
        UInt64.random(in: range, using: &generator)
    }
}
