package import Basics
package import FrameCodec
internal import StoreFormat

/// A frame for a connection: everything that is needed to send it, except its bytes.
package struct OutgoingFrame: BitwiseCopyable, Sendable {
    /// The slot of the connection to which the frame goes.
    package var connection: ConnectionSlot
    /// The type that the frame's header has.
    package var type: FrameType
    /// For ERROR, why the session ends: the driver closes the connection after the frame. Else nil.
    package var code: ErrorCode?
    /// For an ACK of pushes, when the first of them arrived (see `Outbox.arrival`); else `none`.
    package var arrival = ExactTime.none
    /// For an ACK of pushes, how many frames it covers. Else 0.
    package var coveredCount: UInt32 = 0
    /// Where the frame begins in the bytes of `OutgoingFrames`, and how long it is.
    fileprivate var start = 0
    fileprivate var byteCount = 0

    init(to connection: ConnectionSlot, type: FrameType, code: ErrorCode? = nil) {
        self.connection = connection
        self.type = type
        self.code = code
    }
}

/// The receiver of frames: a server, a simulation or a test.
package protocol FrameSink: ~Copyable {
    /// The error that `send` throws; `Never` for a receiver that takes every frame.
    associatedtype Failure: Error = Never

    /// Sends a frame, given whole with its header, in bytes that are valid during the call.
    ///
    /// - Throws: an error after which no further frame is sent.
    mutating func send(_ frame: OutgoingFrame, bytes: ByteView) throws(Failure)
}

/// Frames in the order in which they are to be sent, in memory that is reused.
///
///     frames   RELOAD 0–151 │ ACK 151–171 │ …
///     bytes    ……………………………………………………………………………
///
/// The driver (see `Router`) has one list and the router another, and `Router.takeFrames` exchanges
/// them. So the router can make frames while the driver sends others.
package struct OutgoingFrames: ~Copyable {
    private var frames: ContiguousArray<OutgoingFrame> = []
    private var bytes = StoreWriter()
    /// The most frames and bytes since the last `trim`.
    private var mostFrames = 0
    private var mostBytes = 0
    /// Whether frames are made at all; false while the router only applies a log and sends nothing.
    var isKept = true

    /// Makes an empty list.
    package init() {}

    /// The number of frames in the list.
    package var count: Int { frames.count }
    /// Whether there is nothing to send.
    package var isEmpty: Bool { frames.isEmpty }

    /// The most memory for the bytes of frames that `removeAll` keeps, in bytes; more is freed as a
    /// whole.
    private static var keptByteCount: Int { 4 << 20 }

    // MARK: - Sending

    /// Sends all frames in their order; they stay in the list until `removeAll`.
    package func send<Sink: FrameSink & ~Copyable>(to sink: inout Sink) throws(Sink.Failure) {
        for frame in frames {
            try sink.send(
                frame,
                bytes: bytes.bytes.slice(frame.start, to: frame.start + frame.byteCount)
            )
        }
    }

    /// Removes all frames, and frees the memory of their bytes if it is more than 4 MiB.
    package mutating func removeAll() {
        mostFrames = max(mostFrames, frames.count)
        mostBytes = max(mostBytes, bytes.count)
        frames.removeAll(keepingCapacity: true)
        bytes.clear()
        if bytes.capacity > Self.keptByteCount { bytes = StoreWriter() }
    }

    /// The bytes of memory that the list takes.
    package var memoryByteCount: Int {
        frames.capacity * MemoryLayout<OutgoingFrame>.stride + bytes.capacity
    }

    /// Removes all frames, and frees memory of which less than half was needed since the last call;
    /// to be called now and then, such as every second.
    package mutating func trim() {
        removeAll()
        if frames.capacity > max(Self.leastFrames, 2 * mostFrames) { frames = [] }
        if bytes.capacity > max(Self.leastByteCount, 2 * mostBytes) { bytes = StoreWriter() }
        mostFrames = 0
        mostBytes = 0
    }

    /// The frames, and the bytes of frames, for which memory is always kept.
    private static var leastFrames: Int { 1_024 }
    private static var leastByteCount: Int { 64 << 10 }

    // MARK: - Making

    /// Makes room for a frame of at most `bound` bytes at the end; `append` must follow with the
    /// same bound.
    @unsafe
    @inline(__always)
    mutating func makeRoom(_ bound: Int) -> UnsafeMutableRawPointer { unsafe bytes.extend(bound) }

    /// Adds the frame that was written to the memory from `makeRoom`, with its length in bytes,
    /// which includes the header, and the bound that was given to `makeRoom`.
    @inline(__always)
    mutating func append(_ frame: OutgoingFrame, byteCount: Int, of bound: Int) {
        var frame = frame
        assert(
            (FrameHeader.byteCount...bound).contains(byteCount),
            "the frame has more than its room"
        )
        frame.start = bytes.count - bound
        frame.byteCount = byteCount
        bytes.truncate(to: frame.start + byteCount)
        frames.append(frame)
    }

    /// Adds a frame with a body, and writes its header.
    mutating func append(_ frame: OutgoingFrame, seq: UInt64, body: ByteView = .empty) {
        if !isKept { return }
        let byteCount = FrameHeader.byteCount + body.count
        let memory = unsafe makeRoom(byteCount)
        unsafe FrameHeader(type: frame.type, seq: seq, bodyCount: body.count).write(to: memory)
        unsafe body.copy(to: memory + FrameHeader.byteCount)
        append(frame, byteCount: byteCount, of: byteCount)
    }

    /// Adds an ACK of all frames up to `seq`. For a publisher, the matches of its pushes become the
    /// body; else nil.
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
        append(frame, byteCount: FrameHeader.byteCount + bodyCount, of: bound)
    }
}
