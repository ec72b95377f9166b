internal import DataStructures
internal import ReloadScheduling
internal import StoreFormat

/// An origin's record, whole or as it was when a checkpoint began.
///
///     its rate, 0 for none                         32 bits
///     ledger of seconds                            see `SlotLedger`
///     queue                                        see `PacedQueue`
extension Origin {
    func write(to writer: inout StoreWriter) {
        writer.put(UInt32(perSecond ?? 0))
        ledger.write(to: &writer)
        queue.write(to: &writer)
    }

    init(
        reading reader: inout StoreReader,
        hashKey: HashKey,
        idsBelow idLimit: UInt32 = .max
    ) throws(StoreError) {
        self.init(nil, seed: 0, hashKey: hashKey)
        let rate = Int(try reader.read(UInt32.self))
        perSecond = rate == 0 ? nil : rate
        ledger = try SlotLedger(reading: &reader, hashKey: hashKey)
        queue = try PacedQueue(reading: &reader, idsBelow: idLimit)
    }

    // MARK: - Checkpoints

    /// Puts what comes first, and keeps the rest as it is until `writeOwed` has put it.
    mutating func beginCheckpoint(_ writer: inout StoreWriter) {
        writer.put(UInt32(perSecond ?? 0))
        ledger.beginCheckpoint(&writer)
        queue.beginCheckpoint()
    }

    mutating func abandonCheckpoint() {
        ledger.abandonCheckpoint()
        queue.abandonCheckpoint()
    }

    /// Puts some more.
    ///
    /// - Parameters:
    ///   - writer: is put to.
    ///   - limit: bytes of `writer` from which on it is enough for now.
    /// - Returns: whether that was not all.
    mutating func writeOwed(to writer: inout StoreWriter, limit: Int) -> Bool {
        repeat {
            if ledger.writeOwed(to: &writer) { continue }
            if !queue.writeOwed(to: &writer) { return false }
        } while writer.count < limit
        return true
    }
}
