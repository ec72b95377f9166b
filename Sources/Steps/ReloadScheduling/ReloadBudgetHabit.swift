internal import ReloadModel

/// How often a widget is looked at, and how long it has been there: what its allowance is made of.
///
/// A day is a day of the widget's own phase. Views are kept in 1/256: `average` is, after each day,
/// the mean of itself and that day's views, so that a habit is half forgotten in a day. The mean is
/// rounded towards the day's views: an unchanged habit is met exactly, and no views become 0.
struct ReloadBudgetHabit: BitwiseCopyable, Sendable {
    static let view = 256

    var average: UInt16 = 0
    /// At most 255; more count as 255.
    var today: UInt8 = 0
    /// Days that have begun since the widget was added, one that began with it included; at most
    /// 255.
    var age: UInt8

    init(isAddedAtStartOfDay: Bool) {
        age = isAddedAtStartOfDay ? 1 : 0
    }

    mutating func see() {
        if today < .max { today += 1 }
    }

    /// Lets `days` borders between days pass.
    mutating func roll(days: Int) {
        guard days > 0 else { return }
        let difference = Int(today) * Self.view - Int(average)
        let mean = Int(average) + (difference > 0 ? difference + 1 : difference) >> 1
        // The other days went by without a view.
        average = UInt16(mean >> (days - 1))
        today = 0
        age = UInt8(min(Int(age) + days, Int(UInt8.max)))
    }

    /// Reloads in 24 h.
    ///
    ///     often  ┤            ╭─────        linear between; the views are today's if these are
    ///     daily  ┤     ╭──╌╌──╯             more than the average, so that a user who starts to
    ///     seldom ┤╌╌───╯                    look is served the same day
    ///            └┬────┬──────┬──► views a day
    ///             0    1   oftenViews
    ///
    /// While it is learnt how often the widget is looked at, it counts as looked at once a day at
    /// least, and gets `learningPercent`: for `learningDays` (254 at most) and less than one more.
    func allowance(_ policy: BudgetPolicy) -> Int {
        let views = max(Int(average), Int(today) * Self.view)
        let isLearning = policy.learningDays > 0 && Int(age) <= min(policy.learningDays, 254)
        guard isLearning else { return min(max(0, allowance(policy, views: views)), Self.limit) }
        let learning = allowance(policy, views: max(views, Self.view)) * policy.learningPercent
        return min(max(0, learning / 100), Self.limit)
    }

    private static var limit: Int { BudgetPolicy.limit }

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
