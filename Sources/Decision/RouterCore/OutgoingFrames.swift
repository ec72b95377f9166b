package import DataStructures
package import FrameCodec
package import ReloadModel
internal import StoreFormat

/// A frame for a connection: all that is needed to send it, beside its bytes.
package struct OutgoingFrame: BitwiseCopyable, Sendable {
    package var connection: UInt32
    package var type: FrameType
    /// Of an ERROR: why the session ends; the connection ends with the frame.
    package var code: ErrorCode?
    /// Of an ACK for pushes: the arrival of the first one (driver clock, ns); see `Outbox.arrival`.
    package var arrival: Int64 = 0
    /// Of an ACK for pushes: how many frames it covers.
    package var coveredCount: UInt32 = 0
    /// Where its bytes lie.
    fileprivate var start = 0
    fileprivate var byteCount = 0

    init(_ connection: UInt32, _ type: FrameType, code: ErrorCode? = nil) {
        self.connection = connection
        self.type = type
        self.code = code
    }
}

/// Where frames go: a server, a simulation, a test.
package protocol FrameSink: ~Copyable {
    associatedtype Failure: Error = Never

    /// Sends a frame.
    ///
    /// - Parameters:
    ///   - frame: what is known of it.
    ///   - bytes: the whole frame; valid during the call.
    /// - Throws: what ends the sending.
    mutating func send(_ frame: OutgoingFrame, _ bytes: ByteView) throws(Failure)
}

/// Frames in the order in which they are to be sent, in memory that is used again.
///
///     frames   RELOAD 0–151 │ ACK 151–171 │ …
///     bytes    ……………………………………………………………………………
///
/// Whoever sends has one, and the router another: they are exchanged (`Router.takeFrames`), so what comes
/// of the sending is not in the way.
package struct OutgoingFrames: ~Copyable {
    private var frames: ContiguousArray<OutgoingFrame> = []
    private var bytes = StoreWriter()
    /// Whether frames are made at all: a router that only applies a log sends nothing.
    var isKept = true

    package init() {}

    package var count: Int { frames.count }
    package var isEmpty: Bool { frames.isEmpty }

    /// Memory that is kept beyond what is usual, in bytes.
    private static var keptByteCount: Int { 4 << 20 }

    // MARK: - Sending

    /// Sends all frames.
    package func send<Sink: FrameSink & ~Copyable>(
        to sink: inout Sink
    ) throws(Sink.Failure) {
        for frame in frames {
            try sink.send(frame, bytes.bytes.slice(frame.start, frame.start + frame.byteCount))
        }
    }

    package mutating func removeAll() {
        frames.removeAll(keepingCapacity: true)
        bytes.clear()
        if bytes.capacity > Self.keptByteCount { bytes = StoreWriter() }
    }

    // MARK: - Making

    /// Makes room for a frame at the end; `append` must follow.
    ///
    /// - Parameter bound: the most bytes that it can have.
    /// - Returns: so much memory.
    @unsafe
    @inline(__always)
    mutating func makeRoom(_ bound: Int) -> UnsafeMutableRawPointer {
        unsafe bytes.extend(bound)
    }

    /// Adds the frame that was written to the room that was made.
    @inline(__always)
    mutating func append(_ frame: OutgoingFrame, _ byteCount: Int, of bound: Int) {
        var frame = frame
        frame.start = bytes.count - bound
        frame.byteCount = byteCount
        bytes.truncate(to: frame.start + byteCount)
        frames.append(frame)
    }

    /// Adds a frame with this body.
    mutating func append(_ frame: OutgoingFrame, seq: UInt64, _ body: ByteView = .empty) {
        if !isKept { return }
        let byteCount = FrameHeader.byteCount + body.count
        let memory = unsafe makeRoom(byteCount)
        unsafe FrameHeader(type: frame.type, seq: seq, bodyCount: body.count).write(to: memory)
        unsafe body.copy(to: memory + FrameHeader.byteCount)
        append(frame, byteCount, of: byteCount)
    }

    /// Adds an ACK; a publisher's has the number of widgets that its pushes concern.
    @inline(__always)
    mutating func append(ack frame: OutgoingFrame, seq: UInt64, matched: UInt32?) {
        if !isKept { return }
        let bodyCount = matched == nil ? 0 : 4
        let bound = FrameHeader.byteCount + 4
        let memory = unsafe makeRoom(bound)
        unsafe FrameHeader(type: .ack, seq: seq, bodyCount: bodyCount).write(to: memory)
        unsafe memory.storeBytes(
            of: (matched ?? 0).bigEndian,
            toByteOffset: FrameHeader.byteCount,
            as: UInt32.self
        )
        append(frame, FrameHeader.byteCount + bodyCount, of: bound)
    }
}
