internal import DataStructures
internal import RouterCore

/// The frames of an accelerated fleet's router, by connection, until they are read.
struct FleetFrames: VirtualPeers {
    private var bytes: [[UInt8]]

    /// - Parameter connections: the highest number of connections.
    init(connections: Int) {
        bytes = Array(repeating: [], count: connections)
    }

    mutating func send(_ frame: OutgoingFrame, _ bytes: ByteView) {
        self.bytes[Int(frame.connection)] += bytes.array
    }

    /// The bytes that were sent to a connection since the last call.
    mutating func take(_ connection: Int) -> [UInt8] {
        defer { bytes[connection] = [] }
        return bytes[connection]
    }
}
