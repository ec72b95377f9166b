internal import Basics
package import StoreFormat

/// Writes a ledger as it was when a checkpoint began, part by part, while it keeps changing.
///
///     beginCheckpoint ─► writeUnwritten, assign, release, writeUnwritten … until it returns false
///                  └──► abandonCheckpoint
///
/// The parts together are the bytes that `write` would have written when the checkpoint began. Ten
/// million dates take 40 MB of memory, in one group or in a quarter of a million groups, which is
/// too much to copy at once. Therefore pages of seconds and groups are written as they are when the
/// checkpoint reaches them, and only what changes before that is copied.
extension SlotLedger {
    /// Entries of a group written in one part, four in a byte.
    private static var entriesPerPart: UInt32 { 16_384 }
    /// Bytes of a copied group written in one part.
    private static var bytesPerPart: Int { 4_096 }

    /// Starts a checkpoint and writes its first part.
    package mutating func beginCheckpoint(_ writer: inout StoreWriter) {
        writeHead(to: &writer)
        seconds.unwritten.begin(seconds.pages.count)
        unwritten.begin(Int(groups.end))
        firstUnwrittenEntry = 0
    }

    /// Drops the checkpoint and its copies.
    package mutating func abandonCheckpoint() {
        seconds.unwritten.abandon()
        unwritten.abandon()
    }

    /// Writes the next part, a few kilobytes or less; false if nothing was left.
    package mutating func writeUnwritten(to writer: inout StoreWriter) -> Bool {
        if seconds.writeUnwrittenPage(to: &writer) { return true }
        if unwritten.isEmpty { return false }
        let isWhole =
            if let copy = unwritten.nextCopy {
                copy.write(to: &writer, atMost: Self.bytesPerPart)
            } else {
                writeEntries(to: &writer)
            }
        if isWhole {
            unwritten.markNextWritten()
            firstUnwrittenEntry = 0
        }
        return true
    }

    /// Writes the next part of the next unwritten group; returns whether that was the group's last.
    private mutating func writeEntries(to writer: inout StoreWriter) -> Bool {
        assert(!unwritten.isEmpty)
        let slot = unwritten.next
        if firstUnwrittenEntry == 0 { groups[slot].writeHead(to: &writer) }
        let count = groups[slot].entries.count
        let end = min(firstUnwrittenEntry + Self.entriesPerPart, count)
        groups[slot].writeEntries(from: firstUnwrittenEntry, to: end, to: &writer)
        firstUnwrittenEntry = end
        return end == count
    }

    /// Must be called before a group changes: copies the group if the checkpoint has not written
    /// it.
    @inline(__always)
    mutating func copyBeforeWrite(_ slot: GroupSlot) {
        if unwritten.needsCopy(slot) { keep(slot) }
    }

    /// Copies the part of a group that the checkpoint has not written yet.
    @inline(never)
    private mutating func keep(_ slot: GroupSlot) {
        assert(unwritten.needsCopy(slot))
        let group = groups[slot]
        var writer = StoreWriter(capacity: group.storedByteCount)
        let isBegun = slot == unwritten.next && firstUnwrittenEntry > 0
        if !isBegun { group.writeHead(to: &writer) }
        group.writeEntries(
            from: isBegun ? firstUnwrittenEntry : 0,
            to: group.entries.count,
            to: &writer
        )
        unwritten.keep(slot, bytes: writer)
    }
}
