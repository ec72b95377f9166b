/// Milliseconds in the simulated world.
///
/// Two scales: the queue counts from the run's start, dates on the wire from 1970. The simulated
/// week begins on Monday, 1 June 2026, and everybody lives in the same time zone: dates that
/// coincide do so for all.
package enum SimulatedTime {
    package static var second: Int64 { 1_000 }
    package static var minute: Int64 { 60_000 }
    package static var hour: Int64 { 3_600_000 }
    package static var day: Int64 { 86_400_000 }

    /// Monday, 1 June 2026, 0:00.
    package static var monday: Int64 { 1_780_272_000_000 }
    /// The time in which the devices connect, before the record begins.
    package static var warmUp: Int64 { hour }

    /// Milliseconds since the midnight before.
    static func ofDay(_ wall: Int64) -> Int64 { remainder(wall - monday, day) }

    /// 0 for Monday.
    static func weekday(_ wall: Int64) -> Int64 {
        // Whole days, so that the Sunday before Monday, on which a warm-up lies, is no Monday.
        remainder((wall - ofDay(wall) - monday) / day, 7)
    }

    /// The next multiple of `period` since Monday's midnight, after `wall`.
    static func next(_ period: Int64, after wall: Int64) -> Int64 {
        wall - remainder(wall - monday, period) + period
    }

    /// The next time of day `time`, after `wall`.
    static func nextOfDay(_ time: Int64, after wall: Int64) -> Int64 {
        let today = wall - ofDay(wall) + time
        return today > wall ? today : today + day
    }

    /// Such as `Mon 09:00:00.250`.
    package static func text(_ wall: Int64) -> String {
        let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let time = ofDay(wall)
        return names[Int(weekday(wall))] + " " + clock(time) + "." + padded(time % 1_000, 3)
    }

    /// Such as `09:00:00`.
    static func clock(_ time: Int64) -> String {
        padded(time / hour, 2) + ":" + padded(time / minute % 60, 2) + ":"
            + padded(time / 1_000 % 60, 2)
    }

    /// Such as `00:00:08.250`, of what has passed.
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
