internal import Basics
internal import LibuvLoop

/// The open connections of the listener for publishers, and which of them is closed when there are
/// too many.
///
///     slots         [ trusted: their last request was one of a publisher or gateway │ reserve ]
///     is displaced  for a new connection: an untrusted one
///                   for one that becomes trusted, if that is one too many: a trusted one
///
/// So new clients are always served, however many connections are held open, and an untrusted
/// client can never end a publisher's connection. Of the untrusted connections, those without a
/// request are displaced before those with one; among these, first those of the network with the
/// most connections; and of these the oldest first.
struct PublishConnections {
    /// The connections by slot.
    private var slots: ContiguousArray<PublishConnection?> = []
    private var free: [UInt32] = []
    /// The number of open connections.
    private(set) var count = 0
    private var trustedCount = 0
    /// The most connections.
    private let limit: Int
    /// The most connections that may be trusted.
    private let trustedLimit: Int
    /// The bytes of all bodies that are kept.
    private(set) var bodyByteCount = 0

    init(limit: Int) {
        self.limit = limit
        trustedLimit = max(1, limit - max(2, limit / 8))
    }

    /// The connection in a slot; nil if there is none.
    subscript(slot: UInt32) -> PublishConnection? {
        slot < slots.count ? slots[Int(slot)] : nil
    }

    /// The connection on which a request is still under way; nil if it has ended.
    subscript(request: PublishRequestID) -> PublishConnection? {
        guard let found = self[request.slot], found.number == request.number,
            found.serial == request.serial
        else { return nil }
        return found
    }

    /// All open connections.
    var all: [PublishConnection] { slots.compactMap { $0 } }

    /// Adds a connection, and gives it a slot.
    ///
    /// - Returns: the connection that must be closed for it; nil if none must.
    mutating func insert(_ connection: PublishConnection) -> PublishConnection? {
        let slot = free.popLast() ?? UInt32(slots.count)
        if slot == slots.count { slots.append(nil) }
        assert(slots[Int(slot)] == nil, "the slot has a connection")
        connection.tcp.slot = slot
        slots[Int(slot)] = connection
        count += 1
        return count >= limit ? untrustedToDisplace(otherThan: connection) : nil
    }

    /// Removes a connection.
    mutating func remove(_ connection: PublishConnection) {
        assert(self[connection.tcp.slot] === connection, "the connection was removed already")
        releaseBody(of: connection)
        slots[Int(connection.tcp.slot)] = nil
        free.append(connection.tcp.slot)
        connection.tcp.slot = .max
        count -= 1
        if connection.isTrusted { trustedCount -= 1 }
        assert(count >= 0 && trustedCount >= 0, "more connections end than were open")
    }

    /// Records whether the present request of a connection is one of a publisher or a gateway.
    ///
    /// - Returns: the connection that must be closed because too many are trusted now; nil if none
    ///   must.
    mutating func trust(_ connection: PublishConnection, if isTrusted: Bool) -> PublishConnection? {
        if connection.isTrusted == isTrusted { return nil }
        connection.isTrusted = isTrusted
        trustedCount += isTrusted ? 1 : -1
        return trustedCount > trustedLimit ? trustedToDisplace(otherThan: connection) : nil
    }

    // MARK: - Displacement

    /// The connection to displace for a new one; nil if all others are trusted.
    private func untrustedToDisplace(otherThan newest: PublishConnection) -> PublishConnection? {
        let untrusted = all.filter { !$0.isTrusted }
        var counts: [PeerNetwork: Int] = [:]
        for connection in untrusted { counts[connection.network, default: 0] += 1 }
        return untrusted.filter { $0 !== newest }
            .min { left, right in
                if left.isIdle != right.isIdle { return left.isIdle }
                let most = (counts[left.network]!, counts[right.network]!)
                return most.0 != most.1 ? most.0 > most.1 : left.number < right.number
            }
    }

    /// The connection to displace for another trusted one: the oldest of the idle ones or, if none
    /// is idle, the oldest of all; nil if there is no other.
    private func trustedToDisplace(otherThan newest: PublishConnection) -> PublishConnection? {
        all.filter { $0.isTrusted && $0 !== newest }
            .min { left, right in
                left.isIdle != right.isIdle ? left.isIdle : left.number < right.number
            }
    }

    // MARK: - Bodies

    /// Counts bytes of a body that are kept.
    mutating func keepBody(_ byteCount: Int, of connection: PublishConnection) {
        connection.chargedCount += byteCount
        bodyByteCount += byteCount
    }

    /// The oldest other connection that is sending a body; nil if there is none.
    func oldestReading(otherThan connection: PublishConnection) -> PublishConnection? {
        all.filter { $0 !== connection && $0.isReadingBody && $0.chargedCount > 0 }
            .min { $0.number < $1.number }
    }

    /// Forgets a body.
    mutating func releaseBody(of connection: PublishConnection) {
        bodyByteCount -= connection.chargedCount
        assert(bodyByteCount >= 0, "more bytes of bodies are released than were kept")
        connection.chargedCount = 0
        connection.body = BodyPieces()
        connection.bodyCount = 0
    }
}
