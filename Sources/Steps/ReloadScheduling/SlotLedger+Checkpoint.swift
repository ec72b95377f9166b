internal import DataStructures
package import StoreFormat

/// Writing a ledger, some at a time, as it was when a checkpoint began.
///
///     beginCheckpoint ─► writeOwed, take, giveBack, writeOwed … until nothing is owed
///                  └──► abandonCheckpoint
///
/// All together that gives what `write` would have put when the checkpoint began. Ten million dates
/// are 40 MB, if in one group or in a quarter of a million: so pages of seconds and groups are
/// written as they are when their turn comes, and only what changes before that is copied.
extension SlotLedger {
    /// So many places of a group are written at a time, four in a byte.
    private static var placesAtOnce: UInt32 { 16_384 }
    /// Of a copy, so many bytes.
    private static var bytesAtOnce: Int { 4_096 }

    /// Puts the first of what belongs to a checkpoint.
    package mutating func beginCheckpoint(_ writer: inout StoreWriter) {
        writeHead(to: &writer)
        seconds.owed.begin(UInt32(seconds.pages.count))
        owed.begin(groups.end)
        owedPlace = 0
    }

    package mutating func abandonCheckpoint() {
        seconds.owed.abandon()
        owed.abandon()
    }

    /// Puts some more, some kilobytes or less; false if there is no more.
    package mutating func writeOwed(to writer: inout StoreWriter) -> Bool {
        if seconds.writeOwedPage(to: &writer) { return true }
        if owed.isEmpty { return false }
        let isWhole =
            if let copy = owed.nextCopy {
                copy.write(to: &writer, atMost: Self.bytesAtOnce)
            } else {
                writePlaces(to: &writer)
            }
        if isWhole {
            owed.wrote()
            owedPlace = 0
        }
        return true
    }

    /// Puts some places of the next group; whether they were the last ones.
    private mutating func writePlaces(to writer: inout StoreWriter) -> Bool {
        let slot = owed.next
        if owedPlace == 0 { groups[slot].writeHead(to: &writer) }
        let count = groups[slot].entries.count
        let end = min(owedPlace + Self.placesAtOnce, count)
        groups[slot].writePlaces(from: owedPlace, to: end, to: &writer)
        owedPlace = end
        return end == count
    }

    /// A checkpoint may be owed the group as it is.
    @inline(__always)
    mutating func willChange(_ slot: UInt32) {
        if owed.owes(slot) { keep(slot) }
    }

    /// Copies a group, or what of it is not written yet.
    @inline(never)
    private mutating func keep(_ slot: UInt32) {
        let group = groups[slot]
        var writer = StoreWriter(capacity: group.storedByteCount)
        let isBegun = slot == owed.next && owedPlace > 0
        if !isBegun { group.writeHead(to: &writer) }
        group.writePlaces(from: isBegun ? owedPlace : 0, to: group.entries.count, to: &writer)
        owed.keep(slot, writer)
    }
}
