internal import Cryptography
internal import LibuvLoop
internal import Synchronization

/// What other threads want of the server's thread: exchanges to continue, other certificates, its
/// end. Any thread may leave something.
final class HTTPMailbox: Sendable {
    /// What is in the mailbox.
    struct Content {
        /// The exchanges to continue, in the order in which they were left.
        var exchanges: [HTTPExchange] = []
        /// The certificates for later sessions; the newest order counts.
        var security: ServerSecurity?
        /// True once the server is to stop.
        var isStopping = false
    }

    private let state = Mutex(Content())
    /// Wakes the server's loop.
    let bell = LoopMailbox()

    /// Leaves an exchange to be continued; the server's thread is woken.
    func leave(_ exchange: HTTPExchange) {
        let isFirst = state.withLock { content in
            content.exchanges.append(exchange)
            return content.exchanges.count == 1
        }
        if isFirst { bell.wake() }
    }

    /// Orders other certificates.
    func replace(_ security: ServerSecurity) {
        state.withLock { $0.security = security }
        bell.wake()
    }

    /// Asks the server's thread to end.
    func stop() {
        state.withLock { $0.isStopping = true }
        bell.wake()
    }

    /// Removes and returns what there is; `isStopping` stays.
    func take() -> Content {
        state.withLock { content in
            defer { content = Content(isStopping: content.isStopping) }
            return content
        }
    }
}
