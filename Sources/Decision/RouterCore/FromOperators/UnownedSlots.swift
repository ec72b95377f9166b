internal import Basics

/// Counts the slots of an origin that belong to no widget: those that were asked for over HTTP.
///
/// Such a slot takes memory until its second is over, so their number is limited. It is counted by
/// day, and a day's count is dropped when the day is over. Counts are not stored: after a restart
/// they begin at 0.
struct UnownedSlots {
    /// The largest number of such slots of one origin.
    ///
    /// Beyond it, no further slot is assigned.
    static var limit: Int { 1 << 20 }
    /// The counts, by the number of the day since 1970.
    private var countByDay: [Int64: Int] = [:]

    /// Forgets days that are over, and returns whether there is room for `count` more slots.
    mutating func hasRoom(for count: Int, now: WallTime) -> Bool {
        let today = Self.day(of: now)
        // A slot may be up to a day later than the date that was asked for.
        for day in countByDay.keys where day + 1 < today { countByDay[day] = nil }
        return countByDay.values.reduce(0, +) + count <= Self.limit
    }

    /// Counts a slot for a date.
    mutating func add(_ date: WallTime) { countByDay[Self.day(of: date), default: 0] += 1 }

    private static func day(of date: WallTime) -> Int64 { (date - .zero) / .days(1) }
}
