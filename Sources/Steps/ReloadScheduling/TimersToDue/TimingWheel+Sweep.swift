/// How far the current pass has removed stale entries from a `TimingWheel`.
struct WheelSweep {
    /// The slot being cleaned; `WheelSlots.count` if no pass is under way.
    var slot = WheelSlots.count
    /// Chunks detached from that slot that are still to be cleaned.
    var rest: WheelChunk?
    /// The chunks that were in `rest` when the slot's time came; they are processed at once.
    var taken: WheelChunk?

    /// Whether a pass is under way.
    var isUnderWay: Bool { slot < WheelSlots.count }

    /// Returns `taken` and sets it to nil.
    mutating func popTaken() -> WheelChunk? {
        defer { taken = nil }
        return taken
    }
}

extension TimingWheel {
    /// Stale entries that are tolerated however few timers there are.
    private static var staleAllowance: Int { 4_096 }
    /// Chunks that are cleaned for each one that is filled.
    private static var sweptChunks: Int { 8 }

    /// Whether the next chunk would need new memory while most entries are stale.
    private var isCrowded: Bool {
        !slots.hasSpareChunk && entryCount > 2 * (count - parked.count) + Self.staleAllowance
    }

    /// Adds an entry for which its slot's first chunk has no space; some chunks are cleaned first
    /// if a pass is under way or has become necessary.
    ///
    /// Chunks hold 62 entries, and each slot has at most one that is not full. So a pass over E
    /// entries cleans E / 62 chunks and at most 320 more; with eight cleaned for each one filled,
    /// it ends before E / 8 + 2,480 more entries have been added.
    @inline(never)
    mutating func addEntryInNewChunk(_ entry: WheelEntry) {
        if sweep.isUnderWay || isCrowded {
            for _ in 0..<Self.sweptChunks { sweepChunk() }
        }
        slots.append(entry, position: now)
    }

    /// Cleans one chunk, and starts a pass if none is under way.
    private mutating func sweepChunk() {
        if !sweep.isUnderWay { beginSlot(from: 0) }
        guard sweep.isUnderWay else { return }
        if let chunk = sweep.rest {
            sweep.rest = chunk.next
            placeAll(of: chunk)
        }
        if sweep.rest == nil {
            slots.clearIfEmpty(sweep.slot)
            beginSlot(from: sweep.slot + 1)
        }
    }

    /// Goes to the first occupied slot from `slot` on and detaches its chunks; ends the pass if
    /// there is none.
    private mutating func beginSlot(from slot: Int) {
        sweep.slot = slots.occupiedSlot(from: slot) ?? WheelSlots.count
        if sweep.isUnderWay { sweep.rest = slots.detachKeepingOccupied(sweep.slot) }
    }
}
