internal import Basics
internal import ChangeDetection
internal import WidgetMatching

/// The pushes of a batch with many matches, and the matches that have not been applied yet.
///
/// A class, so that it is passed by reference; it is allocated once for work that takes
/// milliseconds.
final class FanOut {
    /// Where its pushes come from.
    let source: PushSource
    /// When the pushes arrived; see `Outbox.arrival`.
    let arrival: ExactTime
    /// The fan-out's pushes. `ReloadState.batch` has them instead while matches are searched for,
    /// and while a portion is being applied.
    var batch: MatchedBatch
    /// Whether all matches have been found.
    var hasAllMatches = false
    /// The matches that have not been applied yet.
    private(set) var count = 0
    /// The matches, in pieces: adding matches does not copy those of earlier pieces, and a piece's
    /// memory is freed as soon as its matches have been applied.
    private(set) var pieces: ContiguousArray<ContiguousArray<WidgetMatch>> = []
    /// The piece with the first match that is left, and that match's index in it.
    private(set) var piece = 0
    private(set) var next = 0

    /// The matches of a piece, which then takes 64 KiB.
    private static var pieceLength: Int { 8_192 }

    init(source: PushSource, arrival: ExactTime, seed: DecisionSeed) {
        self.source = source
        self.arrival = arrival
        batch = MatchedBatch(seed: seed)
    }

    /// Adds the matches that the matcher has just found.
    func append(contentsOf matches: Span<WidgetMatch>) {
        if matches.isEmpty { return }
        makeRoom(for: matches.count)
        unsafe matches.withUnsafeBufferPointer {
            unsafe pieces[pieces.count - 1].append(contentsOf: $0)
        }
        count += matches.count
    }

    /// Begins a new piece if the matches do not fit into the last one.
    private func makeRoom(for count: Int) {
        let isLastUsedUp = piece == pieces.count
        if !isLastUsedUp, pieces[pieces.count - 1].count + count <= Self.pieceLength { return }
        pieces.append([])
    }

    /// Removes and returns the next matches of one piece: at least 1, and at most `most`.
    func removeFirst(atMost most: Int) -> ArraySlice<WidgetMatch> {
        assert(most > 0 && count > 0, "no match can be removed")
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

/// The unfinished fan-outs, in the order in which they are delivered.
///
/// Their matches are limited by `RouterLimits.fanOutMatches`: beyond it, the search stops until all
/// found ones have been delivered. A producer has at most one fan-out; its next frames wait for the
/// fan-out's end.
struct FanOutQueue {
    private(set) var fanOuts: ContiguousArray<FanOut> = []
    /// Whether the matcher has not found all matches of its batch yet; what it finds is added to
    /// the last fan-out.
    var isSearching = false
    /// The matches of all fan-outs that have not been applied yet.
    private(set) var matchCount = 0
    /// The widgets that were removed or replaced since the first fan-out began, and may be among
    /// the matches that are left.
    private var changes: [WidgetID: Change] = [:]

    /// The fan-out numbers of the last push before a widget was removed, and before it was
    /// replaced; 0 if it was not.
    private struct Change {
        var removedAfter: UInt64 = 0
        var replacedAfter: UInt64 = 0
    }

    var isEmpty: Bool { fanOuts.isEmpty }
    /// The fan-out that is delivered now; nil if there is none.
    var first: FanOut? { fanOuts.first }
    /// The fan-out that began last; nil if there is none.
    var last: FanOut? { fanOuts.last }
    /// Whether pushes of a producer have matches left.
    func has(_ source: PushSource) -> Bool { fanOuts.contains { $0.source == source } }
    /// How many widgets are remembered as removed or replaced.
    var changeCount: Int { changes.count }

    /// Adds a fan-out, which has no matches yet.
    mutating func append(_ fanOut: FanOut) { fanOuts.append(fanOut) }

    /// Adds the matches that the matcher has just found to the last fan-out.
    mutating func append(contentsOf matches: Span<WidgetMatch>) {
        fanOuts[fanOuts.count - 1].append(contentsOf: matches)
        matchCount += matches.count
    }

    /// Removes and returns the next matches of the first fan-out; see `FanOut.removeFirst`.
    mutating func removeFirst(atMost most: Int) -> ArraySlice<WidgetMatch> {
        let first = fanOuts[0].removeFirst(atMost: most)
        matchCount -= first.count
        assert(matchCount >= 0)
        return first
    }

    /// Removes the first fan-out, all of whose matches have been applied.
    mutating func endFirst() {
        assert(fanOuts[0].count == 0, "matches are left")
        fanOuts.removeFirst()
        if fanOuts.isEmpty { changes = [:] }
    }

    /// Drops the last fan-out with the matches that are left of it.
    mutating func dropLast() {
        matchCount -= fanOuts.removeLast().count
        if fanOuts.isEmpty { changes = [:] }
    }

    // MARK: - Widgets that change

    /// Remembers that a widget was removed after the push with the fan-out number `fanOut`.
    mutating func removed(_ widget: WidgetID, after fanOut: UInt64) {
        if !fanOuts.isEmpty { changes[widget, default: Change()].removedAfter = fanOut }
    }

    /// Remembers that a widget's configuration was replaced after the push with the fan-out number
    /// `fanOut`.
    mutating func replaced(_ widget: WidgetID, after fanOut: UInt64) {
        if !fanOuts.isEmpty { changes[widget, default: Change()].replacedAfter = fanOut }
    }

    /// Whether the widget was removed after the push with the fan-out number `fanOut`; another may
    /// have its number now.
    func isRemoved(_ widget: WidgetID, since fanOut: UInt64) -> Bool {
        if changes.isEmpty { return false }
        return (changes[widget]?.removedAfter ?? 0) >= fanOut
    }

    /// Whether the widget's configuration was replaced after the push with the fan-out number
    /// `fanOut`.
    func isReplaced(_ widget: WidgetID, since fanOut: UInt64) -> Bool {
        if changes.isEmpty { return false }
        return (changes[widget]?.replacedAfter ?? 0) >= fanOut
    }
}
