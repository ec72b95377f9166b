internal import Basics

/// The limits of a client, by name, and what happens when each is reached.
public struct ClientLimits: Equatable, Sendable {
    /// The most pushes that wait for their ACK, and never more than the router's window.
    ///
    /// Beyond: `push` waits.
    public var unacknowledgedPushes = 8_192
    /// The most bytes of pushes that wait for their ACK; they are kept to be sent again after a
    /// reconnect.
    ///
    /// Beyond: `push` waits.
    public var unacknowledgedBytes = 16 << 20
    /// The most device frames that wait for their answer.
    ///
    /// Beyond: `register`, `answer` and `request` wait.
    public var unansweredFrames = 1_024
    /// The most devices whose widgets are kept to be registered again after a reconnect.
    ///
    /// Beyond: `register` throws `limitReached`.
    public var registrations = 65_536
    /// The most reloads of a device client that wait to be read.
    ///
    /// Beyond: the oldest is dropped. That is safe, because in the next session the router repeats
    /// every reload that no timeline has answered.
    public var waitingReloads = 4_096
    /// The most questions of a `PushHistoryClient` at a time. A question that was cancelled counts
    /// until its connection has ended.
    ///
    /// Beyond: `history` throws `limitReached`.
    public var questions = 64
    /// How long an attempt at one address may take until the router's WELCOME.
    public var attemptTimeout = Duration.seconds(10)
    /// How long an attempt at one address may take until the connection is open, if that is less
    /// than `attemptTimeout`; what follows, up to WELCOME, still has all of `attemptTimeout`.
    public var connectTimeout = Duration.seconds(10)
    /// Silence after which the client sends PING; after three times as much silence the connection
    /// counts as lost.
    public var pingInterval = Duration.seconds(15)
    /// The first pause before a reconnect, at least 1 ms; it doubles with every attempt.
    public var firstPause = Duration.milliseconds(100)
    /// The longest pause before a reconnect, at least `firstPause`.
    public var longestPause = Duration.seconds(5)

    /// The most bytes passed to the socket and not yet sent.
    ///
    /// Beyond: frames stay in the session.
    package static var socketOutput: Int { 1 << 20 }
    /// Bytes encoded by the session and passed to the socket at a time.
    package static var outputBatch: Int { 256 << 10 }
    /// The longest body of a frame from the router, in bytes; it must fit into the loop's read
    /// slab.
    package static var frameBody: Int { 512 << 10 }
    /// The most bytes of HELLO and PONGs that wait to be sent.
    ///
    /// Beyond: the peer sends PINGs faster than it reads, and the session ends.
    package static var controlOutput: Int { 64 << 10 }

    /// Makes the default limits.
    public init() {}
}

extension Milliseconds {
    /// The whole ms of a duration, rounded towards zero; the longest length if it does not fit.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000)
        let limit: Milliseconds = seconds < 0 ? .min : .max
        self =
            isTooLarge
            ? limit
            : Milliseconds(rawValue: whole)
                .adding(clamped: Milliseconds(rawValue: attoseconds / 1_000_000_000_000_000))
    }
}
