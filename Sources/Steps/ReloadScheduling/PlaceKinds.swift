internal import DataStructures
internal import StoreFormat

/// What the places of a group's array are, as bytes: two bits each (`SlotEntry.kind`), the first
/// place lowest.
///
/// Who stands there is not stored here, but with each widget: where.
enum PlaceKinds {
    /// So many places begin at a whole word.
    static var wordCount: UInt32 { 32 }

    static func byteCount(_ placeCount: UInt32) -> Int { (Int(placeCount) + 3) / 4 }

    /// Puts the kinds of some places, from a multiple of `wordCount` on.
    static func write(
        _ entries: Block<UInt32>,
        _ start: UInt32,
        _ end: UInt32,
        to writer: inout StoreWriter
    ) {
        assert(start % wordCount == 0)
        entries.withElements(start, end - start) { entries in
            var index = 0
            while index < entries.count {
                let count = min(Int(wordCount), entries.count - index)
                var word: UInt64 = 0
                for place in 0..<count {
                    let kind = UInt64(SlotEntry.kind(entries[index + place]))
                    word |= kind &<< UInt64(2 * place)
                }
                put(word, byteCount(UInt32(count)), to: &writer)
                index += count
            }
        }
    }

    @inline(__always)
    private static func put(_ word: UInt64, _ byteCount: Int, to writer: inout StoreWriter) {
        if byteCount == 8 { return writer.put(word) }
        for byte in 0..<byteCount {
            writer.put(UInt8(truncatingIfNeeded: word >> UInt64(8 * byte)))
        }
    }

    /// Reads so many places, of which nobody has taken his yet.
    static func read(
        _ reader: inout StoreReader,
        count: UInt32
    ) throws(StoreError) -> Block<UInt32> {
        let bytes = try reader.read(raw: byteCount(count))
        if count % 4 > 0 && bytes[bytes.count - 1] >> UInt8(count % 4 * 2) != 0 {
            throw reader.corrupt("places behind the end of a group")
        }
        return Block(count: count) { place in
            let kinds = UInt32(bytes[Int(place / 4)])
            return SlotEntry.entry(ofKind: kinds >> (place % 4 * 2) & 3)
        }
    }
}
