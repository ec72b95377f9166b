/// How far the wheel has been cleaned of entries that do not count any more.
struct WheelSweep {
    /// The slot that is being cleaned; none if it is past the last.
    var slot = WheelSlots.count
    /// Chunks that have been taken out of it, still to be cleaned.
    var rest: WheelChunk?
    /// The same, after the slot's time has come: then all are dealt with at once.
    var taken: WheelChunk?

    var isOn: Bool { slot < WheelSlots.count }

    mutating func takeTaken() -> WheelChunk? {
        defer { taken = nil }
        return taken
    }
}

extension TimingWheel {
    /// Stale entries that are left alone, however few timers there are.
    private static var staleAllowance: Int { 4_096 }
    /// Chunks that are cleaned for each one that is filled.
    private static var sweptChunks: Int { 8 }

    /// Whether the next chunk would take new memory while most entries are stale.
    private var isCrowded: Bool {
        !slots.hasSpareChunk && entryCount > 2 * (count - parked.count) + Self.staleAllowance
    }

    /// Adds an entry for which its slot has no room; some of the wheel is cleaned before if it must.
    ///
    /// A pass over E entries cleans E / 62 chunks and those that are not full, at most one a slot.
    /// It ends before E / 8 + 2,480 more have come.
    @inline(never)
    mutating func addEntryInNewChunk(_ entry: WheelEntry) {
        if sweep.isOn || isCrowded {
            for _ in 0..<Self.sweptChunks { sweepChunk() }
        }
        slots.append(entry, position: now)
    }

    private mutating func sweepChunk() {
        if !sweep.isOn { beginSlot(from: 0) }
        guard sweep.isOn else { return }
        if let chunk = sweep.rest {
            sweep.rest = chunk.next
            placeAll(of: chunk)
        }
        if sweep.rest == nil {
            slots.clearIfEmpty(sweep.slot)
            beginSlot(from: sweep.slot + 1)
        }
    }

    private mutating func beginSlot(from slot: Int) {
        sweep.slot = slots.occupiedSlot(from: slot) ?? WheelSlots.count
        if sweep.isOn { sweep.rest = slots.detachKeepingOccupied(sweep.slot) }
    }
}
