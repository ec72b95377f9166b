internal import CMicroHTTPD

/// The server's open connections, the oldest first.
///
/// libmicrohttpd ends a connection that is silent, but not one that sends a byte now and then, and
/// accepts nobody while all places are taken. So when the last place is taken the oldest connection
/// makes room: whoever comes is served, however many hold on to theirs.
///
/// Belongs to the server's thread.
struct OpenConnections {
    private struct Entry {
        let socket: CInt
        /// Of the request that is being read or answered.
        var exchange: HTTPExchange?
        /// Kept of its body.
        var bodyByteCount = 0
        /// Whether its body still comes.
        var isReading = false

        func end() {
            // libmicrohttpd reads the end of the stream, and closes; one that is suspended it
            // looks at only when it is resumed.
            end_socket(socket)
            exchange?.incoming.end()
            exchange?.end()
        }
    }

    /// By number, in the order in which they were opened.
    private var entries: [UInt: Entry] = [:]
    private var next: UInt = 1
    /// All before it have ended, or were told to.
    private var oldest: UInt = 1
    private let limit: Int
    /// Kept of all bodies.
    private(set) var bodyByteCount = 0

    init(limit: Int) {
        self.limit = limit
        entries.reserveCapacity(limit)
    }

    /// - Returns: the connection's number, which is not 0.
    mutating func opened(_ socket: CInt) -> UInt {
        let number = next
        next += 1
        entries[number] = Entry(socket: socket)
        if entries.count >= limit { endOldest() }
        return number
    }

    mutating func began(_ exchange: HTTPExchange, on number: UInt) {
        entries[number]?.exchange = exchange
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

    private mutating func endOldest() {
        while oldest < next {
            defer { oldest += 1 }
            guard let entry = entries[oldest] else { continue }
            entry.end()
            return
        }
    }
}
