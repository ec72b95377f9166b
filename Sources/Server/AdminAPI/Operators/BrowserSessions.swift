internal import DataStructures
internal import Times

/// The one-time links that bring operators to the dashboard, and the browsers that came by one.
///
///     operator ──► link, good for one visit ──► browser's own token, good for a working day
///
/// A link's code follows the `#` of an address, which a browser sends to no server, so that it is
/// in no log of a proxy. Only hashes are kept. When there are too many, the oldest is dropped.
struct BrowserSessions {
    /// How long a link is good.
    static var linkLifetime: Milliseconds { .minutes(10) }
    /// The most links that wait for their visit.
    static var linkLimit: Int { 16 }
    /// How long a browser's token is good.
    static var sessionLifetime: Milliseconds { .hours(12) }
    /// The most browsers.
    static var sessionLimit: Int { 64 }

    /// Who is let in by the secret with a hash, and until when.
    private struct Entry {
        let digest: SHA256Digest
        let listed: Operator
        let until: WallTime
    }

    /// Oldest first.
    private var links: [Entry] = []
    /// Oldest first.
    private var sessions: [Entry] = []

    /// Adds a link for an operator.
    mutating func addLink(_ digest: SHA256Digest, for listed: Operator, now: WallTime) -> WallTime {
        let until = now + Self.linkLifetime
        Self.add(
            Entry(digest: digest, listed: listed, until: until),
            to: &links,
            limit: Self.linkLimit,
            now: now
        )
        return until
    }

    /// Turns a link into the session of a browser; the link is used up.
    ///
    /// - Parameters:
    ///   - link: the hash of the link's code.
    ///   - session: the hash of the browser's new token.
    ///   - now: the present date.
    /// - Returns: the session's operator; nil if there is no such link, or no longer.
    mutating func open(
        _ link: SHA256Digest,
        as session: SHA256Digest,
        now: WallTime
    ) -> AdmittedOperator? {
        guard let index = links.firstIndex(where: { $0.digest == link }) else { return nil }
        let entry = links.remove(at: index)
        if entry.until <= now { return nil }
        Self.add(
            Entry(digest: session, listed: entry.listed, until: now + Self.sessionLifetime),
            to: &sessions,
            limit: Self.sessionLimit,
            now: now
        )
        return find(session)
    }

    /// The operator whose browser has a token, however old it is; nil if there is none.
    func find(_ session: SHA256Digest) -> AdmittedOperator? {
        sessions.first { $0.digest == session }.map {
            AdmittedOperator($0.listed, way: .browser, session: session, until: $0.until)
        }
    }

    private static func add(
        _ entry: Entry,
        to entries: inout [Entry],
        limit: Int,
        now: WallTime
    ) {
        entries.removeAll { $0.until <= now }
        if entries.count == limit { entries.removeFirst() }
        entries.append(entry)
    }
}
