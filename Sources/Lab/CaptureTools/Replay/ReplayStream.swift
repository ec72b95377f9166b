internal import Basics
internal import FrameCodec
internal import ReloadRouterClient

/// One connection of a replay without its socket: bytes in, frames out.
///
/// Frames that are unanswered when a connection is lost are sent again over the next one.
///
/// A stream uses the client library's handshake, but not its `ClientSession`, which lets a push
/// wait while answers are outstanding: that would change a replay's schedule.
final class ReplayStream {
    /// The index of the stream in `ReplayEngine.streams`.
    let number: Int
    /// The role in the stream's HELLO.
    let role: Peer
    /// The number of the stream's app in the roster.
    let app: Int
    /// The frames that are due and not answered.
    let ring = FrameRing()
    private var handshake: Handshake
    /// The number of sessions so far, one for each connection that got a WELCOME.
    private(set) var sessions = 0
    /// True while the recorded session is open.
    var isWanted = false
    /// The end of the ring when the recorded session ended: all frames before it are still sent.
    private var endsAfter: UInt64?
    /// The next device to bind to this connection after a reconnection; nil if there is none.
    var nextToBind: Int?
    /// True while the stream is in the engine's `dirty` list.
    var isDirty = false

    init(number: Int, app: Int, hello: HelloMessage) {
        self.number = number
        self.app = app
        handshake = Handshake(hello)
        role = hello.role
    }

    /// The state of the connection's handshake.
    var phase: Handshake.Phase { handshake.phase }
    /// True while frames may be sent: WELCOME has come, and no GOAWAY since.
    var isEstablished: Bool { phase == .established }
    /// The most unanswered frames that the router allows.
    var window: Int { handshake.window }
    /// True if the recorded session has ended, and all of its frames are answered.
    var isOver: Bool { endsAfter.map { ring.first >= $0 } ?? false }
    /// True if there should be a connection.
    var needsConnection: Bool { isWanted || (endsAfter != nil && !isOver) }

    // MARK: - The recorded session

    /// Begins the recorded session.
    func begin() { isWanted = true }

    /// Ends the recorded session: the connection closes once all frames so far are answered.
    func end() {
        isWanted = false
        endsAfter = ring.end
    }

    // MARK: - The connection

    /// Queues the HELLO of a new connection.
    func opened() { handshake.connected() }

    /// Prepares to send all unanswered frames again over the next connection.
    func closed() {
        handshake.disconnected()
        ring.sendAgain()
        if isOver {
            endsAfter = nil
        } else if sessions > 0 && role == .gateway {
            nextToBind = 0
        }
    }

    /// Removes and returns the bytes that go before all frames, such as the HELLO.
    func takeControl() -> [UInt8] {
        var control: [UInt8] = []
        handshake.takeControl(into: &control)
        return control
    }

    /// The next frame that may be sent now; nil if there is none.
    func nextFrame() -> [UInt8]? {
        guard phase == .established, ring.inFlight < window else { return nil }
        if let endsAfter, ring.next >= endsAfter { return nil }
        return ring.nextFrame()
    }

    // MARK: - Frames of the router

    /// Processes a frame that is common to all sessions; its body is valid JSON, if it has one.
    ///
    /// - Returns: for a WELCOME, the highest sequence number that the router has of the producer;
    ///   else nil.
    /// - Throws: an error that ends the connection.
    func received(_ header: FrameHeader, body: ByteView) throws(ClientError) -> UInt64? {
        guard case .welcome(let lastSeq, _, _) = try handshake.received(header, body: body) else {
            return nil
        }
        sessions += 1
        return lastSeq
    }
}
