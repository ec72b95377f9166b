internal import CMicroHTTPD

/// The server's open connections, the oldest first.
///
/// libmicrohttpd ends a connection that is silent, but not one that sends a byte now and then, and
/// accepts nobody while all places are taken. So when the last place is taken another connection
/// makes room: whoever comes is served, however many hold on to theirs.
///
///     places   [ trusted: their last request was one that `HTTPHandler.trusts` │ reserve ]
///     makes room    for a new connection: one that is not trusted
///                   for one that becomes trusted, in front of the reserve: a trusted one
///
/// So nobody who has proved nothing ends the stream of somebody who has. Of those that are not trusted
/// one goes that has sent no request, before one that has; of the network that has most of them; the
/// oldest of these.
///
/// Belongs to the server's thread.
struct OpenConnections {
    private struct Entry {
        let socket: CInt
        let network: Network
        /// Of the request that is being read or answered.
        var exchange: HTTPExchange?
        /// Kept of its body.
        var bodyByteCount = 0
        /// Whether its body still comes.
        var isReading = false
        /// Whether its last request was one that `HTTPHandler.trusts`.
        var isTrusted = false
        /// It was told to end, and does so when libmicrohttpd looks at it.
        var isEnding = false

        mutating func end() {
            // libmicrohttpd reads the end of the stream, and closes; one that is suspended it
            // looks at only when it is resumed.
            isEnding = true
            end_socket(socket)
            exchange?.incoming.end()
            exchange?.end()
        }
    }

    /// An IPv4 address, or the first half of an IPv6 address: who has one has all behind it.
    private struct Network: Hashable {
        let family: UInt32
        let bits: UInt64
    }

    /// By number, in the order in which they were opened.
    private var entries: [UInt: Entry] = [:]
    private var next: UInt = 1
    private let limit: Int
    /// How many may be trusted: what is left is for those who come and have yet to say who they are.
    private let trustedLimit: Int
    /// Kept of all bodies.
    private(set) var bodyByteCount = 0
    /// Connections that were ended to make room.
    private(set) var displacedCount = 0

    init(limit: Int) {
        self.limit = limit
        trustedLimit = max(1, limit - max(2, limit / 8))
        entries.reserveCapacity(limit)
    }

    /// - Returns: the connection's number, which is not 0.
    mutating func opened(_ socket: CInt) -> UInt {
        let number = next
        next += 1
        let peer = peer_network(socket)
        entries[number] = Entry(
            socket: socket,
            network: Network(family: peer.family, bits: peer.bits)
        )
        if entries.count >= limit { displace(stranger(but: number)) }
        return number
    }

    /// A request has come on a connection.
    mutating func began(_ exchange: HTTPExchange, on number: UInt, isTrusted: Bool) {
        entries[number]?.exchange = exchange
        entries[number]?.isTrusted = isTrusted
        if isTrusted && entries.values.count(where: { $0.isTrusted && !$0.isEnding }) > trustedLimit
        {
            displace(oldestTrusted(but: number))
        }
    }

    // MARK: - Room

    private mutating func displace(_ number: UInt?) {
        guard let number else { return }
        displacedCount += 1
        entries[number]?.end()
    }

    /// Who makes room for a connection of which nothing is known.
    private func stranger(but number: UInt) -> UInt? {
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

    /// Who makes room for another one that is trusted.
    private func oldestTrusted(but number: UInt) -> UInt? {
        entries.filter { $0.key != number && $0.value.isTrusted && !$0.value.isEnding }
            .min { left, right in
                let isIdle = (left.value.exchange == nil, right.value.exchange == nil)
                return isIdle.0 != isIdle.1 ? isIdle.0 : left.key < right.key
            }?.key
    }

    mutating func ended(on number: UInt) {
        entries[number]?.exchange = nil
        releaseBody(of: number)
    }

    /// The socket is still open.
    mutating func closed(_ number: UInt) {
        releaseBody(of: number)
        entries[number] = nil
    }

    // MARK: - Bodies

    /// Makes room for more of a body; whose has been coming for longest is ended for it.
    ///
    /// - Returns: false if there is none to end, and no room.
    mutating func keepBody(_ count: Int, of number: UInt, limit: Int) -> Bool {
        while bodyByteCount + count > limit {
            guard let other = longestReading(but: number) else { return false }
            entries[other]?.end()
            releaseBody(of: other)
        }
        entries[number]?.bodyByteCount += count
        entries[number]?.isReading = true
        bodyByteCount += count
        return true
    }

    /// All of the body has come.
    mutating func readBody(of number: UInt) {
        entries[number]?.isReading = false
    }

    mutating func releaseBody(of number: UInt) {
        bodyByteCount -= entries[number]?.bodyByteCount ?? 0
        entries[number]?.bodyByteCount = 0
        entries[number]?.isReading = false
    }

    /// Numbers rise, and a connection has one request at a time.
    private func longestReading(but number: UInt) -> UInt? {
        entries.filter { $0.key != number && $0.value.isReading }.keys.min()
    }

    /// Resumes all that are suspended.
    func proceed() {
        for entry in entries.values { entry.exchange?.proceed() }
    }
}
