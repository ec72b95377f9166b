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
        /// Of the request that is being answered.
        var exchange: HTTPExchange?
    }

    /// By number, in the order in which they were opened.
    private var entries: [UInt: Entry] = [:]
    private var next: UInt = 1
    /// All before it have ended, or were told to.
    private var oldest: UInt = 1
    private let limit: Int

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
    }

    /// The socket is still open.
    mutating func closed(_ number: UInt) {
        entries[number] = nil
    }

    /// Resumes all that are suspended.
    func proceed() {
        for entry in entries.values { entry.exchange?.proceed() }
    }

    private mutating func endOldest() {
        while oldest < next {
            defer { oldest += 1 }
            guard let entry = entries[oldest] else { continue }
            // libmicrohttpd reads the end of the stream, and closes; one that is suspended it
            // looks at only when it is resumed.
            end_socket(entry.socket)
            entry.exchange?.end()
            return
        }
    }
}
