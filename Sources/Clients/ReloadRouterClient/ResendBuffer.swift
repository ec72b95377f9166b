internal import Basics

/// The pushes that no ACK has covered; a publisher sends them again after a reconnect.
///
/// Their sequence numbers are consecutive, so a push is found by subtraction. A rejected push keeps
/// its position (without its bytes) until everything before it is settled.
struct ResendBuffer: Sendable {
    private struct Push: Sendable {
        /// The whole frame; empty if the push was rejected.
        var frame: [UInt8]
        var isRejected = false
    }

    private var pushes = FIFO<Push>()
    /// The number of the oldest push that is not settled; `nextSeq` if all are.
    private(set) var firstSeq: UInt64 = 1
    /// Total size of the frames.
    private(set) var byteCount = 0
    /// Pushes that wait for their ACK; rejected ones do not.
    private(set) var waitingCount = 0

    /// The number that the next push gets.
    var nextSeq: UInt64 { firstSeq + UInt64(pushes.count) }

    /// Adds a frame as the push `nextSeq`.
    mutating func append(_ frame: [UInt8]) {
        assert(!frame.isEmpty, "only a rejected push has no frame")
        pushes.append(Push(frame: frame))
        byteCount += frame.count
        waitingCount += 1
    }

    /// The frame of a push in the buffer; nil if the push was rejected.
    func frame(_ seq: UInt64) -> [UInt8]? {
        let push = pushes[offset(of: seq)]
        return push.isRejected ? nil : push.frame
    }

    /// Removes all pushes up to `seq`. If `seq` is beyond them, the next push gets the number after
    /// it.
    ///
    /// - Returns: how many of them had not been rejected.
    mutating func settle(through seq: UInt64) -> Int {
        var settled = 0
        while firstSeq <= seq, let push = pushes.popFirst() {
            firstSeq += 1
            if push.isRejected { continue }
            settled += 1
            byteCount -= push.frame.count
        }
        if firstSeq <= seq { firstSeq = seq + 1 }
        waitingCount -= settled
        assert(byteCount >= 0 && waitingCount >= 0, "more pushes are settled than have waited")
        dropRejectedFront()
        return settled
    }

    /// Whether a push is in the buffer.
    func has(_ seq: UInt64) -> Bool { seq >= firstSeq && seq < nextSeq }

    /// Marks a push as rejected.
    ///
    /// - Returns: false if it is rejected already, or settled.
    mutating func reject(_ seq: UInt64) -> Bool {
        guard seq >= firstSeq, !pushes[offset(of: seq)].isRejected else { return false }
        let index = offset(of: seq)
        byteCount -= pushes[index].frame.count
        waitingCount -= 1
        assert(byteCount >= 0 && waitingCount >= 0, "more pushes are rejected than have waited")
        pushes[index] = Push(frame: [], isRejected: true)
        dropRejectedFront()
        return true
    }

    /// Removes the rejected pushes at the front: everything before them is settled.
    private mutating func dropRejectedFront() {
        assert(waitingCount <= pushes.count, "pushes wait that are settled")
        while !pushes.isEmpty && pushes[0].isRejected {
            _ = pushes.popFirst()
            firstSeq += 1
        }
    }

    private func offset(of seq: UInt64) -> Int {
        precondition(seq >= firstSeq && seq < nextSeq, "push \(seq) is not in the buffer")
        return Int(seq - firstSeq)
    }
}
