internal import Basics

/// A search for near misses: it goes once through the table of all widgets, and examines those of
/// the app and kind that are asked for.
///
/// What is examined is limited by these alone: neither widgets of other apps keep them out, nor
/// those of a kind others of the app.
struct NearMissSearch {
    /// The next widget to look at.
    private(set) var next: WidgetID
    /// How many widgets the table has had when the search began.
    private let count: Int
    /// How many more may be looked at.
    private var looksLeft: Int
    /// How many more may be examined.
    private var left = Router.nearMissLimit
    /// How many of one kind may be examined, and how many were.
    private var mostOfKind: Int
    private var examined: [KindID: Int] = [:]
    /// Whether a widget of the app was found.
    var hasFoundOwn = false

    /// A search that begins at a widget of a table with `count`; those of `kinds` kinds are asked
    /// for.
    init(from start: WidgetID, count: Int, kinds: Int) {
        next = start.index < count ? start : .first
        self.count = count
        looksLeft = min(count, Router.nearLookLimit)
        mostOfKind = max(Router.fewestNearMisses, Router.nearMissLimit / max(1, kinds))
    }

    /// Whether another widget may be looked at.
    var isOpen: Bool { looksLeft > 0 && left > 0 }

    mutating func examineAll() { (looksLeft, left, mostOfKind) = (count, .max, .max) }

    /// Returns the next widget, and moves to the one after it.
    mutating func look() -> WidgetID {
        defer { next = WidgetID(index: (next.index + 1) % count) }
        looksLeft -= 1
        return next
    }

    /// Whether one more widget of a kind may be examined; counts it if so.
    mutating func takes(_ kind: KindID) -> Bool {
        if examined[kind, default: 0] >= mostOfKind { return false }
        examined[kind, default: 0] += 1
        left -= 1
        return true
    }
}
