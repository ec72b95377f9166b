internal import Basics

/// The one-time links that bring operators to the dashboard, and the browsers that came by one.
///
///     operator ──► link, good for one visit ──► browser's own token, good for a working day
///
/// A link's code follows the `#` of an address, which a browser sends to no server, so that it is
/// in no log of a proxy. Only hashes are kept. When there are too many, the oldest is dropped
/// of the operator that has the most.
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
        /// Until when the browser that comes by a link may be let in at most.
        let limit: WallTime
    }

    /// Oldest first.
    private var links: [Entry] = []
    /// Oldest first.
    private var sessions: [Entry] = []

    /// Adds a link for an operator, and says until when it is good. A browser's token does not
    /// become longer by it: that of the browser that comes by the link ends with that of the one
    /// that has asked for it.
    mutating func addLink(
        _ digest: SHA256Digest,
        for admitted: AdmittedOperator,
        now: WallTime
    ) -> WallTime {
        let limit = admitted.until ?? .max
        let entry = Entry(
            digest: digest,
            listed: admitted.listed,
            until: min(now + Self.linkLifetime, limit),
            limit: limit
        )
        Self.add(entry, to: &links, limit: Self.linkLimit, now: now)
        return entry.until
    }

    /// Whose browser would come by a link; nil if there is no such link, or no longer.
    func holder(ofLink link: SHA256Digest, now: WallTime) -> AdmittedOperator? {
        links.first { $0.digest == link && $0.until > now }.map {
            AdmittedOperator($0.listed, way: .browser, until: $0.limit)
        }
    }

    /// Turns a link into the session of a browser; the link is used up. Nil if there is no such
    /// link, or no longer.
    mutating func open(
        _ link: SHA256Digest,
        as session: SHA256Digest,
        now: WallTime
    ) -> AdmittedOperator? {
        guard let index = links.firstIndex(where: { $0.digest == link }) else { return nil }
        let found = links.remove(at: index)
        if found.until <= now { return nil }
        let until = min(now + Self.sessionLifetime, found.limit)
        let entry = Entry(digest: session, listed: found.listed, until: until, limit: until)
        Self.add(entry, to: &sessions, limit: Self.sessionLimit, now: now)
        return find(session)
    }

    /// The operator whose browser has a token, however old it is; nil if there is none.
    func find(_ session: SHA256Digest) -> AdmittedOperator? {
        sessions.first { $0.digest == session }.map {
            AdmittedOperator($0.listed, way: .browser, session: session, until: $0.until)
        }
    }

    /// Adds an entry. If there is no room, the oldest makes room of the operator that has the most,
    /// so that no operator drops those of others.
    private static func add(_ entry: Entry, to entries: inout [Entry], limit: Int, now: WallTime) {
        entries.removeAll { $0.until <= now }
        entries.append(entry)
        if entries.count <= limit { return }
        var counts: [String: Int] = [:]
        for entry in entries { counts[entry.listed.name, default: 0] += 1 }
        let most = counts.values.max()
        entries.remove(at: entries.firstIndex { counts[$0.listed.name] == most }!)
    }
}
