internal import DataStructures
package import StoreFormat

/// Writes a ledger as it was when a checkpoint began, part by part, while it keeps changing.
///
///     beginCheckpoint ─► writeOwed, take, giveBack, writeOwed … until nothing is unwritten
///                  └──► abandonCheckpoint
///
/// The parts together are the bytes that `write` would have written when the checkpoint began. Ten
/// million dates are 40 MB, in one group or in a quarter of a million groups. Therefore pages of
/// seconds and groups are written as they are when the checkpoint reaches them, and only what
/// changes before that is copied.
extension SlotLedger {
    /// Entries of a group written in one part, four in a byte.
    private static var placesAtOnce: UInt32 { 16_384 }
    /// Bytes of a copied group written in one part.
    private static var bytesAtOnce: Int { 4_096 }

    /// Starts a checkpoint and writes its first part.
    package mutating func beginCheckpoint(_ writer: inout StoreWriter) {
        writeHead(to: &writer)
        seconds.owed.begin(UInt32(seconds.pages.count))
        owed.begin(groups.end)
        owedPlace = 0
    }

    /// Drops the checkpoint and its copies.
    package mutating func abandonCheckpoint() {
        seconds.owed.abandon()
        owed.abandon()
    }

    /// Writes the next part, a few kilobytes or less; false if nothing was left.
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

    /// Writes the next part of the next unwritten group; returns whether that was the group's last.
    private mutating func writePlaces(to writer: inout StoreWriter) -> Bool {
        let slot = owed.next
        if owedPlace == 0 { groups[slot].writeHead(to: &writer) }
        let count = groups[slot].entries.count
        let end = min(owedPlace + Self.placesAtOnce, count)
        groups[slot].writePlaces(from: owedPlace, to: end, to: &writer)
        owedPlace = end
        return end == count
    }

    /// Must be called before a group changes: copies the group if the checkpoint has not written
    /// it.
    @inline(__always)
    mutating func willChange(_ slot: UInt32) {
        if owed.owes(slot) { keep(slot) }
    }

    /// Copies the part of a group that the checkpoint has not written yet.
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
