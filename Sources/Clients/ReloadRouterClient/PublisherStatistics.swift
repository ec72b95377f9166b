/// The counters of a publisher since it was made.
public struct PublisherStatistics: Equatable, Sendable {
    /// Pushes for which `push` has returned a number.
    public internal(set) var sent: UInt64 = 0
    /// Pushes that the router has accepted.
    public internal(set) var accepted: UInt64 = 0
    /// Pushes that the router has rejected.
    public internal(set) var rejected: UInt64 = 0
    /// Widgets that the accepted pushes matched.
    ///
    /// A push whose ACK was lost with its connection adds nothing here.
    public internal(set) var matched: UInt64 = 0
    /// Sessions that the router has accepted; more than one means that the client has reconnected.
    public internal(set) var sessions: UInt64 = 0

    /// Makes counters of zero.
    public init() {}
}
