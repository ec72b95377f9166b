internal import Basics
internal import Cryptography
internal import LibuvLoop

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
/// own: beyond it, the oldest of the network that has the most of them is closed. Without such a
/// limit, they count as the others do.
///
/// Belongs to the loop's thread.
struct OpenConnections {
    /// The connections by slot.
    private var slots: ContiguousArray<HTTPConnection?> = []
    private var free: [UInt32] = []
    private var counts: [HTTPConnection.Stage: Int] = [:]
    private var trustedCount = 0
    private let limit: Int
    private let handshakeLimit: Int?
    private let endingLimit: Int?
    /// The most connections that may be trusted; the rest is reserved for untrusted ones.
    private let trustedLimit: Int
    /// The bytes of all bodies that are kept.
    private(set) var bodyByteCount = 0

    init(_ limits: HTTPServerLimits) {
        limit = limits.connections
        handshakeLimit = limits.handshakes
        endingLimit = limits.endings
        trustedLimit = max(1, limit - max(2, limit / 8))
    }

    /// The connection in a slot; nil if there is none.
    subscript(slot: UInt32) -> HTTPConnection? { slot < slots.count ? slots[Int(slot)] : nil }

    /// The connection on which a request is still under way; nil if it has ended.
    subscript(request: HTTPConnection.RequestID) -> HTTPConnection? {
        guard let found = self[request.slot], found.number == request.number,
            found.serial == request.serial
        else { return nil }
        return found
    }

    /// All connections.
    var all: [HTTPConnection] { slots.compactMap { $0 } }

    /// The number of connections, in whatever stage.
    var count: Int { slots.count - free.count }

    /// Adds a connection, and gives it a slot. Returns the connection that must be closed for it;
    /// nil if none must.
    mutating func insert(
        _ connection: HTTPConnection,
        in stage: HTTPConnection.Stage
    ) -> HTTPConnection? {
        let slot = free.popLast() ?? UInt32(slots.count)
        if slot == slots.count { slots.append(nil) }
        assert(slots[Int(slot)] == nil, "the slot has a connection")
        connection.tcp.slot = slot
        slots[Int(slot)] = connection
        connection.stage = resolved(stage)
        return count(connection)
    }

    /// Lets a connection count towards another limit. Returns the connection that must be closed
    /// for it; nil if none must.
    mutating func move(
        _ connection: HTTPConnection,
        to stage: HTTPConnection.Stage
    ) -> HTTPConnection? {
        let stage = resolved(stage)
        if connection.stage == stage { return nil }
        discount(connection)
        connection.stage = stage
        return count(connection)
    }

    /// Removes a connection.
    mutating func remove(_ connection: HTTPConnection) {
        assert(self[connection.tcp.slot] === connection, "the connection was removed already")
        releaseBody(of: connection)
        discount(connection)
        slots[Int(connection.tcp.slot)] = nil
        free.append(connection.tcp.slot)
        connection.tcp.slot = .max
    }

    /// Records whether the present request of a connection is one that the server trusts. Returns
    /// the connection that must be closed because too many are trusted now; nil if none must.
    mutating func trust(_ connection: HTTPConnection, if isTrusted: Bool) -> HTTPConnection? {
        if connection.isTrusted == isTrusted { return nil }
        connection.isTrusted = isTrusted
        trustedCount += isTrusted ? 1 : -1
        return trustedCount > trustedLimit ? trustedToDisplace(otherThan: connection) : nil
    }

    /// The connections that must end because their certificates have been replaced: those whose
    /// clients the present authorities do not vouch for, and handshakes under the former ones.
    func unvouched(by context: TLSServerContext) -> [HTTPConnection] {
        all.filter { connection in
            guard let session = connection.tcp.security else { return false }
            return session.phase == .handshake || !context.vouches(for: session)
        }
    }

    /// Whether connections are being ended that count as such.
    var hasEndings: Bool { counts[.ending, default: 0] > 0 }

    // MARK: - Limits

    /// The stage as which another one counts.
    private func resolved(_ stage: HTTPConnection.Stage) -> HTTPConnection.Stage {
        switch stage {
        case .handshake where handshakeLimit == nil, .ending where endingLimit == nil: .open
        case .handshake, .open, .ending: stage
        }
    }

    private mutating func count(_ connection: HTTPConnection) -> HTTPConnection? {
        let count = counts[connection.stage, default: 0] + 1
        counts[connection.stage] = count
        switch connection.stage {
        case .handshake where count > handshakeLimit ?? .max,
            .ending where count > endingLimit ?? .max:
            return Self.crowded(all.filter { $0.stage == connection.stage }, otherThan: connection)
        case .open where count >= limit:
            let other = Self.crowded(open(false), otherThan: connection) { $0.isIdle }
            return other ?? (count > limit ? connection : nil)
        case .handshake, .ending, .open: return nil
        }
    }

    private mutating func discount(_ connection: HTTPConnection) {
        counts[connection.stage, default: 0] -= 1
        if connection.isTrusted { trustedCount -= 1 }
        connection.isTrusted = false
        assert(counts[connection.stage]! >= 0 && trustedCount >= 0, "more end than were open")
    }

    private func open(_ isTrusted: Bool) -> [HTTPConnection] {
        all.filter { $0.stage == .open && $0.isTrusted == isTrusted }
    }

    /// The oldest connection of the network that has the most of these, among those that come
    /// first; nil if there is no other.
    private static func crowded(
        _ connections: [HTTPConnection],
        otherThan newest: HTTPConnection,
        first: (HTTPConnection) -> Bool = { _ in false }
    ) -> HTTPConnection? {
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
    private func trustedToDisplace(otherThan newest: HTTPConnection) -> HTTPConnection? {
        open(true).filter { $0 !== newest }
            .min { left, right in
                left.isIdle != right.isIdle ? left.isIdle : left.number < right.number
            }
    }

    // MARK: - Bodies

    /// Counts bytes of a body that are kept.
    mutating func keepBody(_ byteCount: Int, of connection: HTTPConnection) {
        connection.bodyByteCount += byteCount
        bodyByteCount += byteCount
    }

    /// The connection to close so that more of a body may be kept: the oldest other one that is
    /// sending a body, of the untrusted ones or else, only for a trusted one, of the trusted ones;
    /// nil if there is none.
    func bodyToDisplace(for connection: HTTPConnection) -> HTTPConnection? {
        all.filter { other in
            other !== connection && other.isReadingBody
                && (connection.isTrusted || !other.isTrusted)
        }
        .min { left, right in
            left.isTrusted != right.isTrusted ? right.isTrusted : left.number < right.number
        }
    }

    /// Forgets the bytes of a body.
    mutating func releaseBody(of connection: HTTPConnection) {
        bodyByteCount -= connection.bodyByteCount
        assert(bodyByteCount >= 0, "more bytes of bodies are released than were kept")
        connection.bodyByteCount = 0
    }
}
