internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// The exchanges that the server's thread must resume; any thread may add one.
///
/// Only the server's thread resumes connections: libmicrohttpd may overlook one that another thread
/// resumes while it waits.
final class HTTPMailbox: Sendable {
    private struct State {
        var waiting: [HTTPExchange] = []
        var isStopping = false
    }

    private let state = Mutex(State())
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
        let isFirst = state.withLock { state in
            state.waiting.append(exchange)
            return state.waiting.count == 1
        }
        if isFirst { ring_bell(bell) }
    }

    /// Asks the server's thread to end.
    func stop() {
        state.withLock { $0.isStopping = true }
        ring_bell(bell)
    }

    /// Removes and returns the exchanges in the order they were left, and whether the server is to
    /// stop.
    func take() -> (exchanges: [HTTPExchange], isStopping: Bool) {
        // Reset before the list is taken, so that an exchange left after that wakes the thread
        // again.
        quiet_bell(bell)
        return state.withLock { state in
            defer { state.waiting = [] }
            return (state.waiting, state.isStopping)
        }
    }
}

/// A system call that failed, with its `errno`.
struct SystemFailure: Error {
    let code: CInt
}
