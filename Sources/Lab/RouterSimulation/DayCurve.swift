internal import Basics

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

    /// Draws the time of the next event.
    ///
    /// - Parameters:
    ///   - wall: the date of the last event.
    ///   - perDay: the mean number of events per day, in hundredths; above zero.
    ///   - random: the stream that one number is drawn from.
    /// - Returns: the date of the next event.
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
