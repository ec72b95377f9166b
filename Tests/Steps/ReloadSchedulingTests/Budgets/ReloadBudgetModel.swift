import Basics
import ReloadScheduling

/// What a budget should say, from the exact times of all charges and views.
struct ReloadBudgetModel {
    static let day: Int64 = 86_400_000
    /// 24 h / 23, rounded up.
    static let bucket: Int64 = 3_756_522

    let phase: Int64
    private let added: Int64
    /// In order.
    private var charges: [Int64] = []
    /// The first charge that is at most 24 h old.
    private var first = 0
    private var counts: [(bucket: Int64, count: Int)] = []
    private var rolled: Int64
    private var viewsToday = 0
    /// In 1/256.
    private var average = 0

    init(now: Int64, phase: Int64) {
        self.phase = phase
        added = now
        rolled = (now + phase) / Self.day
    }

    mutating func pass(_ now: Int64) {
        while first < charges.count, charges[first] < now - Self.day { first += 1 }
        let current = bucket(now)
        counts.removeAll { $0.bucket <= current - 24 }
        while rolled < (now + phase) / Self.day {
            let sum = average + viewsToday * 256
            average = viewsToday * 256 > average ? (sum + 1) / 2 : sum / 2
            viewsToday = 0
            rolled += 1
            // Nothing changes any more.
            if average == 0 { rolled = (now + phase) / Self.day }
        }
    }

    mutating func addView() {
        viewsToday = min(viewsToday + 1, 255)
    }

    mutating func charge(_ now: Int64) {
        charges.append(now)
        if let last = counts.last, last.bucket == bucket(now) {
            counts[counts.count - 1].count += 1
        } else {
            counts.append((bucket(now), 1))
        }
    }

    /// Charges in the 24 h up to the time of the last `pass`, both ends included.
    var exactlyUsed: Int { charges.count - first }

    /// What the buckets hold, each counting up to 255.
    func used(_ now: Int64) -> Int {
        counts.reduce(0) { $1.bucket > bucket(now) - 24 ? $0 + min($1.count, 255) : $0 }
    }

    func isAllowed(_ limit: Int, at time: Int64) -> Bool {
        var (sum, current) = (0, 0)
        for entry in counts where entry.bucket > bucket(time) - 24 {
            if entry.count >= 255 { return false }
            sum += entry.count
            if entry.bucket == bucket(time) { current = entry.count }
        }
        return sum < limit && current < 254
    }

    /// `added` counts as the start of the next day, unless a day starts just then.
    func allowance(_ policy: BudgetPolicy, _ now: Int64) -> Int {
        guard policy.isLimited else { return .max }
        let firstDay = (added + phase + Self.day - 1) / Self.day
        let isLearning =
            policy.learningDays > 0 && (now + phase) / Self.day - firstDay < policy.learningDays
        var views = Double(max(average, viewsToday * 256)) / 256
        if isLearning { views = max(views, 1) }
        let often = Double(policy.oftenViews)
        var reloads = Double(policy.often)
        if views < 1 {
            reloads = interpolated(policy.seldom, policy.daily, views)
        } else if views < often {
            reloads = interpolated(policy.daily, policy.often, (views - 1) / (often - 1))
        }
        // Sums of thirds and the like may lie a hair below the whole number that they are.
        let whole = Int(reloads + 1e-9)
        return min(isLearning ? whole * policy.learningPercent / 100 : whole, BudgetPolicy.limit)
    }

    private func interpolated(_ low: Int, _ high: Int, _ part: Double) -> Double {
        Double(low) + Double(high - low) * part
    }

    private func bucket(_ time: Int64) -> Int64 { (time + phase) / Self.bucket }
}
