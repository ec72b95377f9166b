internal import DataStructures
package import ReloadModel

/// Which of the members that rules name pushes have had lately. Operators are warned of the others;
/// no decision depends on it.
///
/// It has 8 bytes for each attribute, and 16 for each app.
struct MemberSightings: ~Copyable {
    /// By attribute: the number of the last push of its app that had it; 0 for none.
    private var last = GrowingBuffer<UInt64>()
    /// By app: the number of pushes that were read.
    private var counts = GrowingBuffer<UInt64>()
    /// By app: that number when rules changed for the last time, so that attributes are not taken
    /// for missing that came later.
    private var starts = GrowingBuffer<UInt64>()
    /// The number of the push that is being read.
    private var current: UInt64 = 0

    /// Bytes allocated, used or not.
    var byteCount: Int { last.byteCount + counts.byteCount + starts.byteCount }

    /// Begins the next push of an app.
    @inline(__always)
    mutating func begin(_ app: AppID) {
        if app.index >= counts.count { Self.grow(&counts, through: app.index) }
        current = counts[app.index] &+ 1
    }

    /// Records that the push has a member.
    @inline(__always)
    mutating func note(_ attribute: AttributeID) {
        if attribute.index >= last.count { Self.grow(&last, through: attribute.index) }
        last[attribute.index] = current
    }

    /// Counts the push.
    @inline(__always)
    mutating func end(_ app: AppID) { counts[app.index] = current }

    /// Begins to count anew, because rules have changed.
    mutating func rulesChanged() {
        if counts.count > 0 { Self.grow(&starts, through: counts.count - 1) }
        for app in 0..<counts.count { starts[app] = counts[app] }
    }

    /// How many pushes of an app have had no member of an attribute, since the last one that had it
    /// or since rules changed; and whether that was the former.
    func missing(_ attribute: AttributeID, of app: AppID) -> (count: UInt64, wasSeen: Bool) {
        if app.index >= counts.count { return (0, false) }
        let start = app.index < starts.count ? starts[app.index] : 0
        let seen = attribute.index < last.count ? last[attribute.index] : 0
        return (counts[app.index] - max(start, seen), seen > start)
    }

    @inline(never)
    private static func grow(_ buffer: inout GrowingBuffer<UInt64>, through index: Int) {
        while buffer.count <= index { buffer.append(0) }
    }
}

extension WidgetMatcher {
    /// The fewest pushes after which a member is missed that none of them had.
    package static var fewestSightings: UInt64 { 100 }
    /// The pushes after which a member is missed that an earlier one had.
    package static var recentPushes: UInt64 { 10_000 }

    /// How many pushes of an app have had no member at a path that its rules name; nil if that is
    /// no reason to think that none will.
    ///
    /// - Parameters:
    ///   - path: the names that lead to the member.
    ///   - app: the app.
    ///   - fewest: the pushes after which a member is missed that none of them had.
    ///   - recent: those after which one is missed that an earlier push had.
    /// - Returns: how many pushes.
    package func pushesWithout(
        _ path: [[UInt8]],
        app: AppID,
        fewest: UInt64 = fewestSightings,
        recent: UInt64 = recentPushes
    ) -> UInt64? {
        var attribute = AttributeID.root(app)
        for name in path {
            let next = name.withByteView {
                index.vocabulary.attribute(below: attribute, named: MemberName($0))
            }
            guard let next else { return nil }
            attribute = next
        }
        if attribute.isRoot { return nil }
        let missing = search.value.reader.sightings.missing(attribute, of: app)
        let least = missing.wasSeen ? recent : fewest
        return missing.count >= least ? missing.count : nil
    }
}
