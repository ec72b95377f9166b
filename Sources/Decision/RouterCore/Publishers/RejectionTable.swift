internal import Basics

/// The pushes of each producer that were rejected last.
///
/// A REJECT may be lost with its connection. Without these lists, its publisher would have to take
/// the push for accepted once `lastSeq` has passed it.
struct RejectionTable {
    /// A push that was rejected, and why.
    struct Rejection: Equatable, BitwiseCopyable {
        var seq: UInt64
        var code: ErrorCode
    }

    /// The rejected pushes of one producer.
    struct Rejections: Equatable {
        /// Those that are known, in ascending order of their numbers.
        fileprivate(set) var known: ContiguousArray<Rejection> = []
        /// The highest number of those that are not known any more, to make room; 0 for none.
        fileprivate(set) var forgottenSeq: UInt64 = 0
    }

    /// The lists of the producers that have one.
    private var lists: [ProducerID: Rejections] = [:]
    /// The number of rejected pushes that are known, of all producers.
    private(set) var count = 0

    /// Bytes of the lists that are in use.
    var byteCount: Int {
        count * MemoryLayout<Rejection>.stride
            + lists.capacity * MemoryLayout<(ProducerID, Rejections)>.stride
    }

    /// The rejected pushes of a producer.
    subscript(producer: ProducerID) -> Rejections { lists[producer] ?? Rejections() }

    /// Whether a push of a producer is known to have been rejected.
    func has(_ seq: UInt64, of producer: ProducerID) -> Bool {
        self[producer].known.contains { $0.seq == seq }
    }

    /// Adds a rejected push. If the producer, or all of them together, have as many as are kept,
    /// the producer's lowest one is forgotten.
    mutating func add(_ rejection: Rejection, of producer: ProducerID) {
        count -= lists[producer]?.known.count ?? 0
        lists[producer, default: Rejections()].add(rejection, others: count)
        count += lists[producer]?.known.count ?? 0
    }

    /// Removes a rejected push, because a push of its number is accepted after all.
    mutating func remove(_ seq: UInt64, of producer: ProducerID) {
        guard let index = lists[producer]?.known.firstIndex(where: { $0.seq == seq }) else {
            return
        }
        lists[producer]!.known.remove(at: index)
        count -= 1
    }

    /// Removes all rejected pushes of a producer, which is forgotten itself.
    mutating func forget(_ producer: ProducerID) {
        count -= lists.removeValue(forKey: producer)?.known.count ?? 0
    }

    /// Sets the rejected pushes of a producer without any from a checkpoint. Returns whether they
    /// can be those of one producer: their numbers must rise. See `Rejections` for `forgottenSeq`.
    mutating func restore(
        _ known: ContiguousArray<Rejection>,
        forgottenSeq: UInt64,
        of producer: ProducerID
    ) -> Bool {
        if known.isEmpty && forgottenSeq == 0 { return true }
        for (former, next) in zip(known, known.dropFirst()) where former.seq >= next.seq {
            return false
        }
        if let first = known.first, first.seq == 0 { return false }
        lists[producer] = Rejections(known: known, forgottenSeq: forgottenSeq)
        count += known.count
        return true
    }
}

extension RejectionTable.Rejections {
    /// Adds a push; `others` is the number of rejected pushes of all other producers.
    fileprivate mutating func add(_ rejection: RejectionTable.Rejection, others: Int) {
        // Nearly always the last one.
        var index = known.count
        while index > 0, known[index - 1].seq >= rejection.seq { index -= 1 }
        if index < known.count, known[index].seq == rejection.seq {
            known[index] = rejection
            return
        }
        known.insert(rejection, at: index)
        if known.count > RouterLimits.rejectionsPerProducer
            || known.count + others > RouterLimits.rejections
        {
            forgottenSeq = max(forgottenSeq, known.removeFirst().seq)
        }
    }
}

extension ErrorCode {
    /// The codes with which a push can be rejected, by their numbers in journals and checkpoints.
    private static let stored: [ErrorCode] = [
        .payloadNotUTF8, .payloadNotJSON, .payloadNotObject, .payloadTooDeep,
        .payloadDuplicateKey, .payloadNumberRange, .payloadKinds, .payloadCombinations,
        .patternCost, .payloadExpiry, .frameLength,
    ]

    /// The number in journals and checkpoints of a code with which a push can be rejected.
    var storedNumber: UInt8 {
        guard let number = Self.stored.firstIndex(of: self) else {
            preconditionFailure("no push is rejected with \(rawValue)")
        }
        return UInt8(number)
    }

    init?(storedNumber: UInt8) {
        guard Int(storedNumber) < Self.stored.count else { return nil }
        self = Self.stored[Int(storedNumber)]
    }
}
