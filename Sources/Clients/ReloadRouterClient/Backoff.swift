package import Basics

/// The pauses between attempts to reconnect. Their length doubles with each attempt, up to a limit,
/// and has jitter, so that the clients of a restarted router do not all reconnect at once.
package struct Backoff: Sendable {
    /// The first pause.
    private let first: Milliseconds
    /// The longest pause.
    private let longest: Milliseconds
    /// The longest that the next pause may be.
    private var next: Milliseconds
    private var generator: any RandomNumberGenerator & Sendable

    /// Makes the pauses that a client's limits set; the generator is the source of the jitter.
    package init(_ limits: ClientLimits, generator: any RandomNumberGenerator & Sendable) {
        first = Milliseconds(limits.firstPause)
        longest = Milliseconds(limits.longestPause)
        precondition(first > .zero && first <= longest, "pauses from \(first) to \(longest) ms")
        self.generator = generator
        next = first
    }

    /// The next pause: a random time between half of the current step and all of it. If it is
    /// long, this one and all further ones have the longest step.
    package mutating func pause(isLong: Bool = false) -> Milliseconds {
        if isLong { next = longest }
        assert((first...longest).contains(next), "a pause of \(next) ms")
        let longestNow = next
        next = next > longest / 2 ? longest : next * 2
        let range = longestNow.rawValue / 2...longestNow.rawValue
        return .milliseconds(Int64.random(in: range, using: &generator))
    }

    /// Records that a connection was established: the next pause is the first again.
    package mutating func reset() { next = first }
}
