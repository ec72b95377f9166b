package import Cryptography
package import LibuvLoop

/// What `OpenConnections` knows of a connection.
package protocol ServedConnection: AnyObject {
    /// What is read and written; its slot is that in `OpenConnections`.
    var tcp: TCPConnection { get }
    /// The network of the client.
    var network: PeerNetwork { get }
    /// Numbers rise in the order in which the connections were opened.
    var number: UInt64 { get }
    /// Which limit it counts towards.
    var stage: ConnectionStage { get set }
    /// Whether its last request was one that the server trusts.
    var isTrusted: Bool { get set }
    /// Whether no request is under way on it.
    var isIdle: Bool { get }
    /// Whether the client is sending a body that is kept.
    var isReadingBody: Bool { get }
    /// The bytes of its request's body that are kept.
    var bodyByteCount: Int { get set }
}

/// The limit that a connection counts towards.
package enum ConnectionStage: Sendable {
    case handshake
    case open
    case ending
}

/// The connections of a server, and which of them is closed when there are too many.
///
///     slots         [ trusted: their last request was one that the server trusts │ reserve ]
///     is displaced  for a new connection: an untrusted one
///                   for one that becomes trusted, if that is one too many: a trusted one
///
/// As soon as the last slot is taken, another connection is displaced. So new clients are always
/// served, however many connections are held open, and an untrusted client can never end a trusted
/// client's request. Of the untrusted connections, those without a request are displaced before
/// those with one; among these, first those of the network with the most connections; and of these
/// the oldest first.
///
/// Those that are in their handshake, and those that are only being ended, can have limits of their
/// own: beyond it, the oldest of the network that has the most of them is closed.
///
/// Belongs to the server's thread.
package struct OpenConnections<Connection: ServedConnection> {
    /// The connections by slot.
    private var slots: ContiguousArray<Connection?> = []
    private var free: [UInt32] = []
    private var counts: [ConnectionStage: Int] = [:]
    private var trustedCount = 0
    private let limit: Int
    private let handshakeLimit: Int
    private let endingLimit: Int
    /// The most connections that may be trusted; the rest is reserved for untrusted ones.
    private let trustedLimit: Int
    /// The bytes of all bodies that are kept.
    package private(set) var bodyByteCount = 0

    /// No connections, of which there may be `limit`, besides those in the other stages.
    package init(limit: Int, handshakes: Int = .max, endings: Int = .max) {
        self.limit = limit
        handshakeLimit = handshakes
        endingLimit = endings
        trustedLimit = max(1, limit - max(2, limit / 8))
    }

    /// The connection in a slot; nil if there is none.
    package subscript(slot: UInt32) -> Connection? { slot < slots.count ? slots[Int(slot)] : nil }

    /// All connections.
    package var all: [Connection] { slots.compactMap { $0 } }

    /// The number of connections, in whatever stage.
    package var count: Int { slots.count - free.count }

    /// Adds a connection, and gives it a slot. Returns the connection that must be closed for it;
    /// nil if none must.
    package mutating func insert(
        _ connection: Connection,
        in stage: ConnectionStage = .open
    ) -> Connection? {
        let slot = free.popLast() ?? UInt32(slots.count)
        if slot == slots.count { slots.append(nil) }
        assert(slots[Int(slot)] == nil, "the slot has a connection")
        connection.tcp.slot = slot
        slots[Int(slot)] = connection
        connection.stage = stage
        return count(connection)
    }

    /// Lets a connection count towards another limit. Returns the connection that must be closed
    /// for it; nil if none must.
    mutating func move(_ connection: Connection, to stage: ConnectionStage) -> Connection? {
        discount(connection)
        connection.stage = stage
        return count(connection)
    }

    /// Removes a connection.
    package mutating func remove(_ connection: Connection) {
        assert(self[connection.tcp.slot] === connection, "the connection was removed already")
        releaseBody(of: connection)
        discount(connection)
        slots[Int(connection.tcp.slot)] = nil
        free.append(connection.tcp.slot)
        connection.tcp.slot = .max
    }

    /// Records whether the present request of a connection is one that the server trusts. Returns
    /// the connection that must be closed because too many are trusted now; nil if none must.
    package mutating func trust(_ connection: Connection, if isTrusted: Bool) -> Connection? {
        if connection.isTrusted == isTrusted { return nil }
        connection.isTrusted = isTrusted
        trustedCount += isTrusted ? 1 : -1
        return trustedCount > trustedLimit ? trustedToDisplace(otherThan: connection) : nil
    }

    /// The connections that must end because their certificates have been replaced: those whose
    /// clients the present authorities do not vouch for, and handshakes under the former ones.
    package func unvouched(by context: TLSServerContext) -> [Connection] {
        all.filter { connection in
            guard let session = connection.tcp.security else { return false }
            return session.phase == .handshake || !context.vouches(for: session)
        }
    }

    // MARK: - Limits

    private mutating func count(_ connection: Connection) -> Connection? {
        let count = counts[connection.stage, default: 0] + 1
        counts[connection.stage] = count
        switch connection.stage {
        case .handshake where count > handshakeLimit, .ending where count > endingLimit:
            return Self.crowded(all.filter { $0.stage == connection.stage }, otherThan: connection)
        case .open where count >= limit:
            let other = Self.crowded(open(false), otherThan: connection) { $0.isIdle }
            return other ?? (count > limit ? connection : nil)
        case .handshake, .ending, .open: return nil
        }
    }

    private mutating func discount(_ connection: Connection) {
        counts[connection.stage, default: 0] -= 1
        if connection.isTrusted { trustedCount -= 1 }
        connection.isTrusted = false
        assert(counts[connection.stage]! >= 0 && trustedCount >= 0, "more end than were open")
    }

    private func open(_ isTrusted: Bool) -> [Connection] {
        all.filter { $0.stage == .open && $0.isTrusted == isTrusted }
    }

    /// The oldest connection of the network that has the most of these, among those that come
    /// first; nil if there is no other.
    private static func crowded(
        _ connections: [Connection],
        otherThan newest: Connection,
        first: (Connection) -> Bool = { _ in false }
    ) -> Connection? {
        var counts: [PeerNetwork: Int] = [:]
        for connection in connections { counts[connection.network, default: 0] += 1 }
        return connections.filter { $0 !== newest }
            .min { left, right in
                let isFirst = (first(left), first(right))
                if isFirst.0 != isFirst.1 { return isFirst.0 }
                let most = (counts[left.network]!, counts[right.network]!)
                return most.0 != most.1 ? most.0 > most.1 : left.number < right.number
            }
    }

    /// The connection to displace for another trusted one: the oldest of the idle ones or, if none
    /// is idle, the oldest of all; nil if there is no other.
    private func trustedToDisplace(otherThan newest: Connection) -> Connection? {
        open(true).filter { $0 !== newest }
            .min { left, right in
                left.isIdle != right.isIdle ? left.isIdle : left.number < right.number
            }
    }

    // MARK: - Bodies

    /// Counts bytes of a body that are kept.
    package mutating func keepBody(_ byteCount: Int, of connection: Connection) {
        connection.bodyByteCount += byteCount
        bodyByteCount += byteCount
    }

    /// The oldest other connection that is sending a body, of the trusted or the untrusted ones, or
    /// of all; nil if there is none.
    package func oldestReading(
        otherThan connection: Connection,
        isTrusted: Bool? = nil
    ) -> Connection? {
        all.filter { other in
            other !== connection && other.isReadingBody
                && (isTrusted == nil || other.isTrusted == isTrusted)
        }
        .min { $0.number < $1.number }
    }

    /// Forgets the bytes of a body.
    package mutating func releaseBody(of connection: Connection) {
        bodyByteCount -= connection.bodyByteCount
        assert(bodyByteCount >= 0, "more bytes of bodies are released than were kept")
        connection.bodyByteCount = 0
    }
}
