internal import ChangeDetection
internal import DataStructures
internal import ReloadModel
internal import WidgetMatching

/// Pushes that concern many widgets, and those of these that have not been handed out.
///
/// A class, so that it is passed by reference; it is made once for work that takes milliseconds.
final class FanOut {
    let producer: UInt32
    /// When the pushes came; see `Outbox.arrival`.
    let arrival: Int64
    /// Its pushes.
    var batch: MatchedBatch
    /// Whether all matches have been found; until then the batch is the state's.
    var isWhole = false
    /// Matches that are left.
    private(set) var count = 0
    /// In pieces: none is copied because there are more, and their memory is used again.
    private var pieces: ContiguousArray<ContiguousArray<WidgetMatch>> = []
    /// Where the first match is that is left.
    private var piece = 0
    private var next = 0

    /// Matches of a piece: 64 KiB.
    private static var pieceLength: Int { 8_192 }

    init(producer: UInt32, arrival: Int64, seed: DecisionSeed) {
        self.producer = producer
        self.arrival = arrival
        batch = MatchedBatch(seed: seed)
    }

    /// Adds what the matcher has just found.
    func append(contentsOf matches: Span<WidgetMatch>) {
        if matches.isEmpty { return }
        makeRoom(for: matches.count)
        unsafe matches.withUnsafeBufferPointer {
            unsafe pieces[pieces.count - 1].append(contentsOf: $0)
        }
        count += matches.count
    }

    private func makeRoom(for count: Int) {
        let isLastUsedUp = piece == pieces.count
        if !isLastUsedUp, pieces[pieces.count - 1].count + count <= Self.pieceLength { return }
        pieces.append([])
    }

    /// Takes the next matches out.
    ///
    /// - Parameter most: from 1 to `count`.
    /// - Returns: as many as lie together, but no more than `most`.
    func removeFirst(atMost most: Int) -> ArraySlice<WidgetMatch> {
        let first = pieces[piece][next...].prefix(most)
        next += first.count
        count -= first.count
        if next == pieces[piece].count {
            pieces[piece] = []
            piece += 1
            next = 0
        }
        return first
    }
}

/// The fan-outs that are not finished, in the order in which they are handed out.
///
/// Bounded in matches (`RouterLimits.fanOutMatches`): beyond, no more are searched for until all have
/// been handed out. At most one for each producer, whose next frames wait for its end.
struct FanOutQueue {
    private var fanOuts: ContiguousArray<FanOut> = []
    /// Whether more is matched by the matcher's batch than was found at once: the last fan-out is
    /// being added to.
    var isSearching = false
    /// Matches that are left of all of them.
    private(set) var matchCount = 0
    /// Widgets that were removed or replaced while they may be among the matches that are left.
    private var changes: [WidgetID: Change] = [:]

    /// Pushes are numbered by their burst: these are the last ones in front of the change.
    private struct Change {
        /// 0 for no change.
        var removedBehind: UInt64 = 0
        var replacedBehind: UInt64 = 0
    }

    var isEmpty: Bool { fanOuts.isEmpty }
    var first: FanOut? { fanOuts.first }
    var last: FanOut? { fanOuts.last }
    /// Widgets that are remembered to have changed.
    var changeCount: Int { changes.count }

    mutating func append(_ fanOut: FanOut) {
        fanOuts.append(fanOut)
    }

    /// Adds what the matcher has just found to the last fan-out.
    mutating func append(contentsOf matches: Span<WidgetMatch>) {
        fanOuts[fanOuts.count - 1].append(contentsOf: matches)
        matchCount += matches.count
    }

    /// Takes the next matches of the first fan-out out: as many as lie together.
    mutating func removeFirst(atMost most: Int) -> ArraySlice<WidgetMatch> {
        let first = fanOuts[0].removeFirst(atMost: most)
        matchCount -= first.count
        return first
    }

    /// Ends the first fan-out, of which nothing is left.
    mutating func endFirst() {
        fanOuts.removeFirst()
        if fanOuts.isEmpty { changes = [:] }
    }

    /// Drops the last fan-out, with what is left of it.
    mutating func dropLast() {
        matchCount -= fanOuts.removeLast().count
        if fanOuts.isEmpty { changes = [:] }
    }

    // MARK: - Widgets that change

    mutating func removed(_ widget: WidgetID, behind burst: UInt64) {
        if !fanOuts.isEmpty { changes[widget, default: Change()].removedBehind = burst }
    }

    mutating func replaced(_ widget: WidgetID, behind burst: UInt64) {
        if !fanOuts.isEmpty { changes[widget, default: Change()].replacedBehind = burst }
    }

    /// Whether the widget was removed since a push came: another one may have its number now.
    func isRemoved(_ widget: WidgetID, since burst: UInt64) -> Bool {
        if changes.isEmpty { return false }
        return (changes[widget]?.removedBehind ?? 0) >= burst
    }

    /// Whether the widget has another configuration than when a push came.
    func isReplaced(_ widget: WidgetID, since burst: UInt64) -> Bool {
        if changes.isEmpty { return false }
        return (changes[widget]?.replacedBehind ?? 0) >= burst
    }
}
