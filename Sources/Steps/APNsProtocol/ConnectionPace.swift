package import Basics

/// How often connections to one of Apple's services are opened: a few at once, and then one for
/// each interval, however the others have ended (as GCRA, ITU-T I.371, counts cells).
///
/// So a peer that ends each connection after one answer gets one push a second, and not a handshake
/// for each push. One that asks for other connections after long use gets them at once.
package struct ConnectionPace: Equatable, Sendable {
    /// The most connections that are opened at once.
    package static var burst: Int { 8 }
    /// The time after which another one may be opened.
    package static var interval: Milliseconds { .seconds(1) }

    /// When all that were opened are made up for.
    private var evenAt = MonotonicTime.longAgo

    /// A pace at which nothing was opened yet.
    package init() {}

    /// Whether a connection may be opened now.
    package func canOpen(at now: MonotonicTime) -> Bool {
        evenAt - now <= Self.interval * Int64(Self.burst - 1)
    }

    /// A connection is opened.
    package mutating func opened(at now: MonotonicTime) {
        evenAt = max(evenAt, now) + Self.interval
    }
}
