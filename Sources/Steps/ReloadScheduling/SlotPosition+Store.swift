package import StoreFormat

extension SlotPosition {
    /// Puts eight bytes: group, index.
    package func write(to writer: inout StoreWriter) {
        writer.put(group)
        writer.put(index)
    }

    /// Whether a ledger has the position is another question: `SlotLedger.holds`.
    package init(reading reader: inout StoreReader) throws(StoreError) {
        let group = try reader.read(UInt32.self)
        self.init(group: group, index: try reader.read(UInt32.self))
        if !isInGroup && !isWithoutGroup && self != .none {
            throw reader.corrupt("a slot position of no kind")
        }
    }
}
