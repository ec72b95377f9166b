/// Connections that were refused, or ended for the sake of others, by reason, since the start.
package struct RefusedConnections: Equatable, Sendable {
    /// As many were open as there may be.
    package var connections: UInt64 = 0
    /// As many of the same address were open, or had not said HELLO, as there may be.
    package var address: UInt64 = 0
    /// Connections refused because too much was waiting for the store.
    package var store: UInt64 = 0
    /// They were sending a frame, or did not read, when too much input was kept.
    package var input: UInt64 = 0
    /// They held most of the output, and did not read.
    package var output: UInt64 = 0

    package init() {}

    /// By the names that operators see.
    var byReason: [(String, UInt64)] {
        [
            ("connections", connections), ("address", address), ("store", store),
            ("input", input), ("output", output),
        ]
    }

    var total: UInt64 { connections + address + store + input + output }
}
