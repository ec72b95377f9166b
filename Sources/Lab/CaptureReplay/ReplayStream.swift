package import ByteStorage
package import FrameCodec
internal import ReloadModel
internal import StoreFormat
internal import StrictJSON

/// One connection of a replay, without its socket: bytes in, frames out.
///
///     idle ──opened──► awaitingWelcome ──WELCOME──► established ──lost──► idle
///
/// What the router has not answered when a connection is lost is sent again over the next one.
package final class ReplayStream {
    package enum Phase: Equatable, Sendable {
        case idle, awaitingWelcome, established
        /// The router drains: it answers what it has, and takes nothing new.
        case goingAway
    }

    package let number: Int
    package let role: Peer
    /// Its app's number in the roster.
    package let app: Int
    let hello: HelloMessage
    package let ring = FrameRing()
    package private(set) var phase = Phase.idle
    /// Most unanswered frames that the router takes, and the longest body.
    private(set) var window = 1
    private(set) var maxBody = RouterLimits().maxBody
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
    private var control: [UInt8] = []

    init(number: Int, app: Int, _ hello: HelloMessage) {
        self.number = number
        self.app = app
        self.hello = hello
        role = hello.role
    }

    package var isEstablished: Bool { phase == .established }
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
        phase = .awaitingWelcome
        control = encodeFrame(.hello, seq: 0, body: hello.encoded)
    }

    package func closed() {
        phase = .idle
        control = []
        ring.sendAgain()
        if isOver {
            endsBehind = nil
        } else if sessions > 0 && role == .gateway {
            nextToBind = 0
        }
    }

    /// Frames that go before all others; they are taken.
    package func takeControl() -> [UInt8] {
        if control.isEmpty { return [] }
        defer { control.removeAll(keepingCapacity: true) }
        return control
    }

    /// The next frame that may go now, or nil.
    package func nextFrame() -> ByteView? {
        guard phase == .established, ring.inFlight < window else { return nil }
        if let endsBehind, ring.next >= endsBehind { return nil }
        return ring.nextFrame()
    }

    // MARK: - Frames of the router

    /// The answer to a PING.
    func answerPing(_ seq: UInt64) throws(ReplayError) {
        control += encodeFrame(.pong, seq: seq)
        if control.count > 64 << 20 {
            throw ReplayError(.router, "PINGs come faster than their PONGs are taken")
        }
    }

    func drains() {
        if phase == .established { phase = .goingAway }
    }

    /// Reads WELCOME.
    ///
    /// - Returns: the highest push that the router knows of the producer.
    func welcomed(_ bytes: ByteView) throws(ReplayError) -> UInt64 {
        guard phase == .awaitingWelcome else {
            throw ReplayError(.router, "a second WELCOME came")
        }
        let body = BodyReader(bytes, of: .welcome)
        var numbers: (maxBody: UInt64, window: UInt64, lastSeq: UInt64) = (0, 0, 0)
        do throws(ProtocolError) {
            try body.members { (name, reader) throws(ProtocolError) in
                if name == "maxBody" {
                    numbers.maxBody = try body.unsigned(&reader, "maxBody")
                } else if name == "window" {
                    numbers.window = try body.unsigned(&reader, "window")
                } else if name == "lastSeq" {
                    numbers.lastSeq = try body.unsigned(&reader, "lastSeq")
                } else {
                    return false
                }
                return true
            }
        } catch {
            throw ReplayError(.router, "\(error.code.rawValue): \(error.message)")
        }
        window = max(1, Int(clamping: numbers.window))
        maxBody = Int(clamping: numbers.maxBody)
        phase = .established
        sessions += 1
        return numbers.lastSeq
    }
}
