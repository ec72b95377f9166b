internal import ByteStorage
package import StoreFormat

extension SlotPosition {
    /// Puts eight bytes: group, index.
    package func write(to writer: inout StoreWriter) {
        writer.put(group)
        writer.put(index)
    }

    /// Whether a ledger has the position is another question: `SlotLedger.holds`.
    package init(reading reader: inout StoreReader) throws(StoreError) {
        let bytes = try reader.read(raw: 8)
        self.init(
            group: bytes.littleEndian(UInt32.self, at: 0),
            index: bytes.littleEndian(UInt32.self, at: 4)
        )
        if !isInGroup && !isWithoutGroup && self != .none {
            throw reader.corrupt("a slot position of no kind")
        }
    }
}
