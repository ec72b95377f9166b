/// Counts of pushes by APNs since the router started.
package struct APNsPushCounts: Equatable, Sendable {
    /// Pushes that were made, repeated ones included.
    package var made: UInt64 = 0
    /// Pushes that APNs has accepted; that a device has reloaded cannot be known.
    package var accepted: UInt64 = 0
    /// Pushes that APNs has refused for good, without blaming the token.
    package var refused: UInt64 = 0
    /// Pushes that were refused because their token is dead.
    package var tokensDead: UInt64 = 0
    /// Pushes that were refused because their token was never valid.
    package var tokensRefused: UInt64 = 0
    /// Pushes that are to be repeated after a pause.
    package var postponed: UInt64 = 0
    /// Pushes that ended without an answer, and are repeated.
    package var unheard: UInt64 = 0

    /// Makes counts that are all 0.
    package init() {}
}
