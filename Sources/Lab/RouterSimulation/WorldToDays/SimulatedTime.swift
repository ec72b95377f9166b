internal import Basics

/// Times of the simulated world.
///
/// There are two scales: the times of events are lengths from the run's start, and frames contain
/// dates. The simulated week begins on Monday, 1 June 2026. All devices are in the same time zone,
/// so that 9 o'clock is the same moment for all.
enum SimulatedTime {
    static var hour: Milliseconds { .hours(1) }
    static var day: Milliseconds { .days(1) }

    /// Monday, 1 June 2026, 0:00.
    static var monday: WallTime { WallTime(rawValue: 1_780_272_000_000) }
    /// The length of the time before the record, in which the devices connect.
    static var warmUp: Milliseconds { hour }

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
    static func text(_ wall: WallTime) -> String {
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

    private static func remainder(
        _ length: Milliseconds,
        dividedBy period: Milliseconds
    ) -> Milliseconds {
        assert(period > .zero, "a period has a length")
        let rest = Milliseconds(rawValue: length.rawValue % period.rawValue)
        return rest < .zero ? rest + period : rest
    }
}

/// Draws the times of events that follow the daily rhythm of people.
///
/// Activity is the sum of the hourly weights over time. Between two events, it rises by an amount
/// drawn uniformly from a tenth to 1.9 times its mean; so gaps are short in busy hours. All
/// computation is in whole numbers, so that every machine gets the same results.
enum DayCurve {
    /// The weight of each hour: low at night, high on the way to work, at noon and in the evening.
    private static let weights: [Int64] = [
        12, 6, 3, 3, 5, 16, 44, 74, 72, 60, 54, 58, 76, 62, 54, 54, 62, 74, 78, 84, 84, 70, 50, 26,
    ]
    private static let sum: Int64 = weights.reduce(0, +)

    /// Draws the date of the next event, of which a day has `perDay` hundredths on average.
    static func next(
        after wall: WallTime,
        perDay: Int64,
        using random: inout SplitMix64
    ) -> WallTime {
        let hour = SimulatedTime.hour.rawValue
        let mean = sum * hour * 100 / perDay
        var rest = random.within(mean / 10...mean * 19 / 10)
        var time = wall
        while true {
            let ofDay = SimulatedTime.ofDay(time).rawValue
            let weight = weights[Int(ofDay / hour)]
            let left = hour - ofDay % hour
            if rest < weight * left { return time + .milliseconds(rest / weight) }
            rest -= weight * left
            time += .milliseconds(left)
        }
    }
}

/// What simulated devices draw from their random streams.
///
/// Each device has its own stream. So what it does of its own accord depends only on the seed, and
/// runs in different modes simulate the same day.
extension SplitMix64 {
    /// Draws a number from 0 up to, but not including, `bound`.
    mutating func below(_ bound: Int64) -> Int64 { Int64(below(Int(bound))) }

    /// Draws a number in `range`, both ends included.
    mutating func within(_ range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    /// Returns true with this probability, in per cent.
    mutating func perCent(_ share: Int64) -> Bool { below(100) < share }

    /// Draws the index of a weight, with a probability in proportion to the weight.
    mutating func choice(_ weights: [Int64]) -> Int {
        var rest = below(weights.reduce(0, +))
        for (index, weight) in weights.enumerated() {
            if rest < weight { return index }
            rest -= weight
        }
        return weights.count - 1
    }
}
