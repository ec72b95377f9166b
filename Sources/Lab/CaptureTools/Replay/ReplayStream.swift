package import DataStructures
package import FrameCodec
package import ReloadRouterClient

/// One connection of a replay without its socket: bytes in, frames out.
///
/// Frames that are unanswered when a connection is lost are sent again over the next one.
///
/// It uses the client library's handshake, but not its `ClientSession`: there a push waits while
/// answers are outstanding, which a replay's schedule must not, and each frame is copied once more,
/// which would add to the replay's own cost.
package final class ReplayStream {
    package let number: Int
    package let role: Peer
    /// The number of its app in the roster.
    package let app: Int
    package let ring = FrameRing()
    private var handshake: Handshake
    /// How many sessions it has had, one for each connection that got a WELCOME.
    private(set) var sessions = 0
    /// True while the recorded session is open.
    package internal(set) var isWanted = false
    /// The end of the ring when the recorded session ended: all frames before it are still sent.
    private var endsBehind: UInt64?
    /// The next device to bind to this connection after a reconnection; nil if there is none.
    var nextToBind: Int?
    /// True while it is in the engine's `dirty` list.
    package var isDirty = false

    init(number: Int, app: Int, _ hello: HelloMessage) {
        self.number = number
        self.app = app
        handshake = Handshake(hello)
        role = hello.role
    }

    package var phase: Handshake.Phase { handshake.phase }
    package var isEstablished: Bool { phase == .established }
    /// Most unanswered frames that the router allows.
    var window: Int { handshake.window }
    /// True if the recorded session has ended, and all of its frames are answered.
    package var isOver: Bool { endsBehind.map { ring.first >= $0 } ?? false }
    /// True if there should be a connection.
    package var needsConnection: Bool { isWanted || (endsBehind != nil && !isOver) }

    // MARK: - The recorded session

    /// Begins the recorded session.
    func begin() {
        isWanted = true
    }

    /// Ends the recorded session: the connection closes once all frames so far are answered.
    func end() {
        isWanted = false
        endsBehind = ring.end
    }

    // MARK: - The connection

    package func opened() {
        handshake.connected()
    }

    package func closed() {
        handshake.disconnected()
        ring.sendAgain()
        if isOver {
            endsBehind = nil
        } else if sessions > 0 && role == .gateway {
            nextToBind = 0
        }
    }

    /// Removes and returns the bytes that go before all frames, such as the HELLO.
    package func takeControl() -> [UInt8] {
        var control: [UInt8] = []
        handshake.takeControl(into: &control)
        return control
    }

    /// The next frame that may be sent now; nil if there is none.
    package func nextFrame() -> ByteView? {
        guard phase == .established, ring.inFlight < window else { return nil }
        if let endsBehind, ring.next >= endsBehind { return nil }
        return ring.nextFrame()
    }

    // MARK: - Frames of the router

    /// Processes a frame that is common to all sessions; its body is valid JSON, if it has one.
    ///
    /// - Returns: for a WELCOME, the highest sequence number that the router has of the producer;
    ///   else nil.
    /// - Throws: an error that ends the connection.
    func received(_ header: FrameHeader, _ body: ByteView) throws(ClientError) -> UInt64? {
        guard case .welcome(let lastSeq) = try handshake.received(header, body) else { return nil }
        sessions += 1
        return lastSeq
    }
}
