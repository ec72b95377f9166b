internal import Synchronization

/// The exchanges whose connections are suspended: libmicrohttpd must not be stopped before all of
/// them have been resumed.
///
/// Is locked by whoever has locked an exchange, and never the other way around.
final class SuspendedExchanges: Sendable {
    private struct State {
        var exchanges: [ObjectIdentifier: HTTPExchange] = [:]
        var isStopping = false
    }

    private let state = Mutex(State())

    /// - Returns: false if the server stops, and nothing may be suspended any more.
    func insert(_ exchange: HTTPExchange) -> Bool {
        state.withLock { state in
            if state.isStopping { return false }
            state.exchanges[ObjectIdentifier(exchange)] = exchange
            return true
        }
    }

    func remove(_ exchange: HTTPExchange) {
        state.withLock { $0.exchanges[ObjectIdentifier(exchange)] = nil }
    }

    /// Ends all of them, and lets there be no more.
    func stop() {
        let exchanges = state.withLock { state in
            state.isStopping = true
            defer { state.exchanges = [:] }
            return Array(state.exchanges.values)
        }
        for exchange in exchanges { exchange.end() }
    }
}
