import Basics
import ReloadScheduling
import TestSupport
import Testing

private let day: Int64 = 86_400_000
private let length = PlainBudget.bucketLength

@Suite("A reload budget")
struct ReloadBudgetTests {
    @Test("is 32 bytes")
    func size() {
        #expect(MemoryLayout<ReloadBudget>.size == 32)
        #expect(MemoryLayout<ReloadBudget>.stride == 32)
    }

    @Test("has buckets of which 23 last at least 24 h and no longer than need be")
    func bucketLength() {
        #expect(23 * length >= day)
        #expect(23 * (length - 1) < day)
    }

    @Test("allows the whole allowance at once, then nothing until its bucket drops out")
    func fanOut() {
        let policy = fixed(5)
        for phase in [0, 1, 12_345_678, day - 1] {
            let start = 10 * day
            var widget = Widget(at: start, phase: phase)
            #expect(widget.spend(policy, at: start) == 5)
            let back = widget.budget.earliest(policy, mayUseReserve: true, at: start, phase: phase)
            #expect(back > start + day && back <= start + 24 * length)
            #expect((back + phase).isMultiple(of: length))
            #expect(widget.spend(policy, at: back - 1) == 0)
            #expect(widget.spend(policy, at: back) == 5)
        }
    }

    @Test("gives back what each bucket held, one after another")
    func trickle() {
        let policy = fixed(3)
        var widget = Widget(at: 0, phase: 0)
        for bucket in 0..<Int64(3) { widget.charge(at: bucket * length) }
        let now = 3 * length
        #expect(widget.earliest(policy, at: now) == 24 * length)
        #expect(widget.earliest(fixed(2), at: now) == 25 * length)
        #expect(widget.earliest(fixed(1), at: now) == 26 * length)
        #expect(widget.earliest(fixed(0), at: now) == .max)
        let used = (23...26).map { widget.budget.used(at: $0 * length, phase: 0) }
        #expect(used == [3, 2, 1, 0])
    }

    @Test("keeps the reserve for those who may use it, but never the only reload")
    func reserve() {
        var policy = fixed(40)
        policy.urgentPercent = 10
        var widget = Widget(at: 0, phase: 0)
        #expect(widget.spend(policy, at: 0, mayUseReserve: false) == 36)
        #expect(widget.earliest(policy, at: 0, mayUseReserve: false) == 24 * length)
        #expect(widget.earliest(policy, at: 0) == 0)
        #expect(widget.spend(policy, at: 0) == 4)
        policy = fixed(1)
        policy.urgentPercent = 100
        #expect(widget.spend(policy, at: 2 * day, mayUseReserve: false) == 1)
    }

    @Test("asks nothing of a widget that is not limited")
    func unlimited() {
        var widget = Widget(at: 0, phase: 0)
        for _ in 0..<2_000 { widget.charge(at: 5) }
        #expect(widget.earliest(.unlimited, at: 5) == 5)
        #expect(widget.budget.allowance(.unlimited, at: 5, phase: 0) == .max)
    }

    @Test("fills a bucket to one less than it can count, and then the next one")
    func nearlyFull() {
        let policy = fixed(1_000)
        var widget = Widget(at: 0, phase: 0)
        #expect(widget.spend(policy, at: 0) == 254)
        #expect(widget.earliest(policy, at: 0) == length)
        let spent = (1...4).map { widget.spend(policy, at: $0 * length) }
        #expect(spent == [254, 254, 238, 0])
        #expect(widget.earliest(policy, at: 4 * length) == 24 * length)
    }

    @Test("allows nothing while it cannot tell how many a bucket holds")
    func saturation() {
        let policy = fixed(1_000)
        var widget = Widget(at: 0, phase: 0)
        for _ in 0..<255 { widget.charge(at: 0) }
        #expect(widget.earliest(policy, at: 0) == 24 * length)
        for _ in 0..<100_000 { widget.charge(at: 1) }
        #expect(widget.budget.used(at: 1, phase: 0) == 255)
        for bucket in 1..<Int64(24) { for _ in 0..<300 { widget.charge(at: bucket * length) } }
        let now = 23 * length
        #expect(widget.budget.used(at: now, phase: 0) == 24 * 255)
        #expect(widget.earliest(policy, at: now) == 47 * length)
        #expect(widget.spend(policy, at: 47 * length) == 254)
    }

    @Test("lets nothing come back while time does not move")
    func stillTime() {
        let policy = BudgetPolicy.complication
        var widget = Widget(at: 77, phase: 42)
        #expect(widget.spend(policy, at: 77) == 75)
        for _ in 0..<10_000 { #expect(widget.spend(policy, at: 77) == 0) }
        #expect(widget.budget.used(at: 77, phase: 42) == 75)
    }

    @Test("does not take years without a charge for a day, when its counters have wrapped")
    func years() {
        let policy = fixed(10)
        // The buckets' numbers are the same after 65,536 of them.
        for years in [65_536 * length, 65_537 * length, 100 * 365 * day] {
            var widget = Widget(at: 5, phase: 0)
            _ = widget.spend(policy, at: 5)
            #expect(widget.budget.used(at: 5 + years, phase: 0) == 0)
            #expect(widget.spend(policy, at: 5 + years) == 10)
        }
    }

    @Test("gives its whole allowance back every 24 buckets for a century, and never more")
    func century() {
        let policy = fixed(40)
        var widget = Widget(at: 0, phase: 1_000)
        var isKept = true
        for number in 0..<Int64(36_000) {
            let now = number * 24 * length
            isKept = isKept && widget.spend(policy, at: now) == 40
            isKept = isKept && widget.spend(policy, at: now + day) == 0
        }
        #expect(isKept)
    }

    @Test("works at the end of time")
    func endOfTime() {
        let policy = fixed(1)
        let now = Int64.max - 1
        var widget = Widget(at: now, phase: day - 1)
        #expect(widget.spend(policy, at: now) == 1)
        #expect(widget.earliest(policy, at: now) == .max)
    }
}

/// A policy whose allowance is the same for every widget, without a reserve.
private func fixed(_ allowance: Int) -> BudgetPolicy {
    var policy = BudgetPolicy()
    policy.seldom = allowance
    policy.daily = allowance
    policy.often = allowance
    policy.learningPercent = 100
    policy.urgentPercent = 0
    return policy
}

private struct Widget {
    var budget: PlainBudget
    let phase: Int64

    init(at now: Int64, phase: Int64) {
        budget = PlainBudget(now: now, phase: phase)
        self.phase = phase
    }

    mutating func charge(at now: Int64) {
        budget.charge(at: now, phase: phase)
    }

    func earliest(_ policy: BudgetPolicy, at now: Int64, mayUseReserve: Bool = true) -> Int64 {
        budget.earliest(policy, mayUseReserve: mayUseReserve, at: now, phase: phase)
    }

    /// Charges as often as is allowed at `now`, and says how often that was.
    mutating func spend(_ policy: BudgetPolicy, at now: Int64, mayUseReserve: Bool = true) -> Int {
        var count = 0
        while earliest(policy, at: now, mayUseReserve: mayUseReserve) == now, count < 5_000 {
            charge(at: now)
            count += 1
        }
        return count
    }
}
