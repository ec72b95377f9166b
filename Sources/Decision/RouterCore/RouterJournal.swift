internal import ByteStorage
internal import ReloadModel
internal import StoreFormat

/// The entries since the driver took the last ones, in memory that is used again.
struct RouterJournal: ~Copyable {
    /// Whether entries are kept at all.
    var isOn = false
    /// Entries that are being carried out: what they lead to is not written, because it follows.
    private var depth = 0
    var writer = StoreWriter()
    /// What the last clock entry says; nil if there is none yet since `clear`.
    var clock: Instant?
    /// The number of the last push when the last batch ended.
    var lastBurst: UInt64 = 0
    /// Payloads of the batch that may be needed when it is matched: of kinds that name fields.
    private var payloads = StoreWriter()
    /// Their places, by the tag of the push; empty for none.
    private var payloadRanges: ContiguousArray<Range<Int>> = []

    var isEmpty: Bool { writer.isEmpty }
    var byteCount: Int { writer.count }

    /// Whether what happens now is to be written.
    @inline(__always)
    var records: Bool { isOn && depth == 0 }

    /// What happens until `endEffects` follows from what was written.
    @inline(__always)
    mutating func beginEffects() {
        depth += 1
    }

    @inline(__always)
    mutating func endEffects() {
        depth -= 1
    }

    private static var keptByteCount: Int { 1 << 20 }

    mutating func clear() {
        writer.clear()
        if writer.capacity > Self.keptByteCount { writer = StoreWriter() }
        clock = nil
    }

    /// A place to which the journal can be taken back.
    struct Mark {
        fileprivate var count: Int
        fileprivate var clock: Instant?
    }

    var mark: Mark { Mark(count: writer.count, clock: clock) }

    /// Takes back what was written since.
    mutating func rewind(to mark: Mark) {
        if writer.count == mark.count { return }
        writer.truncate(to: mark.count)
        clock = mark.clock
    }

    // MARK: - Payloads of the batch

    mutating func keepPayload(_ payload: ByteView?) {
        let start = payloads.count
        if let payload { payloads.put(raw: payload) }
        payloadRanges.append(start..<payloads.count)
    }

    func payload(of tag: Int) -> ByteView {
        payloads.bytes.slice(payloadRanges[tag].lowerBound, payloadRanges[tag].upperBound)
    }

    mutating func forgetPayloads() {
        payloads.clear()
        payloadRanges.removeAll(keepingCapacity: true)
    }
}
