import Basics
import ReloadScheduling
import TestSupport
import Testing

@Suite("A reload budget against exact times")
struct ReloadBudgetModelTests {
    @Test(
        "keeps its allowance in any 24 h and gives back at the time it said, whatever happens",
        arguments: 1...24 as ClosedRange<UInt64>
    )
    func model(seed: UInt64) {
        var run = ReloadBudgetRun(seed: seed)
        let failure = run.failure(steps: 50_000)
        #expect(failure == nil, "seed \(seed)")
    }
}

/// One widget under one policy, through random times.
private struct ReloadBudgetRun {
    var random: SeededGenerator
    var policy: BudgetPolicy
    var model: ReloadBudgetModel
    var budget: PlainBudget
    var now: Int64
    let phase: Int64
    /// Whether most steps are short, so that buckets fill up.
    let isDense: Bool

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        now = random.pick([0, 1, 1_700_000_000_000]) + Int64(random.below(90_000_000))
        phase = random.pick([0, 1, 86_399_999, Int64(random.below(86_400_000))])
        isDense = seed.isMultiple(of: 3)
        policy = Self.policy(&random, isDense: isDense)
        model = ReloadBudgetModel(now: now, phase: phase)
        budget = PlainBudget(now: now, phase: phase)
    }

    static func policy(_ random: inout SeededGenerator, isDense: Bool) -> BudgetPolicy {
        if !isDense, random.below(3) == 0 { return random.pick([.widget, .complication]) }
        var policy = BudgetPolicy()
        let scale = isDense ? 666 : random.pick([1, 3, 20, 300])
        policy.seldom = random.below(scale + 1)
        policy.daily = policy.seldom + random.below(scale - policy.seldom + 1)
        policy.often = policy.daily + random.below(scale - policy.daily + 1)
        policy.oftenViews = random.pick([0, 1, 2, 3, 10, 255])
        policy.learningDays = random.below(6)
        policy.learningPercent = random.pick([100, 150, 117])
        policy.urgentPercent = random.pick([0, 10, 33, 100])
        return policy
    }

    /// What went wrong first, if anything.
    mutating func failure(steps: Int) -> String? {
        for step in 0..<steps {
            now += pause()
            model.pass(now)
            act()
            if let failure = disagreement() { return "step \(step), at \(now): \(failure)" }
        }
        return nil
    }

    private mutating func pause() -> Int64 {
        let earliest = budget.earliest(policy, mayUseReserve: true, at: now, phase: phase)
        let wait = earliest == .max ? 0 : earliest - now
        switch random.below(isDense ? 400 : 40) {
        case 0: return wait
        case 1: return max(0, wait - 1)
        case 2: return wait + Int64(random.below(1_000))
        case 3: return Int64(random.below(90_000_000))
        case 4: return Int64(random.below(20)) * 43_200_000
        case 5: return bucketBorder() - 1
        case 6: return bucketBorder()
        case 7 where random.below(50) == 0: return Int64(random.below(10_000)) * 86_400_000
        case 8...10: return Int64(random.below(11_000_000))
        case 11...15: return Int64(random.below(600_000))
        case 16...20: return Int64(random.below(1_000))
        default: return isDense ? Int64(random.below(3_000)) : 0
        }
    }

    private func bucketBorder() -> Int64 {
        3_756_522 - (now + phase) % 3_756_522
    }

    private mutating func act() {
        switch random.below(32) {
        case 0...3: addView()
        case 4 where random.below(20) == 0: for _ in 0..<300 { addView() }
        // The device did it by itself.
        case 5: charge()
        case 6 where random.below(500) == 0: for _ in 0..<300 { charge() }
        case 7...27:
            let mayUseReserve = random.below(2) == 0
            let earliest = earliest(mayUseReserve)
            if earliest == now { charge() }
        default: break
        }
    }

    private mutating func addView() {
        budget.recordView(at: now, phase: phase)
        model.addView()
    }

    private mutating func charge() {
        budget.charge(at: now, phase: phase)
        model.charge(now)
    }

    private func earliest(_ mayUseReserve: Bool) -> Int64 {
        budget.earliest(policy, mayUseReserve: mayUseReserve, at: now, phase: phase)
    }

    private func disagreement() -> String? {
        let used = budget.used(at: now, phase: phase)
        if used != model.used(now) { return "used \(used), not \(model.used(now))" }
        let allowance = budget.allowance(policy, at: now, phase: phase)
        let expected = model.allowance(policy, now)
        if allowance != expected { return "allowance \(allowance), not \(expected)" }
        return disagreement(allowance, mayUseReserve: true)
            ?? disagreement(allowance, mayUseReserve: false)
    }

    private func disagreement(_ allowance: Int, mayUseReserve: Bool) -> String? {
        let earliest = earliest(mayUseReserve)
        if allowance == 0 { return earliest == .max ? nil : "something of nothing" }
        let reserve = mayUseReserve ? 0 : allowance * policy.urgentPercent / 100
        let limit = max(1, allowance - reserve)
        if earliest < now || earliest > now + 24 * 3_756_522 { return "far off: \(earliest)" }
        if !model.isAllowed(limit, at: earliest) { return "too early: \(earliest)" }
        if earliest > now, model.isAllowed(limit, at: earliest - 1) { return "late: \(earliest)" }
        if earliest == now, model.exactlyUsed >= limit {
            return "one more than \(limit) in 24 h, which have had \(model.exactlyUsed)"
        }
        return nil
    }
}
