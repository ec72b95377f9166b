internal import CMicroHTTPD
internal import Credentials

/// The server's open connections, and which of them is closed when there are too many.
///
/// libmicrohttpd closes silent connections, but not those that send a byte now and then, and at its
/// limit it accepts none. So as soon as the last slot is taken, another connection is displaced:
/// new clients are always served, however many connections are held open.
///
///     slots         [ trusted: their last request was one that `HTTPHandler.trusts` │ reserve ]
///     is displaced  for a new connection: an untrusted one
///                   for one that becomes trusted, if that is one too many: a trusted one
///
/// So an untrusted client can never end a trusted client's stream. Of the untrusted connections,
/// those without a request are displaced before those with one; among these, first those of the
/// network with the most connections; and of these the oldest first.
///
/// Belongs to the server's thread.
struct OpenConnections {
    private struct Entry {
        let socket: CInt
        let network: Network
        /// What the client has proved to be; nil for none.
        let certificate: ShownCertificate?
        /// The request that is being read or answered; nil between requests.
        var exchange: HTTPExchange?
        /// The number of bytes of its body that are kept.
        var bodyByteCount = 0
        /// True while its body is still arriving.
        var isReading = false
        /// True if its last request was one that `HTTPHandler.trusts`.
        var isTrusted = false
        /// True once its socket was shut; libmicrohttpd closes it when it next looks at it.
        var isEnding = false

        /// Shuts the socket, so that libmicrohttpd closes the connection.
        mutating func end() {
            // libmicrohttpd reads the end of the stream and closes the connection. It looks at a
            // suspended one only after it is resumed.
            isEnding = true
            end_socket(socket)
            exchange?.incoming.end()
            exchange?.end()
        }
    }

    /// An IPv4 address, or the first half of an IPv6 address, whose second half a client can choose
    /// freely.
    private struct Network: Hashable {
        let family: UInt32
        let bits: UInt64
    }

    /// The connections by number; numbers rise in the order in which the connections were opened.
    private var entries: [UInt: Entry] = [:]
    /// The number of the next connection.
    private var next: UInt = 1
    /// The most connections that may be open.
    private let limit: Int
    /// The most connections that may be trusted; the rest is reserved for untrusted ones.
    private let trustedLimit: Int
    /// The number of bytes of all bodies that are kept.
    private(set) var bodyByteCount = 0
    /// The number of connections that were closed to make room.
    private(set) var displacedCount = 0

    init(limit: Int) {
        self.limit = limit
        trustedLimit = max(1, limit - max(2, limit / 8))
        entries.reserveCapacity(limit)
    }

    /// Adds a connection that was accepted, displacing another one if it has taken the last slot.
    ///
    /// - Parameters:
    ///   - connection: the connection.
    ///   - certificate: what its client has proved to be; nil for none.
    /// - Returns: the connection's number, which is not 0.
    mutating func opened(_ connection: OpaquePointer, certificate: ShownCertificate?) -> UInt {
        let number = next
        next += 1
        let peer = unsafe peer_network(connection)
        entries[number] = Entry(
            socket: unsafe connection_socket(connection),
            network: Network(family: peer.family, bits: peer.bits),
            certificate: certificate
        )
        if isFull { displace(untrustedToDisplace(otherThan: number)) }
        return number
    }

    /// Records that a request has begun on a connection, displacing another one if too many are
    /// trusted now.
    mutating func began(_ exchange: HTTPExchange, on number: UInt, isTrusted: Bool) {
        assert(entries[number] != nil, "a request begins on a connection that is not open")
        assert(entries[number]?.exchange == nil, "a request begins before the last one has ended")
        entries[number]?.exchange = exchange
        // The next request on a trusted connection does not make one more.
        let isOneMore = isTrusted && entries[number]?.isTrusted == false
        entries[number]?.isTrusted = isTrusted
        if isOneMore && entries.values.count(where: { $0.isTrusted && !$0.isEnding }) > trustedLimit
        {
            displace(trustedToDisplace(otherThan: number))
        }
    }

    /// True if there is no free slot; another connection is being closed then.
    var isFull: Bool { entries.count >= limit }

    /// What the client of a connection has proved to be; nil for none.
    func certificate(of number: UInt) -> ShownCertificate? { entries[number]?.certificate }

    // MARK: - Displacement

    /// Closes a connection to make room for another one; does nothing for nil.
    private mutating func displace(_ number: UInt?) {
        guard let number else { return }
        assert(entries[number]?.isEnding == false, "the connection is closed already")
        displacedCount += 1
        entries[number]?.end()
    }

    /// The connection to displace for a new one; nil if all others are trusted.
    private func untrustedToDisplace(otherThan number: UInt) -> UInt? {
        var counts: [Network: Int] = [:]
        for entry in entries.values where !entry.isTrusted && !entry.isEnding {
            counts[entry.network, default: 0] += 1
        }
        return entries.filter { $0.key != number && !$0.value.isTrusted && !$0.value.isEnding }
            .min { left, right in
                let isIdle = (left.value.exchange == nil, right.value.exchange == nil)
                if isIdle.0 != isIdle.1 { return isIdle.0 }
                let most = (counts[left.value.network]!, counts[right.value.network]!)
                return most.0 != most.1 ? most.0 > most.1 : left.key < right.key
            }?.key
    }

    /// The connection to displace for another trusted one: the oldest of the idle ones or, if none
    /// is idle, the oldest of all; nil if there is no other.
    private func trustedToDisplace(otherThan number: UInt) -> UInt? {
        entries.filter { $0.key != number && $0.value.isTrusted && !$0.value.isEnding }
            .min { left, right in
                let isIdle = (left.value.exchange == nil, right.value.exchange == nil)
                return isIdle.0 != isIdle.1 ? isIdle.0 : left.key < right.key
            }?.key
    }

    /// Records that the request on a connection has ended.
    mutating func ended(on number: UInt) {
        assert(entries[number]?.exchange != nil, "no request is under way on the connection")
        entries[number]?.exchange = nil
        releaseBody(of: number)
    }

    /// Removes a connection. Its socket is still open when this is called.
    mutating func closed(_ number: UInt) {
        assert(entries[number] != nil, "the connection is not open")
        releaseBody(of: number)
        entries[number] = nil
    }

    // MARK: - Bodies

    /// Reserves memory for more bytes of a body. If there is not enough, closes other connections
    /// that are sending bodies, the oldest connection first; a trusted connection only for another
    /// trusted one, and only if no other is left.
    ///
    /// - Returns: false if there is not enough memory and no such connection.
    mutating func keepBody(_ count: Int, of number: UInt, limit: Int) -> Bool {
        assert(entries[number] != nil, "a body arrives on a connection that is not open")
        while bodyByteCount + count > limit {
            guard let other = oldestReading(otherThan: number) else { return false }
            entries[other]?.end()
            releaseBody(of: other)
        }
        entries[number]?.bodyByteCount += count
        entries[number]?.isReading = true
        bodyByteCount += count
        return true
    }

    /// Records that all of a body has arrived.
    mutating func readBody(of number: UInt) {
        entries[number]?.isReading = false
    }

    /// Releases the memory of a body.
    mutating func releaseBody(of number: UInt) {
        bodyByteCount -= entries[number]?.bodyByteCount ?? 0
        assert(bodyByteCount >= 0, "more bytes of bodies are released than were kept")
        entries[number]?.bodyByteCount = 0
        entries[number]?.isReading = false
    }

    /// The oldest of the connections that are sending a body and may be closed for a connection, by
    /// the order in which they were opened: an untrusted one if there is any; nil if there is none.
    private func oldestReading(otherThan number: UInt) -> UInt? {
        let reading = entries.filter { $0.key != number && $0.value.isReading }
        if let oldest = reading.filter({ !$0.value.isTrusted }).keys.min() { return oldest }
        return entries[number]?.isTrusted == true ? reading.keys.min() : nil
    }

    /// Resumes all suspended connections.
    func proceed() {
        for entry in entries.values { entry.exchange?.proceed() }
    }
}
