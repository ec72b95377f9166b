internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// Where any thread leaves exchanges that the server's thread is to go on with.
///
/// Connections are resumed by the server's thread alone: libmicrohttpd may forget to look at one that
/// another thread resumes while it waits.
final class ServerDoor: Sendable {
    private struct State {
        var waiting: [HTTPExchange] = []
        var isStopping = false
    }

    private let state = Mutex(State())
    /// Readable when there is something to take.
    let bell: CInt

    /// - Throws: the system's error if it gives no bell.
    init() throws(SystemFailure) {
        bell = open_bell()
        if bell < 0 { throw SystemFailure(code: errno) }
    }

    deinit { close_bell(bell) }

    func leave(_ exchange: HTTPExchange) {
        let isFirst = state.withLock { state in
            state.waiting.append(exchange)
            return state.waiting.count == 1
        }
        if isFirst { ring_bell(bell) }
    }

    /// Has the server's thread end.
    func stop() {
        state.withLock { $0.isStopping = true }
        ring_bell(bell)
    }

    /// Takes what was left, in the order in which it was, and whether the server is to stop.
    func take() -> (exchanges: [HTTPExchange], isStopping: Bool) {
        // Before the list is taken: what is left behind it rings again.
        quiet_bell(bell)
        return state.withLock { state in
            defer { state.waiting = [] }
            return (state.waiting, state.isStopping)
        }
    }
}

/// An error number of the system.
struct SystemFailure: Error {
    let code: CInt
}
