internal import Basics
internal import ReloadScheduling
internal import StoreFormat

/// The stored form of an origin, written at once or, as it was when a checkpoint began, in parts.
///
///     its rate, 0 for none                         32 bits
///     ledger of seconds                            see `SlotLedger`
///     queue                                        see `PacedQueue`
extension Origin {
    /// Writes the whole record.
    func write(to writer: inout StoreWriter) {
        writer.put(UInt32(perSecond ?? 0))
        ledger.write(to: &writer)
        queue.write(to: &writer)
    }

    /// Reads an origin; afterwards the members of its ledger must be named
    /// (`SlotLedger.nameMember`). The hash key of the ledger's tables may differ from the one
    /// before; the widgets in the queue must have numbers below `idLimit`.
    ///
    /// - Throws: `corrupt`.
    init(
        reading reader: inout StoreReader,
        for partition: Partition,
        hashKey: HashKey,
        idsBelow idLimit: UInt32 = .max
    ) throws(StoreError) {
        self.init(nil, seed: 0, for: partition, hashKey: hashKey)
        let rate = Int(try reader.read(UInt32.self))
        perSecond = rate == 0 ? nil : rate
        ledger = try SlotLedger(reading: &reader, for: partition, hashKey: hashKey)
        if perSecond != ledger.perSecond { throw reader.corrupt("an origin has two rates") }
        queue = try PacedQueue(reading: &reader, idsBelow: idLimit)
    }

    // MARK: - Checkpoints

    /// Begins a checkpoint: writes the first part, and keeps the rest as it is now for
    /// `writeUnwritten`.
    mutating func beginCheckpoint(_ writer: inout StoreWriter) {
        writer.put(UInt32(perSecond ?? 0))
        ledger.beginCheckpoint(&writer)
        queue.beginCheckpoint()
    }

    /// Abandons the checkpoint, with what was kept for it.
    mutating func abandonCheckpoint() {
        ledger.abandonCheckpoint()
        queue.abandonCheckpoint()
    }

    /// Writes the next part of what the checkpoint has not written yet; the part ends when `writer`
    /// has `limit` bytes or more. Returns whether something may be left.
    mutating func writeUnwritten(to writer: inout StoreWriter, limit: Int) -> Bool {
        repeat {
            if ledger.writeUnwritten(to: &writer) { continue }
            if !queue.writeUnwritten(to: &writer) { return false }
        } while writer.count < limit
        return true
    }
}
