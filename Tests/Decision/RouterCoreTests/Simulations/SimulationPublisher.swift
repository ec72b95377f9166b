import Basics
import FrameCodec

/// What the simulation keeps of a publisher: which pushes are to be acknowledged, and with how many
/// matches.
struct SimulationPublisher {
    var slot: ConnectionSlot
    /// Whether it asks for an OUTCOME of each push.
    let wantsOutcomes: Bool
    /// The highest number that was used.
    var lastSeq: UInt64 = 0
    /// The highest number that the router has taken.
    private(set) var takenSeq: UInt64 = 0
    /// The highest number that the router had taken when the session began: up to it, pushes may be
    /// repeated.
    private(set) var welcomedSeq: UInt64 = 0
    private var acknowledgedSeq: UInt64 = 0
    /// Pushes without an ACK, in the order in which the router took them.
    private var open: [(seq: UInt64, matched: UInt32)] = []
    /// The number and the matches of each OUTCOME that no ACK has followed.
    private var outcomes: [(seq: UInt64, matched: UInt32)] = []

    init(slot: ConnectionSlot, wantsOutcomes: Bool = false) {
        self.slot = slot
        self.wantsOutcomes = wantsOutcomes
    }

    var isAcknowledged: Bool { open.isEmpty }

    mutating func taken(_ seq: UInt64, matching count: UInt32) {
        takenSeq = max(takenSeq, seq)
        open.append((seq, count))
    }

    /// The connection is lost: what was sent on it is acknowledged to nobody.
    mutating func disconnected() {
        open = []
        outcomes = []
        acknowledgedSeq = 0
        welcomedSeq = takenSeq
    }

    /// Takes down an OUTCOME.
    ///
    /// - Returns: what is wrong with it, or nil.
    mutating func reported(_ seq: UInt64, _ text: String) -> String? {
        let message = text.withByteView { try? OutcomeMessage(reading: $0) }
        guard wantsOutcomes, let message else { return "OUTCOME \(seq) of \(text)" }
        let sum = message.counts.reduce(0) { $0 + $1.widgets }
        if sum < message.matched || (message.matched > 0 && sum > message.matched) {
            return "the counts of OUTCOME \(seq) do not make its matches: \(text)"
        }
        outcomes.append((seq, UInt32(message.matched)))
        return nil
    }

    /// What is wrong with the OUTCOMEs of the pushes that an ACK covers; nil for nothing.
    ///
    /// Pushes that it does not cover may have theirs already: that of a duplicate comes at once.
    private mutating func checkOutcomes(
        _ covered: ArraySlice<(seq: UInt64, matched: UInt32)>
    ) -> String? {
        if !wantsOutcomes { return nil }
        for push in covered {
            guard let index = outcomes.firstIndex(where: { $0 == push }) else {
                return "\(push) is acknowledged without an OUTCOME; there are \(outcomes)"
            }
            outcomes.remove(at: index)
        }
        var others = open.dropFirst(covered.count).map { ($0.seq, $0.matched) }
        for outcome in outcomes {
            guard let index = others.firstIndex(where: { $0 == outcome }) else {
                return "\(outcome) is the OUTCOME of no push"
            }
            others.remove(at: index)
        }
        return nil
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
        let problem = checkOutcomes(open[..<end])
        open.removeFirst(end)
        acknowledgedSeq = highest
        if seq == highest && count == expected { return problem }
        return "ACK \(seq) of \(count ?? 0) should say \(highest) and \(expected)"
    }
}
