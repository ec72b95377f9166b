package import Basics
package import FrameCodec

/// The encoded frames of one connection, from when they are due until they are answered.
///
///     answered │ sent, unanswered │ due, not sent │ free
///              first              next            end
///
/// The frames of a ring have contiguous sequence numbers. A frame that waits here keeps the time at
/// which it was due. When the ring is full, the engine reads no more of the capture.
@safe
package final class FrameRing {
    /// The most frames in a ring, sent or not.
    package static var frameLimit: Int { 1 << 16 }
    /// The most bytes of these frames; an empty ring also accepts a longer frame.
    package static var byteLimit: Int { 32 << 20 }

    /// A frame in the ring.
    private struct Frame: BitwiseCopyable {
        /// When it was due.
        var intended = ExactTime.none
        /// The offset of its bytes. Offsets rise from frame to frame; the index in `memory` is the
        /// offset modulo `capacity`.
        var position = 0
        var byteCount = 0
        var isRejected = false
    }

    /// What the router answered to a frame.
    package enum Answer: Equatable, Sendable {
        /// It took the frame, which was due at this time.
        case accepted(intended: ExactTime)
        /// It refused the frame.
        case rejected
    }

    private var frames: ContiguousArray<Frame>
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    /// The offset of the next frame's bytes.
    private var tail = 0

    // Sequence numbers on the wire: of the first unanswered frame, of the next to send, and of the
    // next to append.
    private(set) var first: UInt64 = 1
    private(set) var next: UInt64 = 1
    private(set) var end: UInt64 = 1
    /// The number of rejected frames from `first` to `next`. They leave in order, like all others.
    private var rejectedCount = 0
    /// Frames below this have been sent, perhaps over an earlier connection.
    private var sentEnd: UInt64 = 1

    /// Creates an empty ring whose first frame will have sequence number 1.
    package init() {
        frames = ContiguousArray(repeating: Frame(), count: 64)
        capacity = 4_096
        unsafe memory = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// True if every frame is answered.
    package var isEmpty: Bool { first == end }
    /// The number of frames from the first unanswered one on, sent or not.
    package var count: Int { Int(end - first) }
    /// The number of frames that were sent over this connection and have no answer.
    package var inFlight: Int { Int(next - first) - rejectedCount }

    /// True if a frame with a body of this length can be appended now.
    package func hasRoom(_ bodyCount: Int) -> Bool {
        if isEmpty { return true }
        let used = tail - frames[slot(first)].position
        return count < Self.frameLimit && used + bodyCount + FrameHeader.byteCount <= Self.byteLimit
    }

    /// Continues the sequence numbers after `seq`; the ring must be empty.
    package func begin(after seq: UInt64) {
        precondition(isEmpty, "frames have their numbers already")
        (first, next, end, sentEnd) = (seq + 1, seq + 1, seq + 1, seq + 1)
    }

    // MARK: - Appending frames

    /// Appends a frame; `hasRoom` must be true.
    ///
    /// - Parameters:
    ///   - type: the frame's type.
    ///   - flags: the frame's flags.
    ///   - date: a date to put before the body; nil for none.
    ///   - prefix: bytes to put between the date and the body.
    ///   - body: the body, which is copied.
    ///   - time: when the frame is due.
    package func append(
        _ type: FrameType,
        flags: UInt8 = 0,
        date: UInt64? = nil,
        prefix: ByteView = .empty,
        body: ByteView,
        at time: ExactTime
    ) {
        let dateCount = date == nil ? 0 : 8
        let bodyCount = dateCount + prefix.count + body.count
        let byteCount = FrameHeader.byteCount + bodyCount
        if count == frames.count { growFrames() }
        if isEmpty { tail = 0 }
        let position = offset(withRoomFor: byteCount)
        assert(
            position & (capacity - 1) + byteCount <= capacity,
            "the frame would cross the end of the memory"
        )
        let bytes = unsafe memory + (position & (capacity - 1))
        let header = FrameHeader(type: type, flags: flags, seq: end, bodyCount: bodyCount)
        unsafe header.write(to: bytes)
        if let date {
            unsafe bytes.storeBytes(
                of: date.bigEndian,
                toByteOffset: FrameHeader.byteCount,
                as: UInt64.self
            )
        }
        unsafe prefix.copy(to: bytes + FrameHeader.byteCount + dateCount)
        unsafe body.copy(to: bytes + FrameHeader.byteCount + dateCount + prefix.count)
        frames[slot(end)] = Frame(intended: time, position: position, byteCount: byteCount)
        tail = position + byteCount
        end += 1
        assert(isConsistent, "the frame overtakes another")
    }

    /// Whether the sequence numbers and counts agree with each other.
    private var isConsistent: Bool {
        first <= next && next <= end && count <= frames.count && rejectedCount >= 0
            && rejectedCount <= Int(next - first)
    }

    private func slot(_ seq: UInt64) -> Int {
        Int(truncatingIfNeeded: seq) & (frames.count - 1)
    }

    /// Returns an offset with room for `byteCount` contiguous bytes: the tail, or the next offset
    /// that lies at the beginning of the memory. Enlarges the memory if necessary.
    private func offset(withRoomFor byteCount: Int) -> Int {
        while true {
            let start = isEmpty ? tail : frames[slot(first)].position
            let left = capacity - tail & (capacity - 1)
            let position = byteCount <= left ? tail : tail + left
            if position + byteCount - start <= capacity { return position }
            growMemory(byteCount)
        }
    }

    private func growFrames() {
        var larger = ContiguousArray(repeating: Frame(), count: frames.count * 2)
        for seq in first..<end {
            larger[Int(truncatingIfNeeded: seq) & (larger.count - 1)] = frames[slot(seq)]
        }
        frames = larger
    }

    private func growMemory(_ byteCount: Int) {
        var larger = capacity * 2
        while larger < byteCount * 2 { larger *= 2 }
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        var position = 0
        for seq in first..<end {
            let frame = frames[slot(seq)]
            unsafe (bytes + position).copyMemory(
                from: memory + (frame.position & (capacity - 1)),
                byteCount: frame.byteCount
            )
            frames[slot(seq)].position = position
            position += frame.byteCount
        }
        assert(position + byteCount <= larger, "the new memory has too few bytes for all frames")
        unsafe memory.deallocate()
        unsafe memory = unsafe bytes
        capacity = larger
        assert(capacity.nonzeroBitCount == 1, "offsets are taken modulo a power of two")
        tail = position
    }

    // MARK: - Sending

    /// The next frame to send, encoded; nil if all have been sent.
    package func nextFrame() -> ByteView? {
        while next < end, frames[slot(next)].isRejected {
            next += 1
            rejectedCount += 1
        }
        if next == end { return nil }
        let frame = frames[slot(next)]
        return unsafe ByteView(
            base: memory + (frame.position & (capacity - 1)),
            count: frame.byteCount
        )
    }

    /// When the next frame was due.
    package var nextIntended: ExactTime {
        assert(next < end, "there is no frame to send")
        return frames[slot(next)].intended
    }

    /// True if the next frame has been sent before, over an earlier connection.
    package var isNextSentAgain: Bool { next < sentEnd }

    /// Records that `nextFrame` was sent.
    ///
    /// - Parameter time: replaces the time at which the frame was due; nil keeps it.
    package func didSend(at time: ExactTime? = nil) {
        precondition(next < end, "there is no frame to send")
        if let time { frames[slot(next)].intended = time }
        next += 1
        sentEnd = max(sentEnd, next)
    }

    /// Starts over with the first unanswered frame, over a new connection.
    package func sendAgain() {
        next = first
        rejectedCount = 0
        assert(isConsistent, "the frames have lost their order")
    }

    // MARK: - Answers

    /// Removes the first frame if its sequence number is at most `seq`: the router has answered it.
    ///
    /// - Returns: its answer; nil if there is no such frame.
    package func settle(through seq: UInt64) -> Answer? {
        if first > seq || first == end {
            dropRejected()
            return nil
        }
        let frame = frames[slot(first)]
        first += 1
        if next < first { next = first } else if frame.isRejected { rejectedCount -= 1 }
        assert(isConsistent, "a frame is counted twice")
        return frame.isRejected ? .rejected : .accepted(intended: frame.intended)
    }

    /// Marks a frame as rejected, which is its answer.
    ///
    /// - Returns: false if there is no such frame, or it was rejected before.
    package func reject(_ seq: UInt64) -> Bool {
        if seq < first || seq >= next || frames[slot(seq)].isRejected { return false }
        frames[slot(seq)].isRejected = true
        rejectedCount += 1
        dropRejected()
        assert(isConsistent, "a frame is counted twice")
        return true
    }

    /// Removes rejected frames at the beginning, which need no ACK.
    private func dropRejected() {
        while !isEmpty, frames[slot(first)].isRejected {
            first += 1
            if next < first { next = first } else { rejectedCount -= 1 }
        }
    }
}
