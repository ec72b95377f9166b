internal import Basics
internal import FrameCodec

/// The encoded frames of one connection, from when they are due until they are answered.
///
///     answered │ sent, unanswered │ due, not sent
///              first              next            end
///
/// The frames have contiguous sequence numbers. A frame that waits here keeps the time at which it
/// was due. When the ring is full, the engine reads no more of the capture.
final class FrameRing {
    /// The most frames in a ring, sent or not.
    static var frameLimit: Int { 1 << 16 }
    /// The most bytes of these frames; an empty ring also accepts a longer frame.
    static var byteLimit: Int { 32 << 20 }

    private struct Frame {
        /// When it was due.
        var intended: ExactTime
        /// The frame, encoded.
        var bytes: [UInt8]
        var isRejected = false
    }

    /// What the router answered to a frame.
    enum Answer: Equatable {
        /// It took the frame, which was due at this time.
        case accepted(intended: ExactTime)
        case rejected
    }

    /// The frames from `first` on.
    private var frames = FIFO<Frame>()
    /// The bytes of the frames that are not answered.
    private var byteCount = 0

    // Sequence numbers on the wire: of the first unanswered frame, and of the next to send.
    private(set) var first: UInt64 = 1
    private(set) var next: UInt64 = 1
    /// The sequence number of the next frame to append.
    var end: UInt64 { first + UInt64(count) }
    /// The number of rejected frames from `first` to `next`. They leave in order, like all others.
    private var rejectedCount = 0
    /// Frames below this have been sent, perhaps over an earlier connection.
    private var sentEnd: UInt64 = 1

    /// True if every frame is answered.
    var isEmpty: Bool { frames.isEmpty }
    /// The number of frames from the first unanswered one on, sent or not.
    var count: Int { frames.count }
    /// The number of frames that were sent over this connection and have no answer.
    var inFlight: Int { Int(next - first) - rejectedCount }

    /// True if a frame with a body of this length can be appended now.
    func hasRoom(_ bodyCount: Int) -> Bool {
        isEmpty
            || count < Self.frameLimit
                && byteCount + bodyCount + FrameHeader.byteCount <= Self.byteLimit
    }

    /// Continues the sequence numbers after `seq`; the ring must be empty.
    func begin(after seq: UInt64) {
        precondition(isEmpty, "frames have their numbers already")
        (first, next, sentEnd) = (seq + 1, seq + 1, seq + 1)
    }

    /// The index of a frame in `frames`.
    private func index(_ seq: UInt64) -> Int { Int(seq - first) }

    /// Whether the sequence numbers and counts agree with each other.
    private var isConsistent: Bool {
        first <= next && next <= end && (0...Int(next - first)).contains(rejectedCount)
            && byteCount >= 0
    }

    // MARK: - Sending

    /// Appends a frame that is due at `time`, with a date and a prefix before its body; `hasRoom`
    /// must be true.
    func append(
        _ type: FrameType,
        flags: UInt8 = 0,
        date: UInt64? = nil,
        prefix: ByteView = .empty,
        body: ByteView,
        at time: ExactTime
    ) {
        let digits = date.map { date in
            (0..<8).map { UInt8(truncatingIfNeeded: date >> (56 - 8 * $0)) }
        }
        let bytes = encodeFrame(
            type,
            flags: flags,
            seq: end,
            body: (digits ?? []) + prefix.array + body.array
        )
        byteCount += bytes.count
        frames.append(Frame(intended: time, bytes: bytes))
    }

    /// The next frame to send, encoded; nil if all have been sent.
    func nextFrame() -> [UInt8]? {
        while next < end, frames[index(next)].isRejected {
            next += 1
            rejectedCount += 1
        }
        return next == end ? nil : frames[index(next)].bytes
    }

    /// When the next frame was due.
    var nextIntended: ExactTime { frames[index(next)].intended }

    /// True if the next frame has been sent before, over an earlier connection.
    var isNextSentAgain: Bool { next < sentEnd }

    /// Records that `nextFrame` was sent, at the time at which it was due unless another is given.
    func didSend(at time: ExactTime? = nil) {
        precondition(next < end, "there is no frame to send")
        if let time { frames[index(next)].intended = time }
        next += 1
        sentEnd = max(sentEnd, next)
    }

    /// Starts over with the first unanswered frame, over a new connection.
    func sendAgain() {
        next = first
        rejectedCount = 0
        assert(isConsistent, "the frames have lost their order")
    }

    // MARK: - Answers

    /// Removes the first frame if its sequence number is at most `seq`: the router has answered it.
    /// Returns its answer; nil if there is no such frame.
    func settle(through seq: UInt64) -> Answer? {
        if first > seq || isEmpty {
            while !isEmpty, frames[0].isRejected { removeFirst() }
            return nil
        }
        let frame = frames[0]
        removeFirst()
        return frame.isRejected ? .rejected : .accepted(intended: frame.intended)
    }

    /// Marks a frame as rejected, which is its answer; returns false if there is no such frame, or
    /// it was rejected before.
    func reject(_ seq: UInt64) -> Bool {
        if seq < first || seq >= next || frames[index(seq)].isRejected { return false }
        frames[index(seq)].isRejected = true
        rejectedCount += 1
        // Rejected frames at the beginning need no ACK.
        while !isEmpty, frames[0].isRejected { removeFirst() }
        return true
    }

    private func removeFirst() {
        guard let frame = frames.popFirst() else { return }
        byteCount -= frame.bytes.count
        first += 1
        if next < first { next = first } else if frame.isRejected { rejectedCount -= 1 }
        assert(isConsistent, "a frame is counted twice")
    }
}
