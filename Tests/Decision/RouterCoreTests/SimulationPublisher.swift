import ReloadModel

/// What the simulation keeps of a publisher: which pushes are to be acknowledged, and with how many
/// matches.
struct SimulationPublisher {
    var slot: ConnectionSlot
    /// The highest number that was used.
    var lastSeq: UInt64 = 0
    /// The highest number that the router has taken.
    private(set) var takenSeq: UInt64 = 0
    private var acknowledgedSeq: UInt64 = 0
    /// Pushes without an ACK, in the order in which the router took them.
    private var open: [(seq: UInt64, matched: UInt32)] = []

    init(slot: ConnectionSlot) {
        self.slot = slot
    }

    var isAcknowledged: Bool { open.isEmpty }

    mutating func taken(_ seq: UInt64, matching count: UInt32) {
        takenSeq = max(takenSeq, seq)
        open.append((seq, count))
    }

    /// The connection is lost: what was sent on it is acknowledged to nobody.
    mutating func disconnected() {
        open = []
        acknowledgedSeq = 0
    }

    /// Takes down an ACK.
    ///
    /// - Returns: what is wrong with it, or nil.
    mutating func acknowledged(_ seq: UInt64, matching count: UInt32?) -> String? {
        var expected: UInt32 = 0
        var highest = acknowledgedSeq
        let end = open.firstIndex { $0.seq > seq } ?? open.count
        if end == 0 { return "ACK \(seq) is for nothing" }
        for push in open[..<end] {
            expected += push.matched
            highest = max(highest, push.seq)
        }
        open.removeFirst(end)
        acknowledgedSeq = highest
        if seq == highest && count == expected { return nil }
        return "ACK \(seq) of \(count ?? 0) should say \(highest) and \(expected)"
    }
}
