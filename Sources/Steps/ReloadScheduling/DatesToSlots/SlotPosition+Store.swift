package import StoreFormat

extension SlotPosition {
    /// Writes eight bytes: group, index.
    package func write(to writer: inout StoreWriter) {
        writer.put(group)
        writer.put(index)
    }

    /// Reads a position and checks its form only; `SlotLedger.nameMember` checks whether the ledger
    /// has it.
    package init(reading reader: inout StoreReader) throws(StoreError) {
        let group = try reader.read(UInt32.self)
        self.init(group: group, index: try reader.read(UInt32.self))
        if !isInGroup && !isWithoutGroup && self != .none {
            throw reader.corrupt("a slot position of an unknown kind")
        }
    }
}
