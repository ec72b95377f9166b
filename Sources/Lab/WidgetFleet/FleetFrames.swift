internal import ByteStorage
internal import RouterCore

/// What a fleet's own router has sent, by connection, until it is read.
struct FleetFrames: VirtualPeers {
    private var bytes: [[UInt8]]

    /// - Parameter connections: how many there can be.
    init(connections: Int) {
        bytes = Array(repeating: [], count: connections)
    }

    mutating func send(_ frame: OutgoingFrame, _ bytes: ByteView) {
        self.bytes[Int(frame.connection)] += bytes.array
    }

    /// What a connection was sent since the last call.
    mutating func take(_ connection: Int) -> [UInt8] {
        defer { bytes[connection] = [] }
        return bytes[connection]
    }
}
