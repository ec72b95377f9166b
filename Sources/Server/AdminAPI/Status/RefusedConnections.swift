/// Counts of connections that were refused, or closed in favour of others, by reason, since the
/// start.
package struct RefusedConnections: Equatable, Sendable {
    /// The limit of open connections was reached.
    package var connections: UInt64 = 0
    /// The peer's network had too many connections, or too many without a session.
    package var address: UInt64 = 0
    /// The TLS handshake failed.
    package var handshake: UInt64 = 0
    /// Too much was waiting for the store.
    package var store: UInt64 = 0
    /// Closed while the total of kept input was at its limit: they were sending a frame, or not
    /// reading.
    package var input: UInt64 = 0
    /// Closed while the total of output was at its limit: they had most of it, and did not read.
    package var output: UInt64 = 0

    /// Makes counts of zero.
    package init() {}

    /// The counts, with the names that operators see.
    var byReason: [(String, UInt64)] {
        [
            ("connections", connections), ("address", address), ("handshake", handshake),
            ("store", store),
            ("input", input), ("output", output),
        ]
    }

    var total: UInt64 { connections + address + handshake + store + input + output }
}
