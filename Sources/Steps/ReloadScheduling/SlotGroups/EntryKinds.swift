internal import Basics
internal import StoreFormat

/// The stored form of a group's `entries`: two bits for each entry (`SlotEntry.kind`), the first
/// entry lowest.
///
/// Which reload holds an entry is not stored here but with its widget, which keeps its
/// `SlotPosition`.
enum EntryKinds {
    /// Entries in a word of 64 bits: writing in parts must start at a multiple of this.
    static var entriesPerWord: UInt32 { 32 }

    /// Bytes that the kinds of this many entries take.
    static func byteCount(_ entryCount: UInt32) -> Int { (Int(entryCount) + 3) / 4 }

    /// Writes the kinds of the entries `start` ..< `end`; `start` must be a multiple of
    /// `entriesPerWord`.
    static func write(
        _ entries: Block<UInt32>,
        from start: UInt32,
        upTo end: UInt32,
        to writer: inout StoreWriter
    ) {
        assert(start % entriesPerWord == 0)
        entries.withElements(start, count: end - start) { entries in
            var index = 0
            while index < entries.count {
                let count = min(Int(entriesPerWord), entries.count - index)
                var word: UInt64 = 0
                for position in 0..<count {
                    let kind = UInt64(SlotEntry.kind(entries[index + position]))
                    word |= kind &<< UInt64(2 * position)
                }
                put(word, byteCount: byteCount(UInt32(count)), to: &writer)
                index += count
            }
        }
    }

    /// Writes the lowest `byteCount` bytes of a word, the lowest first.
    @inline(__always)
    private static func put(_ word: UInt64, byteCount: Int, to writer: inout StoreWriter) {
        if byteCount == 8 { return writer.put(word) }
        for byte in 0..<byteCount {
            writer.put(UInt8(truncatingIfNeeded: word >> UInt64(8 * byte)))
        }
    }

    /// Reads the kinds of `count` entries. Members are `unnamed` until `SlotLedger.nameMember`
    /// names them.
    static func read(
        _ reader: inout StoreReader,
        count: UInt32
    ) throws(StoreError) -> Block<UInt32> {
        let bytes = try reader.read(raw: byteCount(count))
        if count % 4 > 0 && bytes[bytes.count - 1] >> UInt8(count % 4 * 2) != 0 {
            throw reader.corrupt("places after the end of a group")
        }
        return Block(count: count) { position in
            let kinds = UInt32(bytes[Int(position / 4)])
            return SlotEntry.entry(ofKind: kinds >> (position % 4 * 2) & 3)
        }
    }
}
