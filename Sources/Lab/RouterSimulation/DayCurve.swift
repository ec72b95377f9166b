internal import DataStructures

/// How lively the hours of a day are, and when the next thing happens to somebody who lives by it.
///
/// A renewal process in *activity*, the hours' weights summed up over time: gaps are uniform from a
/// tenth to 1.9 times their mean. Whole numbers only, so that every machine computes the same.
enum DayCurve {
    /// People: asleep at night, most awake on the way to work, at noon, and in the evening.
    private static let weights: [Int64] = [
        12, 6, 3, 3, 5, 16, 44, 74, 72, 60, 54, 58, 76, 62, 54, 54, 62, 74, 78, 84, 84, 70, 50, 26,
    ]
    private static let sum: Int64 = weights.reduce(0, +)

    /// - Parameters:
    ///   - wall: the time of the last one.
    ///   - perDay: how many there are in a day on average, in hundredths; above zero.
    ///   - random: drawn from once.
    /// - Returns: the time of the next one.
    static func next(
        after wall: Int64,
        perDay: Int64,
        _ random: inout SplitMix64
    ) -> Int64 {
        let mean = sum * SimulatedTime.hour * 100 / perDay
        var rest = random.within(mean / 10...mean * 19 / 10)
        var time = wall
        while true {
            let weight = weights[Int(SimulatedTime.ofDay(time) / SimulatedTime.hour)]
            let left = SimulatedTime.hour - SimulatedTime.ofDay(time) % SimulatedTime.hour
            if rest < weight * left { return time + rest / weight }
            rest -= weight * left
            time += left
        }
    }
}
