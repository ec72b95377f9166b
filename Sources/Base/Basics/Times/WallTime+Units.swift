/// What a number that should be a date looks like, if it is none in ms since 1970.
///
///     2001 ──────── dates ──────── 9999    are taken as they are
///     below or above                       looks like the unit in which it would be about now;
///                                          below also like a length of time
///
/// Languages count dates in other units and from other years, and nearly all of these mistakes make
/// a date before 2001 or of a year with five digits: pushes that have expired, or reloads at once.
/// The rule is the same wherever a date comes in.
extension WallTime {
    /// The last ms of the year 9999, the highest date.
    package static var lastDate: WallTime { WallTime(rawValue: 253_402_300_799_999) }

    /// Describes what a number looks like that was sent as one of ms since 1970, and is none, such
    /// as `seconds since 1970`; nil if it is a date. Nothing is judged by a clock that stands
    /// before 2020.
    package static func misreading(of number: UInt64, now: WallTime) -> String? {
        if now < firstPresent { return nil }
        if (firstDate.rawValue...lastDate.rawValue).contains(Int64(clamping: number)) { return nil }
        let nearest = otherUnits.min {
            $0.distance(from: now, of: number) < $1.distance(from: now, of: number)
        }
        if let nearest, nearest.distance(from: now, of: number) <= years(15) { return nearest.name }
        if number > UInt64(firstDate.rawValue) { return "a date after the year 9999" }
        return number < UInt64(years(10)) ? "a length of time" : "a date before 2001"
    }

    /// The beginning of 2020. A machine whose clock stands before it has not set it yet.
    private static var firstPresent: WallTime { WallTime(rawValue: 1_577_836_800_000) }
    /// The beginning of 2001. Numbers below it hold all dates in seconds, and those of our time
    /// that are counted in ms from 2001.
    private static var firstDate: WallTime { WallTime(rawValue: since2001) }

    private static func years(_ count: Int64) -> Double { Double(count) * 365 * 86_400_000 }

    /// A unit and a beginning of dates.
    private struct Unit {
        let name: String
        /// Its length in ms.
        let length: Double
        /// Where it begins, in ms since 1970.
        let start: Int64

        /// How far from now the date is that a number in this unit is, in ms.
        func distance(from now: WallTime, of number: UInt64) -> Double {
            abs(Double(number) * length + Double(start) - Double(now.rawValue))
        }
    }

    private static var since2001: Int64 { 978_307_200_000 }

    private static var otherUnits: [Unit] {
        [
            Unit(name: "seconds since 1970", length: 1_000, start: 0),
            Unit(name: "seconds since 2001", length: 1_000, start: since2001),
            Unit(name: "milliseconds since 2001", length: 1, start: since2001),
            Unit(name: "microseconds since 1970", length: 1e-3, start: 0),
            Unit(name: "microseconds since 2001", length: 1e-3, start: since2001),
            Unit(name: "nanoseconds since 1970", length: 1e-6, start: 0),
            Unit(name: "nanoseconds since 2001", length: 1e-6, start: since2001),
            Unit(name: "units of 100 ns since year 1", length: 1e-4, start: -62_135_596_800_000),
            Unit(name: "units of 100 ns since 1601", length: 1e-4, start: -11_644_473_600_000),
        ]
    }
}
