/// Every limit of a client, by name, and what happens when it is hit.
public struct ClientLimits: Equatable, Sendable {
    /// Most pushes that wait for their ACK, together with the router's window.
    ///
    /// Beyond: `push` waits.
    public var unacknowledgedPushes = 8_192
    /// Most bytes of pushes that wait for their ACK, kept to be sent again.
    ///
    /// Beyond: `push` waits.
    public var unacknowledgedBytes = 16 << 20
    /// Most device frames that wait for their answer.
    ///
    /// Beyond: `register`, `answer` and `request` wait.
    public var unansweredFrames = 1_024
    /// Most devices whose widgets are kept to be registered again after a reconnect.
    ///
    /// Beyond: `register` throws `limitReached`.
    public var registrations = 65_536
    /// Most reloads that wait to be read from a device client.
    ///
    /// Beyond: the oldest is dropped. That is safe, because the router repeats a reload that no timeline names, at the next session.
    public var waitingReloads = 4_096
    /// How long one attempt to connect may take until the router's WELCOME, in milliseconds.
    public var attemptTimeout: UInt64 = 10_000
    /// Silence after which the client sends PING, in milliseconds; three times as much silence
    /// counts as a lost connection.
    public var pingInterval: UInt64 = 15_000
    /// The first pause before a reconnect, in milliseconds; it doubles with every attempt.
    public var firstPause: UInt64 = 100
    /// The longest pause before a reconnect, in milliseconds.
    public var longestPause: UInt64 = 5_000

    /// Bytes handed to the socket that it has not taken; beyond, frames stay with the session.
    package static var socketOutput: Int { 1 << 20 }
    /// Bytes taken from the session at a time.
    package static var outputBatch: Int { 256 << 10 }
    /// Longest body of a frame from the router; it must fit the loop's read slab.
    package static var frameBody: Int { 512 << 10 }
    /// Bytes of HELLO and PONGs that wait to be sent.
    ///
    /// Beyond: the peer floods, and the session ends.
    package static var controlOutput: Int { 64 << 10 }

    /// Makes limits with their defaults.
    public init() {}
}
