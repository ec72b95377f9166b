package import ReloadModel
package import Times

/// When the provider token of a team is renewed. One token serves all connections of the team.
///
///     made ──── 20 min ──────────── 45 min ──────── 60 min
///       Apple refuses a younger     renewed here    Apple refuses an older one
///       successor
///
/// Source: Apple, "Establishing a token-based connection to APNs".
package struct ProviderTokenAge: Equatable, Sendable {
    /// When it was made, by both clocks: the wall clock is what Apple compares, and may be set.
    private let madeAt: Instant
    /// The date in the token.
    package var issuedAt: WallTime { madeAt.wall }

    /// The age of a token that is made now.
    package init(madeAt: Instant) { self.madeAt = madeAt }

    /// Apple's shortest time between two tokens.
    package static var shortest: Milliseconds { .seconds(20 * 60) }
    /// Apple's longest time for a token.
    package static var longest: Milliseconds { .seconds(60 * 60) }

    /// Whether the token is to be renewed.
    ///
    /// - Parameters:
    ///   - now: the present.
    ///   - after: the age at which it is renewed, from `shortest` to `longest`.
    /// - Returns: true if it is that old by either clock, or if the wall clock has been set back
    ///   before the token's date: Apple would take it for one of the future.
    package func isDue(at now: Instant, after: Milliseconds) -> Bool {
        now.monotonic - madeAt.monotonic >= after || now.wall - madeAt.wall >= after
            || now.wall < madeAt.wall
    }

    /// Whether Apple accepts a successor by now, when it has refused the token as expired.
    package func mayBeReplaced(at now: Instant) -> Bool {
        now.monotonic - madeAt.monotonic >= Self.shortest
    }
}
