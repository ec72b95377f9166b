/// What a publisher has counted since it was made.
public struct PublisherStatistics: Equatable, Sendable {
    /// Pushes that `push` has returned a number for.
    public internal(set) var sent: UInt64 = 0
    /// Pushes that the router has accepted.
    public internal(set) var accepted: UInt64 = 0
    /// Pushes that the router has rejected.
    public internal(set) var rejected: UInt64 = 0
    /// Widgets that the accepted pushes matched.
    ///
    /// What the ACK of a lost connection would have said is missing.
    public internal(set) var matched: UInt64 = 0
    /// Sessions that the router has accepted; more than one means that there were reconnects.
    public internal(set) var sessions: UInt64 = 0

    /// Makes statistics of nothing.
    public init() {}
}
