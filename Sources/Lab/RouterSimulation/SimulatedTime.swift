package import Basics

/// Times of the simulated world.
///
/// There are two scales: the times of events are lengths from the run's start, and frames contain
/// dates. The simulated week begins on Monday, 1 June 2026. All devices are in the same time zone,
/// so that 9 o'clock is the same moment for all.
package enum SimulatedTime {
    /// One second.
    package static var second: Milliseconds { .seconds(1) }
    /// One minute.
    package static var minute: Milliseconds { .minutes(1) }
    /// One hour.
    package static var hour: Milliseconds { .hours(1) }
    /// One day.
    package static var day: Milliseconds { .days(1) }

    /// Monday, 1 June 2026, 0:00.
    package static var monday: WallTime { WallTime(rawValue: 1_780_272_000_000) }
    /// The length of the time before the record, in which the devices connect.
    package static var warmUp: Milliseconds { hour }

    /// Returns the time since midnight.
    static func ofDay(_ wall: WallTime) -> Milliseconds { remainder(wall - monday, dividedBy: day) }

    /// Returns the day of the week; 0 for Monday.
    static func weekday(_ wall: WallTime) -> Int64 {
        // Midnight is computed first: a plain division would round towards zero, and take the
        // Sunday before the first Monday, in which a warm-up may lie, for a Monday.
        let days: Int64 = (wall - ofDay(wall) - monday) / day
        return (days % 7 + 7) % 7
    }

    /// Returns the first time after `wall` that is a whole number of periods after the first
    /// Monday's midnight.
    static func next(_ period: Milliseconds, after wall: WallTime) -> WallTime {
        wall - remainder(wall - monday, dividedBy: period) + period
    }

    /// Returns the first time after `wall` with this time of day.
    static func nextOfDay(_ time: Milliseconds, after wall: WallTime) -> WallTime {
        assert((.zero..<day).contains(time), "no day has the time")
        let today = wall - ofDay(wall) + time
        return today > wall ? today : today + day
    }

    /// Formats a date, such as `Mon 09:00:00.250`.
    package static func text(_ wall: WallTime) -> String {
        let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let time = ofDay(wall)
        return names[Int(weekday(wall))] + " " + clock(time) + "." + thousandths(time)
    }

    /// Formats a time of day, such as `09:00:00`.
    static func clock(_ time: Milliseconds) -> String {
        let seconds = time.wholeSeconds
        let parts = [seconds / 3_600, seconds / 60 % 60, seconds % 60]
        return parts.map { padded($0, to: 2) }.joined(separator: ":")
    }

    /// Formats a duration, such as `00:00:08.250`; negative ones count as 0.
    static func elapsed(_ time: Milliseconds) -> String {
        let time = max(.zero, time)
        return clock(time) + "." + thousandths(time)
    }

    private static func thousandths(_ time: Milliseconds) -> String {
        padded(time.rawValue % 1_000, to: 3)
    }

    private static func padded(_ number: Int64, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func remainder(
        _ length: Milliseconds,
        dividedBy period: Milliseconds
    ) -> Milliseconds {
        assert(period > .zero, "a period has a length")
        let rest = Milliseconds(rawValue: length.rawValue % period.rawValue)
        return rest < .zero ? rest + period : rest
    }
}
