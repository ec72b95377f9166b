internal import DataStructures

/// Reloads that wait for their origin: urgent ones first, then those of visible widgets, then others.
///
/// Within a rank bursts are served in their order, and the widgets of one burst in random order, so
/// that no widget always comes last. A burst that others have come between begins anew behind them.
///
/// An entry may be dead (its reload was cancelled) or stand twice: the caller sees to that when it
/// takes it out, and calls `compact` when much of the queue may be dead. Without a limit of its own:
/// each live entry is a reload that the caller's tables hold.
@safe
package struct PacedQueue: ~Copyable {
    var urgent = ShuffledQueue()
    var visible = ShuffledQueue()
    var other = ShuffledQueue()
    var random: SplitMix64
    /// What a checkpoint still has to write.
    var owed: PacedQueueImage?

    /// - Parameter seed: decides on the order within bursts.
    package init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// Entries, dead ones included.
    package var count: Int { urgent.count + visible.count + other.count }
    package var isEmpty: Bool { count == 0 }

    /// Bytes held from the system.
    package var byteCount: Int { urgent.byteCount + visible.byteCount + other.byteCount }

    /// Lets a reload wait; the burst is the same for all that one push makes reload.
    package mutating func append(_ id: UInt32, rank: ReloadRank, burst: UInt64) {
        switch rank {
        case .urgent: urgent.append(id, burst: burst, &random)
        case .visible: visible.append(id, burst: burst, &random)
        case .other: other.append(id, burst: burst, &random)
        }
    }

    /// Takes out whose turn it is.
    package mutating func popFirst() -> UInt32? {
        urgent.popFirst() ?? visible.popFirst() ?? other.popFirst()
    }

    /// Removes what is dead, and of each id all but the entry whose turn comes first.
    ///
    /// A million entries take some ten milliseconds, in which everything else waits.
    ///
    /// - Parameters:
    ///   - idEnd: ids are below; a bit is held for each.
    ///   - isLive: whether the id's reload still waits here.
    package mutating func compact(idEnd: UInt32, isLive: (UInt32) -> Bool) {
        var bits = Block<UInt64>()
        for _ in 0..<(UInt64(idEnd) + 63) / 64 { bits.append(0) }
        let seen = bits
        defer { seen.deallocate() }
        func isKept(_ id: UInt32) -> Bool {
            precondition(id < idEnd)
            let word = id / 64
            let bit: UInt64 = 1 << UInt64(id % 64)
            if seen[word] & bit != 0 || !isLive(id) { return false }
            seen[word] |= bit
            return true
        }
        urgent.keep(isKept)
        visible.keep(isKept)
        other.keep(isKept)
    }
}
