internal import LibuvLoop

/// The connections of an `HTTPServer`, and which of them is closed when there are too many.
///
///     slots         [ trusted: their last request was one that `HTTPHandler.trusts` │ reserve ]
///     is displaced  for a new connection: an untrusted one
///                   for one that becomes trusted, if that is one too many: a trusted one
///
/// As soon as the last slot is taken, another connection is displaced. So new clients are always
/// served, however many connections are held open, and an untrusted client can never end a trusted
/// client's stream. Of the untrusted connections, those without a request are displaced before
/// those with one; among these, first those of the network with the most connections; and of these
/// the oldest first.
///
/// Those that are in their handshake, and those that are only being ended, have limits of their
/// own: beyond it, the oldest of the network that has the most of them is closed.
///
/// Belongs to the server's thread.
struct OpenConnections {
    /// The connections by slot.
    private var slots: ContiguousArray<HTTPConnection?> = []
    private var free: [UInt32] = []
    private var counts: [HTTPConnection.Stage: Int] = [:]
    private var trustedCount = 0
    private let limits: HTTPServerLimits
    /// The most connections that may be trusted; the rest is reserved for untrusted ones.
    private let trustedLimit: Int
    /// The bytes of all bodies that are kept.
    private(set) var bodyByteCount = 0

    init(_ limits: HTTPServerLimits) {
        self.limits = limits
        trustedLimit = max(1, limits.connections - max(2, limits.connections / 8))
    }

    /// The connection in a slot; nil if there is none.
    subscript(slot: UInt32) -> HTTPConnection? {
        slot < slots.count ? slots[Int(slot)] : nil
    }

    /// The connection of this identity; nil if it has ended.
    subscript(id: HTTPConnection.ID) -> HTTPConnection? {
        guard let found = self[id.slot], found.number == id.number else { return nil }
        return found
    }

    /// All connections.
    var all: [HTTPConnection] { slots.compactMap { $0 } }

    /// True if there is none.
    var isEmpty: Bool { free.count == slots.count }

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
        connection.stage = stage
        return count(connection)
    }

    /// Lets a connection count towards another limit. Returns the connection that must be closed
    /// for it; nil if none must.
    mutating func move(
        _ connection: HTTPConnection,
        to stage: HTTPConnection.Stage
    ) -> HTTPConnection? {
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

    /// Records whether the present request of a connection is one that the handler trusts. Returns
    /// the connection that must be closed because too many are trusted now; nil if none must.
    mutating func trust(_ connection: HTTPConnection, if isTrusted: Bool) -> HTTPConnection? {
        if connection.isTrusted == isTrusted { return nil }
        connection.isTrusted = isTrusted
        trustedCount += isTrusted ? 1 : -1
        return trustedCount > trustedLimit ? trustedToDisplace(otherThan: connection) : nil
    }

    // MARK: - Limits

    private mutating func count(_ connection: HTTPConnection) -> HTTPConnection? {
        let count = counts[connection.stage, default: 0] + 1
        counts[connection.stage] = count
        switch connection.stage {
        case .handshake where count > limits.handshakes, .ending where count > limits.endings:
            return crowded(connection.stage, otherThan: connection)
        case .open where count >= limits.connections:
            let other = untrustedToDisplace(otherThan: connection)
            return other ?? (count > limits.connections ? connection : nil)
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

    /// The oldest connection of the network that has the most in a stage; nil if there is no other.
    private func crowded(
        _ stage: HTTPConnection.Stage,
        otherThan newest: HTTPConnection
    ) -> HTTPConnection? {
        Self.crowded(all.filter { $0.stage == stage }, otherThan: newest)
    }

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

    /// The connection to displace for a new one; nil if all others are trusted.
    private func untrustedToDisplace(otherThan newest: HTTPConnection) -> HTTPConnection? {
        Self.crowded(open(false), otherThan: newest) { $0.isIdle }
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

    /// Which of the connections that are sending a body to close so that the body of `connection`
    /// can be kept: the oldest untrusted one. If all are trusted, the oldest one, but only if
    /// `connection` is trusted, too. nil if none is to be closed.
    func oldestReading(otherThan connection: HTTPConnection) -> HTTPConnection? {
        let reading = all.filter { $0 !== connection && $0.isReadingBody }
        let untrusted = reading.filter { !$0.isTrusted }.min { $0.number < $1.number }
        if untrusted != nil || !connection.isTrusted { return untrusted }
        return reading.min { $0.number < $1.number }
    }

    /// Forgets the bytes of a body.
    mutating func releaseBody(of connection: HTTPConnection) {
        bodyByteCount -= connection.bodyByteCount
        assert(bodyByteCount >= 0, "more bytes of bodies are released than were kept")
        connection.bodyByteCount = 0
    }
}
