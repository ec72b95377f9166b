package import Basics

/// When a provider token is made, and when it is renewed. One serves all connections of a key.
///
///     issued ──────── 20 min ──────── 30 min ───────────────── 60 min
///     at a full       Apple refuses   renewed here             Apple refuses an older one
///     half hour       a younger successor on a connection
///
/// A token is dated from the last full half hour. So a router that starts again dates it from the
/// same moment, and its key signs it in the same way: it is the same token, though it was not
/// stored, and another machine with the same key has it, too.
///
/// Source: Apple, "Establishing a token-based connection to APNs".
package struct ProviderTokenAge: Equatable, Sendable {
    /// When it was made here, by both clocks.
    private let madeAt: Instant
    /// The date in the token; the wall clock is what Apple compares, and may be set.
    package let issuedAt: WallTime

    /// The age of a token that is made now, dated from `issuedAt`.
    package init(madeAt: Instant, issuedAt: WallTime) {
        self.madeAt = madeAt
        self.issuedAt = issuedAt
    }

    /// The time between two tokens.
    package static var interval: Milliseconds { .seconds(30 * 60) }
    /// Apple's shortest time between two tokens.
    package static var shortest: Milliseconds { .seconds(20 * 60) }
    /// Apple's longest time for a token.
    package static var longest: Milliseconds { .seconds(60 * 60) }
    /// How far the wall clock may be set back without another token.
    private static var smallStep: Milliseconds { .seconds(5 * 60) }
    /// The age at which a token is renewed, whatever was before: a little less than Apple's.
    private static var oldest: Milliseconds { .seconds(55 * 60) }

    /// The date of a token that is made at a time: the last full half hour.
    package static func issueTime(at time: WallTime) -> WallTime {
        let number = time.rawValue / interval.rawValue
        return WallTime(rawValue: number * interval.rawValue)
    }

    /// Whether the token is to be renewed.
    ///
    /// It stays for 20 minutes, if it was made shortly before a half hour was full, and beyond a
    /// clock that was set back a little.
    package func isDue(at now: Instant) -> Bool {
        let age = now.wall - issuedAt
        if age < .zero - Self.smallStep || age >= Self.oldest { return true }
        return Self.issueTime(at: now.wall) > issuedAt && mayBeReplaced(at: now)
    }

    /// Whether Apple accepts a successor by now, on connections that have used the token.
    package func mayBeReplaced(at now: Instant) -> Bool {
        now.monotonic - madeAt.monotonic >= Self.shortest
    }
}
