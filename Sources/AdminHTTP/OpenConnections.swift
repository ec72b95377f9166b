internal import Glibc

/// The admin server's open connections, the oldest first.
///
/// libmicrohttpd ends a connection that is silent, but not one that sends a byte now and then, and
/// accepts nobody while all places are taken. So when the last place is taken the oldest connection
/// makes room: whoever comes is served, however many hold on to theirs.
///
/// Belongs to the thread of libmicrohttpd.
struct OpenConnections {
    private struct Entry {
        let socket: CInt
        /// It was told to end, and has not ended yet.
        var isEnding = false
    }

    private var entries: ContiguousArray<Entry> = []
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    mutating func opened(_ socket: CInt) {
        entries.append(Entry(socket: socket))
        if entries.count < limit { return }
        guard let oldest = entries.firstIndex(where: { !$0.isEnding }) else { return }
        entries[oldest].isEnding = true
        // libmicrohttpd reads the end of the stream, and closes.
        _ = shutdown(entries[oldest].socket, CInt(SHUT_RDWR))
    }

    /// The socket is still open.
    mutating func closed(_ socket: CInt) {
        entries.removeAll { $0.socket == socket }
    }
}
