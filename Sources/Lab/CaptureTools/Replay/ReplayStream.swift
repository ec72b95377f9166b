package import DataStructures
package import FrameCodec
package import ReloadRouterClient

/// One connection of a replay, without its socket: bytes in, frames out.
///
/// What the router has not answered when a connection is lost is sent again over the next one.
///
/// It uses the library's handshake, but no `ClientSession`: there a push waits while answers are
/// outstanding, and the schedule of a replay must not; and each frame is copied once more, which would
/// be part of the replay's own cost.
package final class ReplayStream {
    package let number: Int
    package let role: Peer
    /// Its app's number in the roster.
    package let app: Int
    package let ring = FrameRing()
    private var handshake: Handshake
    /// How many sessions there have been.
    private(set) var sessions = 0
    /// Whether a connection is wanted.
    package internal(set) var isWanted = false
    /// The recorded session ended behind this frame.
    private var endsBehind: UInt64?
    /// The next device that must be bound to this connection, because the last one was lost; nil if
    /// there is none.
    var nextToBind: Int?
    /// Whether its driver is about to look at it.
    package var isDirty = false

    init(number: Int, app: Int, _ hello: HelloMessage) {
        self.number = number
        self.app = app
        handshake = Handshake(hello)
        role = hello.role
    }

    package var phase: Handshake.Phase { handshake.phase }
    package var isEstablished: Bool { phase == .established }
    /// Most unanswered frames that the router takes.
    var window: Int { handshake.window }
    /// Whether the recorded session has ended, and all that it sent is answered.
    package var isOver: Bool { endsBehind.map { ring.first >= $0 } ?? false }
    /// Whether there should be a connection.
    package var needsConnection: Bool { isWanted || (endsBehind != nil && !isOver) }

    // MARK: - The recorded session

    /// The recorded session begins.
    func begin() {
        isWanted = true
    }

    /// The recorded session ends: the connection is closed when all frames so far are answered.
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

    /// Frames that go before all others; they are taken.
    package func takeControl() -> [UInt8] {
        var control: [UInt8] = []
        handshake.takeControl(into: &control)
        return control
    }

    /// The next frame that may go now, or nil.
    package func nextFrame() -> ByteView? {
        guard phase == .established, ring.inFlight < window else { return nil }
        if let endsBehind, ring.next >= endsBehind { return nil }
        return ring.nextFrame()
    }

    // MARK: - Frames of the router

    /// Takes a frame that is for every session, whose body is valid JSON if it has one.
    ///
    /// - Returns: of WELCOME the highest push that the router knows of the producer; else nil.
    /// - Throws: what ends the connection.
    func received(_ header: FrameHeader, _ body: ByteView) throws(ClientError) -> UInt64? {
        guard case .welcome(let lastSeq) = try handshake.received(header, body) else { return nil }
        sessions += 1
        return lastSeq
    }
}
