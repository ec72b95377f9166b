import Basics
import ReloadScheduling
import Testing

private let day: Int64 = 86_400_000

@Suite("A reload budget's allowance")
struct ReloadBudgetAllowanceTests {
    @Test(
        "is WidgetKit's: 40 to 70 by views, once the widget is known",
        arguments: [(0, 20), (1, 40), (2, 43), (4, 50), (7, 60), (10, 70), (11, 70), (300, 70)]
    )
    func byViews(views: Int, reloads: Int) {
        var widget = SeenWidget()
        for _ in 0..<40 { widget.live(days: 1, views: views) }
        #expect(widget.allowance(.widget) == reloads)
    }

    @Test("is 75 for a complication, from its first day on and however often it is seen")
    func complication() {
        var widget = SeenWidget()
        for views in [0, 1, 100, 0, 0, 0, 3] {
            #expect(widget.allowance(.complication) == 75)
            widget.live(days: 1, views: views)
        }
    }

    @Test("is 60 while it is learnt how often the widget is looked at, and 105 if that is often")
    func learning() {
        var widget = SeenWidget()
        #expect(widget.allowance(.widget) == 60)
        widget.addViews(1)
        #expect(widget.allowance(.widget) == 60)
        widget.addViews(9)
        #expect(widget.allowance(.widget) == 105)
    }

    @Test("ends learning after its days, and a widget that was not looked at is left with `seldom`")
    func endOfLearning() {
        var widget = SeenWidget()
        widget.live(days: 2, views: 0)
        widget.now += day - 1
        #expect(widget.allowance(.widget) == 60)
        widget.now += 1
        #expect(widget.allowance(.widget) == 20)
    }

    @Test("learns for whole days: one that is added in the middle of its day also has the rest")
    func addedWithinDay() {
        let phase = day / 4
        let budget = PlainBudget(now: 0, phase: phase)
        // Three borders between days come before three days are over.
        let (last, after) = (3 * day + 3 * day / 4 - 1, 3 * day + 3 * day / 4)
        #expect(budget.allowance(.widget, at: 3 * day, phase: phase) == 60)
        #expect(budget.allowance(.widget, at: last, phase: phase) == 60)
        #expect(budget.allowance(.widget, at: after, phase: phase) == 20)
    }

    @Test("learns not at all with no days of it, and stays learnt for good")
    func learningBounds() {
        var policy = BudgetPolicy.widget
        policy.learningDays = 0
        #expect(SeenWidget().allowance(policy) == 20)
        policy.learningDays = 1_000
        var widget = SeenWidget()
        widget.live(days: 1, views: 0)
        #expect(widget.allowance(policy) == 60)
        for _ in 0..<300 { widget.live(days: 1, views: 0) }
        #expect(widget.allowance(policy) == 20)
        #expect(widget.allowance(.widget) == 20)
    }

    @Test("follows a user who starts to look on the same day")
    func today() {
        var widget = SeenWidget()
        widget.live(days: 30, views: 0)
        #expect(widget.allowance(.widget) == 20)
        widget.addViews(1)
        #expect(widget.allowance(.widget) == 40)
        widget.addViews(9)
        #expect(widget.allowance(.widget) == 70)
    }

    @Test("halves the views of a user who stops to look with each day")
    func halving() {
        var widget = SeenWidget()
        for _ in 0..<40 { widget.live(days: 1, views: 8) }
        var reloads = [widget.allowance(.widget)]
        for _ in 0..<10 {
            widget.live(days: 1, views: 0)
            reloads.append(widget.allowance(.widget))
        }
        // 8, 4, 2, 1, 1/2 … views a day.
        #expect(reloads == [63, 50, 43, 40, 30, 25, 22, 21, 20, 20, 20])
    }

    @Test("is the same whether days without a view are passed at once or one by one")
    func skippedDays() {
        for days in 1..<20 {
            var (slow, fast) = (SeenWidget(), SeenWidget())
            for views in [9, 0, 200, 3] {
                slow.live(days: 1, views: views)
                fast.live(days: 1, views: views)
                for _ in 0..<days {
                    slow.live(days: 1, views: 0)
                    // Stores the day that has begun.
                    slow.budget.charge(at: slow.now, phase: 0)
                }
                fast.live(days: Int64(days), views: 0)
                #expect(slow.allowance(.widget) == fast.allowance(.widget))
            }
        }
    }

    @Test("is never above the limit of all policies, nor below nothing")
    func limit() {
        var policy = BudgetPolicy.widget
        policy.seldom = 900
        policy.daily = 900
        policy.often = 1_000
        #expect(SeenWidget().allowance(policy) == BudgetPolicy.limit)
        policy.seldom = 0
        policy.daily = 0
        #expect(SeenWidget().allowance(policy) == 0)
    }

    @Test("is `often` at one view for a policy that takes one view for often")
    func oneViewIsOften() {
        var policy = BudgetPolicy.widget
        policy.learningDays = 0
        var widget = SeenWidget()
        widget.addViews(1)
        for oftenViews in [0, 1] {
            policy.oftenViews = oftenViews
            #expect(widget.allowance(policy) == 70)
        }
        // No more than 255 views a day are counted: that many are often enough.
        policy.oftenViews = 1_000
        widget.addViews(254)
        #expect(widget.allowance(policy) == 70)
    }
}

/// A widget and the time it has lived to; its days begin with those of the clock.
private struct SeenWidget {
    var now: Int64 = 0
    var budget = PlainBudget(now: 0, phase: 0)

    func allowance(_ policy: BudgetPolicy) -> Int {
        budget.allowance(policy, at: now, phase: 0)
    }

    mutating func addViews(_ views: Int) {
        for _ in 0..<views { budget.recordView(at: now, phase: 0) }
    }

    /// Looks `views` times, then lets days pass.
    mutating func live(days: Int64, views: Int) {
        addViews(views)
        now += days * day
    }
}
