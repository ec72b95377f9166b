package import Basics

/// Which of the members that rules name pushes have had lately. Operators are warned of the others;
/// no decision depends on it.
///
/// A member is watched from when it is asked for on. That takes 24 bytes for each attribute, and 8
/// for each app.
struct MemberSightings: ~Copyable {
    /// By attribute: the number of the last push of its app that had it; 0 for none.
    private var last = GrowingBuffer<UInt64>()
    /// By attribute: of which attribute with that number it was asked, and the number of the last
    /// push then.
    private var watched = GrowingBuffer<UInt64>()
    private var starts = GrowingBuffer<UInt64>()
    /// By app: the number of pushes that were read.
    private var counts = GrowingBuffer<UInt64>()
    /// The number of the push that is being read.
    private var current: UInt64 = 0

    /// Bytes allocated, used or not.
    var byteCount: Int { last.byteCount + watched.byteCount + starts.byteCount + counts.byteCount }

    /// Begins the next push of an app.
    @inline(__always)
    mutating func begin(_ app: AppID) {
        if app.index >= counts.count { counts.extend(to: app.index + 1, filling: 0) }
        current = counts[app.index] &+ 1
    }

    /// Records that the push has a member.
    @inline(__always)
    mutating func note(_ attribute: AttributeID) {
        if attribute.index >= last.count { last.extend(to: attribute.index + 1, filling: 0) }
        last[attribute.index] = current
    }

    /// Counts the push.
    @inline(__always)
    mutating func end(_ app: AppID) { counts[app.index] = current }

    /// How many pushes of an app have had no member of an attribute, since the last one that had it
    /// or since it is watched; and whether that was the former. The number `birth` differs from
    /// that of other attributes with its number, before and later.
    mutating func missing(
        _ attribute: AttributeID,
        birth: UInt64,
        of app: AppID
    ) -> (count: UInt64, wasSeen: Bool) {
        let index = attribute.index
        let count = app.index < counts.count ? counts[app.index] : 0
        watched.extend(to: index + 1, filling: 0)
        starts.extend(to: index + 1, filling: 0)
        if watched[index] != birth {
            watched[index] = birth
            starts[index] = count
            // It may be a count of another app, which had the number before.
            if index < last.count { last[index] = 0 }
        }
        let seen = index < last.count ? last[index] : 0
        return (count - min(count, max(starts[index], seen)), seen > starts[index])
    }
}

extension PayloadScanner {
    /// The fewest pushes after which a member is missed that none of them had.
    package static var fewestSightings: UInt64 { 100 }
    /// The pushes after which a member is missed that an earlier one had.
    package static var recentPushes: UInt64 { 10_000 }

    /// How many pushes of an app have had no member at a path that its rules name; nil if that is
    /// no reason to think that none will. The first time, a member begins to be watched; it can be
    /// if a widget of a kind that names it is stored, and the scanner follows its matcher.
    ///
    /// A member is missed after `fewest` pushes if none of them had it, and after `recent` if an
    /// earlier one had.
    package mutating func pushesWithout(
        _ path: [[UInt8]],
        app: AppID,
        fewest: UInt64 = fewestSightings,
        recent: UInt64 = recentPushes
    ) -> UInt64? {
        var attribute = AttributeID.root(app)
        for name in path {
            let next = name.withByteView {
                reader.vocabulary.attribute(below: attribute, named: MemberName($0))
            }
            guard let next else { return nil }
            attribute = next
        }
        if attribute.isRoot { return nil }
        let birth = reader.vocabulary[attribute].birth
        let missing = reader.sightings.missing(attribute, birth: birth, of: app)
        let least = missing.wasSeen ? recent : fewest
        return missing.count >= least ? missing.count : nil
    }
}
