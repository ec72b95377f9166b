internal import Basics

/// The one-time links that bring operators to the dashboard, and the browsers that came by one.
///
///     operator ──► link, good for one visit ──► browser's own token and cookie, good for a day
///
/// A link's code follows the `#` of an address, which a browser sends to no server, so that it is
/// in no log of a proxy. Only hashes are kept. When there are too many, the oldest is dropped
/// of the operator that has the most.
///
/// A browser shows two secrets, and is let in by both alone. Its token is in the storage of pages
/// of this server, of which no other server hears, be it another port of this machine; and a
/// browser adds it to no request by itself, so that no foreign page can use it. Its cookie is
/// hidden from scripts, so that nothing that runs in the page can take both away.
struct BrowserSessions {
    /// How long a link is good.
    static var linkLifetime: Milliseconds { .minutes(10) }
    /// The most links that wait for their visit.
    static var linkLimit: Int { 16 }
    /// How long a browser's token is good.
    static var sessionLifetime: Milliseconds { .hours(12) }
    /// The most browsers.
    static var sessionLimit: Int { 64 }

    /// Who is let in by the secret with a hash, or by secrets with one together, and until when.
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

    /// Ends a session; false if there is none.
    mutating func end(_ session: SHA256Digest) -> Bool {
        let count = sessions.count
        sessions.removeAll { $0.digest == session }
        return sessions.count < count
    }

    /// Ends the sessions of operators that are listed no more, or otherwise; false if there are
    /// none.
    mutating func keep(of operators: [OperatorProof: Operator]) -> Bool {
        let count = sessions.count
        sessions.removeAll { operators[$0.listed.proof] != $0.listed }
        return sessions.count < count
    }

    // MARK: - Over a restart

    /// The sessions as a file: neither secrets nor names.
    var file: [UInt8] {
        JSONWriter.object { json in
            json.list("sessions", of: sessions) { entry, json in
                json.beginObject()
                json.member("sha256", value: entry.digest.hexadecimal)
                json.member("operator", value: entry.listed.digest.hexadecimal)
                json.member("until", value: entry.until)
                json.endObject()
            }
        }
    }

    /// Takes the sessions of a file that `file` has made, of operators that are listed as they
    /// were. None is good for longer than a new one.
    mutating func restore(
        _ file: [UInt8],
        of operators: some Sequence<Operator>,
        now: WallTime
    ) throws(AdminProblem) {
        let known = Dictionary(operators.map { ($0.digest, $0) }) { first, _ in first }
        func digest(_ value: AdminValue) throws(AdminProblem) -> SHA256Digest {
            guard let digest = SHA256Digest(hexadecimal: try value.string(64)) else {
                throw value.wrong("a hash")
            }
            return digest
        }
        let found = try AdminValue.read(file, depth: 4) { (file) throws(AdminProblem) in
            try file.members(of: ["sessions"]).needed("sessions").list(Self.sessionLimit) {
                (value) throws(AdminProblem) -> Entry? in
                let members = try value.members(of: ["sha256", "operator", "until"])
                let session = try digest(members.needed("sha256"))
                guard let listed = known[try digest(members.needed("operator"))] else { return nil }
                let end = try members.needed("until").integer(0...Int64.max)
                let until = min(WallTime(rawValue: end), now + Self.sessionLifetime)
                return Entry(digest: session, listed: listed, until: until, limit: until)
            }
        }
        for entry in found {
            if let entry { Self.add(entry, to: &sessions, limit: Self.sessionLimit, now: now) }
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
