internal import Basics
internal import StoreFormat

/// How often a widget is looked at, and for how many days it has existed; `ReloadBudget` derives
/// the widget's allowance from both.
///
/// A day is a day of the widget's own phase. Views are counted in units of 1/256: at the end of
/// each day, `average` becomes the mean of itself and that day's views, so that a habit is half
/// forgotten in a day. The mean is rounded towards the day's views, so that an unchanged habit is
/// met exactly, and the average of a widget without views becomes 0.
struct ReloadBudgetHabit: BitwiseCopyable, Sendable {
    /// One view, in the units of `average`.
    static let view = 256

    /// Views a day, in 1/256.
    var average: UInt16 = 0
    /// Views of the current day, at most 255; further ones are not counted.
    var today: UInt8 = 0
    /// Days that have begun since the widget was added, at most 255; a day that began at the moment
    /// of adding is included.
    var age: UInt8

    init(isAddedAtStartOfDay: Bool) { age = isAddedAtStartOfDay ? 1 : 0 }

    /// Counts a view.
    mutating func addView() {
        if today < .max { today += 1 }
    }

    /// Applies `days` borders between days.
    mutating func roll(days: Int) {
        assert(days >= 0, "time goes back")
        guard days > 0 else { return }
        let difference = Int(today) * Self.view - Int(average)
        let mean = Int(average) + (difference > 0 ? difference + 1 : difference) >> 1
        // The further days passed without a view.
        average = UInt16(mean >> (days - 1))
        today = 0
        age = UInt8(min(Int(age) + days, Int(UInt8.max)))
    }

    /// How many reloads the widget may have in 24 h.
    ///
    ///     often  ┤            ╭─────        linear between; the views are today's if these are
    ///     daily  ┤     ╭──╌╌──╯             more than the average, so that a user who starts to
    ///     seldom ┤╌╌───╯                    look is served the same day
    ///            └┬────┬──────┬──► views a day
    ///             0    1   oftenViews
    ///
    /// For `learningDays` (254 at most) and less than one day more, the widget's habit is being
    /// learnt: it counts as looked at once a day at least, and gets `learningPercent` of that
    /// allowance.
    func allowance(_ policy: BudgetPolicy) -> Int {
        let views = max(Int(average), Int(today) * Self.view)
        let isLearning = policy.learningDays > 0 && Int(age) <= min(policy.learningDays, 254)
        guard isLearning else { return min(max(0, allowance(policy, views: views)), Self.limit) }
        let learning = allowance(policy, views: max(views, Self.view)) * policy.learningPercent
        return min(max(0, learning / 100), Self.limit)
    }

    private static var limit: Int { BudgetPolicy.limit }

    /// The allowance for this many views a day (in 1/256), without learning and unclamped.
    private func allowance(_ policy: BudgetPolicy, views: Int) -> Int {
        // Views are counted up to 255 a day.
        let often = min(policy.oftenViews, Int(UInt8.max)) * Self.view
        if views < Self.view {
            return policy.seldom + (policy.daily - policy.seldom) * views / Self.view
        }
        if views >= often { return policy.often }
        let (above, span) = (views - Self.view, often - Self.view)
        return policy.daily + (policy.often - policy.daily) * above / span
    }
}

extension ReloadBudgetHabit {
    /// Writes four bytes: average of views, today's views, age.
    func write(to writer: inout StoreWriter) {
        writer.put(average)
        writer.put(today)
        writer.put(age)
    }

    init(reading reader: inout StoreReader) throws(StoreError) {
        self.init(isAddedAtStartOfDay: false)
        average = try reader.read(UInt16.self)
        today = try reader.read(UInt8.self)
        age = try reader.read(UInt8.self)
        if Int(average) > Int(UInt8.max) * Self.view {
            throw reader.corrupt("a widget is looked at more often than is counted")
        }
    }
}
