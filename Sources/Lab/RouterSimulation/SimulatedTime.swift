/// Times of the simulated world, in ms.
///
/// There are two scales: the times of events count from the run's start, dates in frames count from
/// 1970. The simulated week begins on Monday, 1 June 2026. All devices are in the same time zone,
/// so that 9 o'clock is the same moment for all.
package enum SimulatedTime {
    /// One second, in ms.
    package static var second: Int64 { 1_000 }
    /// One minute, in ms.
    package static var minute: Int64 { 60_000 }
    /// One hour, in ms.
    package static var hour: Int64 { 3_600_000 }
    /// One day, in ms.
    package static var day: Int64 { 86_400_000 }

    /// Monday, 1 June 2026, 0:00, in ms since 1970.
    package static var monday: Int64 { 1_780_272_000_000 }
    /// The length of the time before the record, in which the devices connect.
    package static var warmUp: Int64 { hour }

    /// Returns the time since midnight.
    static func ofDay(_ wall: Int64) -> Int64 { remainder(wall - monday, dividedBy: day) }

    /// Returns the day of the week; 0 for Monday.
    static func weekday(_ wall: Int64) -> Int64 {
        // Midnight is computed first: a plain division would round towards zero, and make a Monday
        // of the Sunday before, in which a warm-up may lie.
        remainder((wall - ofDay(wall) - monday) / day, dividedBy: 7)
    }

    /// Returns the first time after `wall` that is a whole number of periods after the first
    /// Monday's midnight.
    static func next(_ period: Int64, after wall: Int64) -> Int64 {
        wall - remainder(wall - monday, dividedBy: period) + period
    }

    /// Returns the first time after `wall` with this time of day.
    static func nextOfDay(_ time: Int64, after wall: Int64) -> Int64 {
        assert((0..<day).contains(time), "no day has the time")
        let today = wall - ofDay(wall) + time
        return today > wall ? today : today + day
    }

    /// Formats a date, such as `Mon 09:00:00.250`.
    package static func text(_ wall: Int64) -> String {
        let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let time = ofDay(wall)
        return names[Int(weekday(wall))] + " " + clock(time) + "." + padded(time % 1_000, to: 3)
    }

    /// Formats a time of day, such as `09:00:00`.
    static func clock(_ time: Int64) -> String {
        padded(time / hour, to: 2) + ":" + padded(time / minute % 60, to: 2) + ":"
            + padded(time / 1_000 % 60, to: 2)
    }

    /// Formats a duration, such as `00:00:08.250`; negative ones count as 0.
    static func elapsed(_ time: Int64) -> String {
        let time = max(0, time)
        return clock(time) + "." + padded(time % 1_000, to: 3)
    }

    private static func padded(_ number: Int64, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func remainder(_ value: Int64, dividedBy divisor: Int64) -> Int64 {
        assert(divisor > 0, "a period has a length")
        let rest = value % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
