/// Counts the slots of an origin that belong to no widget: those that were asked for over HTTP.
///
/// Such a slot takes memory until its second is over, so their number is limited. It is counted by
/// day, and a day's count is dropped when the day is over. Counts are not stored: after a restart
/// they begin at 0.
struct UnownedSlots {
    /// The largest number of such slots of one origin.
    ///
    /// Beyond: no further slot is given.
    static var limit: Int { 1 << 20 }
    private static var day: Int64 { 86_400_000 }

    private var countByDay: [Int64: Int] = [:]

    /// Forgets days that are over, and looks for room for more slots.
    ///
    /// - Parameters:
    ///   - count: the number of further slots.
    ///   - now: the wall clock in ms since 1970.
    /// - Returns: whether there is room.
    mutating func hasRoom(for count: Int, now: Int64) -> Bool {
        let today = now / Self.day
        // A slot may be up to a day later than the date that was asked for.
        for day in countByDay.keys where day + 1 < today { countByDay[day] = nil }
        return countByDay.values.reduce(0, +) + count <= Self.limit
    }

    /// Counts a slot for a date, in ms since 1970.
    mutating func add(_ date: Int64) {
        countByDay[date / Self.day, default: 0] += 1
    }
}
