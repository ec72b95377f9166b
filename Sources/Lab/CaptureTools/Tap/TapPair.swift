internal import LibuvLoop
internal import Times

/// A client's connection, and the tap's own connection to the router for it.
final class TapPair {
    let slot: Int
    let client: TCPConnection
    let upstream: TCPConnection
    var session: TapSession
    /// Splits the bytes of one direction into frames while `isFollowed`: `sent` those of the
    /// client, `answers` those of the router.
    var sent = TapStream()
    var answers = TapStream()
    /// True while frames are recorded; false once the bytes were no frames, or recording has ended.
    var isFollowed = true
    /// True once the connection to the router is open.
    var isConnected = false
    /// True once the client, or the router, will send no more.
    var clientHasEnded = false
    var upstreamHasEnded = false
    /// When both connections are closed at the latest.
    var deadline = RecordedTime.max

    init(slot: Int, client: TCPConnection, upstream: TCPConnection) {
        self.slot = slot
        self.client = client
        self.upstream = upstream
        session = TapSession(connection: UInt32(slot) + 1)
    }

    /// The other connection of the pair.
    func peer(of connection: TCPConnection) -> TCPConnection {
        connection === client ? upstream : client
    }
}
