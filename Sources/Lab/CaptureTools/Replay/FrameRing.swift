package import DataStructures
package import FrameCodec

/// The frames of one connection, encoded, from when they are due until they are answered.
///
///     answered │ sent, unanswered │ due, not sent │ room
///              first              next            end
///
/// Their numbers follow each other without gaps. What waits here stays due; when there is no room,
/// whoever brings frames waits.
@safe
package final class FrameRing {
    /// Most frames of one connection that are not answered.
    package static var frameLimit: Int { 1 << 16 }
    /// Most bytes of them; a frame that is longer waits alone.
    package static var byteLimit: Int { 32 << 20 }

    private struct Frame: BitwiseCopyable {
        /// When it was to be sent, in ns.
        var intended: Int64 = 0
        /// Where its bytes begin, counted on and on.
        var position = 0
        var byteCount = 0
        var isRejected = false
    }

    private var frames: ContiguousArray<Frame>
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    /// Where the next frame's bytes begin.
    private var tail = 0

    // Numbers of frames: the seq of the wire.
    private(set) var first: UInt64 = 1
    private(set) var next: UInt64 = 1
    private(set) var end: UInt64 = 1
    /// Of those that were sent and are not answered, the ones that were rejected.
    private var rejectedCount = 0
    /// Frames below this were sent, maybe over an earlier connection.
    private var sentEnd: UInt64 = 1

    package init() {
        frames = ContiguousArray(repeating: Frame(), count: 64)
        capacity = 4_096
        unsafe memory = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        unsafe memory.deallocate()
    }

    package var isEmpty: Bool { first == end }
    /// Frames that are not answered, sent or not.
    package var count: Int { Int(end - first) }
    /// Frames that were sent, and have no answer.
    package var inFlight: Int { Int(next - first) - rejectedCount }
    /// Frames that are due, and not sent.
    package var unsent: Int { Int(end - next) }

    /// Whether a frame with such a body may be taken now.
    package func hasRoom(_ bodyCount: Int) -> Bool {
        if isEmpty { return true }
        let used = tail - frames[slot(first)].position
        return count < Self.frameLimit && used + bodyCount + FrameHeader.byteCount <= Self.byteLimit
    }

    /// Lets numbers begin behind this one; there must be no frames.
    package func begin(after seq: UInt64) {
        precondition(isEmpty, "frames have their numbers already")
        (first, next, end, sentEnd) = (seq + 1, seq + 1, seq + 1, seq + 1)
    }

    // MARK: - Taking frames

    /// Appends a frame; `hasRoom` has said that it may be taken.
    ///
    /// - Parameters:
    ///   - type: the frame's.
    ///   - flags: the frame's.
    ///   - date: stands in front of the body, if there is one.
    ///   - body: is copied.
    ///   - time: when the frame is to be sent, in ns.
    package func append(
        _ type: FrameType,
        flags: UInt8 = 0,
        date: UInt64? = nil,
        body: ByteView,
        at time: Int64
    ) {
        let prefix = date == nil ? 0 : 8
        let bodyCount = prefix + body.count
        let byteCount = FrameHeader.byteCount + bodyCount
        if count == frames.count { growFrames() }
        if isEmpty { tail = 0 }
        let position = place(byteCount)
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
        unsafe body.copy(to: bytes + FrameHeader.byteCount + prefix)
        frames[slot(end)] = Frame(intended: time, position: position, byteCount: byteCount)
        tail = position + byteCount
        end += 1
    }

    private func slot(_ seq: UInt64) -> Int {
        Int(truncatingIfNeeded: seq) & (frames.count - 1)
    }

    /// Where so many bytes lie together: at the tail, or at the memory's beginning.
    private func place(_ byteCount: Int) -> Int {
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
        unsafe memory.deallocate()
        unsafe memory = unsafe bytes
        capacity = larger
        tail = position
    }

    // MARK: - Sending

    /// The next frame that is to be sent, encoded; nil if all were.
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

    /// When the next frame was to be sent, in ns.
    package var nextIntended: Int64 { frames[slot(next)].intended }

    /// Whether the next frame was sent over an earlier connection.
    package var isNextSentAgain: Bool { next < sentEnd }

    /// Notes that `nextFrame` was sent.
    ///
    /// - Parameter time: counts as intended from now on; nil for the time that it was taken with.
    package func didSend(at time: Int64? = nil) {
        if let time { frames[slot(next)].intended = time }
        next += 1
        sentEnd = max(sentEnd, next)
    }

    /// Sends again, from the first frame on that has no answer.
    package func sendAgain() {
        next = first
        rejectedCount = 0
    }

    // MARK: - Answers

    /// Forgets the first frame, if its number is not above this one.
    ///
    /// - Returns: when it was to be sent; nil if there is no such frame. Of a rejected one −1.
    package func settle(through seq: UInt64) -> Int64? {
        if first > seq || first == end {
            dropRejected()
            return nil
        }
        let frame = frames[slot(first)]
        first += 1
        if next < first { next = first } else if frame.isRejected { rejectedCount -= 1 }
        return frame.isRejected ? -1 : frame.intended
    }

    /// Marks a frame as rejected.
    ///
    /// - Returns: false if there is no such frame, or it was rejected before.
    package func reject(_ seq: UInt64) -> Bool {
        if seq < first || seq >= next || frames[slot(seq)].isRejected { return false }
        frames[slot(seq)].isRejected = true
        rejectedCount += 1
        dropRejected()
        return true
    }

    /// A rejected frame has its answer: no ACK need pass it.
    private func dropRejected() {
        while !isEmpty, frames[slot(first)].isRejected {
            first += 1
            if next < first { next = first } else { rejectedCount -= 1 }
        }
    }
}
