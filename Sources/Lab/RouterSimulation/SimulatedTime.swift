/// Times of the simulated world, in ms.
///
/// There are two scales: events count from the run's start, dates on the wire from 1970. The
/// simulated week begins on Monday, 1 June 2026. All devices are in the same time zone, so that
/// dates that coincide do so for all.
package enum SimulatedTime {
    package static var second: Int64 { 1_000 }
    package static var minute: Int64 { 60_000 }
    package static var hour: Int64 { 3_600_000 }
    package static var day: Int64 { 86_400_000 }

    /// Monday, 1 June 2026, 0:00, in ms since 1970.
    package static var monday: Int64 { 1_780_272_000_000 }
    /// The time before the record, in which the devices connect.
    package static var warmUp: Int64 { hour }

    /// Time since midnight.
    static func ofDay(_ wall: Int64) -> Int64 { remainder(wall - monday, day) }

    /// The day of the week; 0 for Monday.
    static func weekday(_ wall: Int64) -> Int64 {
        // In whole days, so that the Sunday before Monday, on which a warm-up may lie, does not
        // count as a Monday.
        remainder((wall - ofDay(wall) - monday) / day, 7)
    }

    /// The first time after `wall` that is a multiple of `period` since Monday's midnight.
    static func next(_ period: Int64, after wall: Int64) -> Int64 {
        wall - remainder(wall - monday, period) + period
    }

    /// The first time after `wall` with this time of day.
    static func nextOfDay(_ time: Int64, after wall: Int64) -> Int64 {
        let today = wall - ofDay(wall) + time
        return today > wall ? today : today + day
    }

    /// A date as text, such as `Mon 09:00:00.250`.
    package static func text(_ wall: Int64) -> String {
        let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let time = ofDay(wall)
        return names[Int(weekday(wall))] + " " + clock(time) + "." + padded(time % 1_000, 3)
    }

    /// A time of day as text, such as `09:00:00`.
    static func clock(_ time: Int64) -> String {
        padded(time / hour, 2) + ":" + padded(time / minute % 60, 2) + ":"
            + padded(time / 1_000 % 60, 2)
    }

    /// A duration as text, such as `00:00:08.250`; negative ones count as 0.
    static func elapsed(_ time: Int64) -> String {
        let time = max(0, time)
        return clock(time) + "." + padded(time % 1_000, 3)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func remainder(_ value: Int64, _ divisor: Int64) -> Int64 {
        let rest = value % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
