internal import LibuvLoop

/// A client's connection, and the one to the router that goes with it.
final class TapPair {
    let slot: Int
    let client: TCPConnection
    let upstream: TCPConnection
    var session: TapSession
    /// The frames of both directions, as long as they are followed.
    var sent = TapStream()
    var answers = TapStream()
    var isFollowed = true
    /// The connection to the router is there.
    var isConnected = false
    /// Which ends have ended: nothing comes from there any more.
    var clientHasEnded = false
    var upstreamHasEnded = false
    /// When both are closed at the latest, in µs since the recording began.
    var deadline = UInt64.max

    init(slot: Int, client: TCPConnection, upstream: TCPConnection) {
        self.slot = slot
        self.client = client
        self.upstream = upstream
        session = TapSession(connection: UInt32(slot) + 1)
    }

    /// The other end.
    func peer(of connection: TCPConnection) -> TCPConnection {
        connection === client ? upstream : client
    }
}
