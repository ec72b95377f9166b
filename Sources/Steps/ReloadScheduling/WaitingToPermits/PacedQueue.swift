package import Basics

/// The reloads that wait for a permit at their origin: urgent ones first, then those of visible
/// widgets, then others.
///
/// Within a rank, fan-outs are served in the order of their arrival, and the widgets of one fan-out
/// in random order, so that no widget always comes last. If reloads of another fan-out arrive in
/// between, the rest of the interrupted one is shuffled on its own after them.
///
/// An id may be stale (its reload was cancelled) or occur twice. The caller checks each id that it
/// dequeues, and calls `compact` when many may be stale. The queue has no limit of its own: each
/// live id is a reload that the caller's tables keep.
package struct PacedQueue: ~Copyable {
    var urgent = ShuffledQueue()
    var visible = ShuffledQueue()
    var other = ShuffledQueue()
    var random: SplitMix64
    /// The running checkpoint's image of the queue; nil if nothing is unwritten.
    var unwritten: PacedQueueImage?

    /// - Parameter seed: determines the order within fan-outs.
    package init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// The number of entries, stale ones included.
    package var count: Int { urgent.count + visible.count + other.count }
    /// Whether the queue has no entries, not even stale ones.
    package var isEmpty: Bool { count == 0 }

    /// Bytes allocated from the system.
    package var byteCount: Int { urgent.byteCount + visible.byteCount + other.byteCount }

    /// Enqueues a reload. `fanOut` is the fan-out number, which all reloads of one push share.
    package mutating func append(_ widget: WidgetID, rank: ReloadRank, fanOut: UInt64) {
        switch rank {
        case .urgent: urgent.append(widget, fanOut: fanOut, using: &random)
        case .visible: visible.append(widget, fanOut: fanOut, using: &random)
        case .other: other.append(widget, fanOut: fanOut, using: &random)
        }
    }

    /// Dequeues the next reload; nil if the queue is empty.
    package mutating func popFirst() -> WidgetID? {
        urgent.popFirst() ?? visible.popFirst() ?? other.popFirst()
    }

    /// Removes stale entries, and all entries of a widget but the first to be served. A million
    /// entries take about ten milliseconds, during which the loop does nothing else. Numbers of
    /// widgets are below `idEnd`; one bit of memory is used for each. `isLive` says whether a
    /// widget's reload still waits in this queue.
    package mutating func compact(idEnd: UInt32, isLive: (WidgetID) -> Bool) {
        let seen = Block<UInt64>(count: UInt32((UInt64(idEnd) + 63) / 64)) { _ in 0 }
        defer { unsafe seen.deallocate() }
        func isKept(_ widget: WidgetID) -> Bool {
            precondition(widget.rawValue < idEnd)
            let word = widget.rawValue / 64
            let bit: UInt64 = 1 << UInt64(widget.rawValue % 64)
            if seen[word] & bit != 0 || !isLive(widget) { return false }
            seen[word] |= bit
            return true
        }
        urgent.keep(isKept)
        visible.keep(isKept)
        other.keep(isKept)
    }
}
