/// How many places of an origin's ledger nobody holds: of dates that were asked for over HTTP.
///
/// Such a place takes memory until its second is over, so they are limited, and counted by days: those
/// of a day are forgotten with it. They are not stored: after a restart only new ones are counted.
struct UnheldPlaces {
    /// Of an origin.
    ///
    /// Beyond: no more are given.
    static var limit: Int { 1 << 20 }
    private static var day: Int64 { 86_400_000 }

    private var countByDay: [Int64: Int] = [:]

    /// - Parameters:
    ///   - count: how many more.
    ///   - now: in ms since 1970.
    /// - Returns: whether they may be given.
    mutating func hasRoom(for count: Int, now: Int64) -> Bool {
        let today = now / Self.day
        // A place may lie behind its date.
        for day in countByDay.keys where day + 1 < today { countByDay[day] = nil }
        return countByDay.values.reduce(0, +) + count <= Self.limit
    }

    /// - Parameter date: in ms since 1970.
    mutating func add(_ date: Int64) {
        countByDay[date / Self.day, default: 0] += 1
    }
}
