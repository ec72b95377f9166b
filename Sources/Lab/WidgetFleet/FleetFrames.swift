internal import Basics
internal import RouterCore

/// Frames that the router of an accelerated fleet has sent, by connection, until they are read.
struct FleetFrames: VirtualPeers {
    private var bytes: [[UInt8]]

    /// - Parameter connections: the number of connections.
    init(connections: Int) {
        bytes = Array(repeating: [], count: connections)
    }

    mutating func send(_ frame: OutgoingFrame, bytes: ByteView) {
        self.bytes[frame.connection.index] += bytes.array
    }

    /// Removes and returns the bytes sent to a connection since the last call.
    mutating func take(_ connection: Int) -> [UInt8] {
        defer { bytes[connection] = [] }
        return bytes[connection]
    }
}
