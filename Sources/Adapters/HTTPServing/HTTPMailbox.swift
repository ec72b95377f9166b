internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// The exchanges that the server's thread must resume, and the connections that it is to adopt; any
/// thread may add one.
///
/// Only the server's thread resumes connections: libmicrohttpd may overlook one that another thread
/// resumes while it waits.
final class HTTPMailbox: Sendable {
    /// What is in the mailbox.
    struct Content {
        /// The exchanges to resume, in the order in which they were left.
        var exchanges: [HTTPExchange] = []
        /// The connections to adopt.
        var accepted: [AcceptedConnection] = []
        /// True once the server is to stop.
        var isStopping = false

        fileprivate var isEmpty: Bool { exchanges.isEmpty && accepted.isEmpty }
    }

    private let state = Mutex(Content())
    /// A descriptor that is readable while there is something to take.
    let bell: CInt

    /// - Throws: `SystemFailure` if the system has no descriptor for the bell.
    init() throws(SystemFailure) {
        bell = open_bell()
        if bell < 0 { throw SystemFailure(code: errno) }
    }

    deinit { close_bell(bell) }

    /// Leaves an exchange to be resumed; the server's thread is woken.
    func leave(_ exchange: HTTPExchange) {
        leave { $0.exchanges.append(exchange) }
    }

    /// Leaves a connection to be adopted; the server's thread is woken. A server that stops adopts
    /// none.
    func leave(_ connection: AcceptedConnection) {
        leave { content in
            if !content.isStopping { content.accepted.append(connection) }
        }
    }

    private func leave(_ add: (inout Content) -> Void) {
        let isFirst = state.withLock { content in
            let wasEmpty = content.isEmpty
            add(&content)
            return wasEmpty && !content.isEmpty
        }
        if isFirst { ring_bell(bell) }
    }

    /// Asks the server's thread to end.
    func stop() {
        state.withLock { $0.isStopping = true }
        ring_bell(bell)
    }

    /// Removes and returns what there is; `isStopping` stays.
    func take() -> Content {
        // Reset before the content is taken, so that what is left after that wakes the thread
        // again.
        quiet_bell(bell)
        return state.withLock { content in
            defer { content = Content(isStopping: content.isStopping) }
            return content
        }
    }
}

/// A system call that failed, with its `errno`.
struct SystemFailure: Error {
    let code: CInt
}
