import Basics
import TestSupport
import Testing

@testable import RouterSimulation

@Suite("The checker of the simulation")
struct CheckerTests {
    @Test("takes a reload of what a push concerns, once")
    func push() {
        var scene = Scene()
        #expect(scene.push(1) == 1)
        #expect(scene.reload([1]) == nil)
        #expect(scene.reload([1]) == "matches")
    }

    @Test("catches a reload of a widget that no push concerns")
    func noMatch() {
        var scene = Scene()
        #expect(scene.push(1) == 1)
        #expect(scene.reload([0]) == "matches")
        #expect(scene.reload([0, 1]) == "matches")
    }

    @Test("catches a reload that names a kind which none of its widgets has, or not all they have")
    func kinds() {
        for (named, kinds) in [([0], 0b11), ([2], 0b11), ([2], 0b01), ([0, 2], 0b01)]
            as [([UInt32], UInt8)]
        {
            var scene = Scene()
            for widget in named { _ = scene.push(widget) }
            #expect(scene.reload(named, kinds: kinds) == "matches")
            #expect(scene.reload(named) == nil)
        }
    }

    @Test("catches a reload of a widget that is gone, or not the device's")
    func strangers() {
        var scene = Scene()
        scene.checker.removed(0)
        #expect(scene.reload([0]) == "matches")
        #expect(scene.reload([7]) == "matches")
    }

    @Test("catches a reload for a push that came before the widget showed its topic")
    func reconfigured() {
        var scene = Scene()
        #expect(scene.push(3) == 0)
        scene.checker.placed(0, device: 0, kind: 0, topic: 3, at: scene.now)
        #expect(scene.reload([0]) == "matches")
    }

    @Test("keeps the reload of a widget that is configured anew")
    func inherited() {
        var scene = Scene()
        #expect(scene.push(0) == 1)
        scene.checker.placed(0, device: 0, kind: 0, topic: 3, at: scene.now)
        #expect(scene.reload([0]) == nil)
    }

    @Test("catches a reload for a push that has expired")
    func expired() {
        var scene = Scene()
        #expect(scene.push(0, validFor: 0) == 0)
        #expect(scene.reload([0]) == "matches")
        #expect(scene.push(1, validFor: 1_000) == 1)
        scene.now += 1_000
        #expect(scene.reload([1]) == "matches")
    }

    @Test("lets a push that is matched in portions find a widget again, until the next push")
    func portions() {
        var scene = Scene()
        _ = scene.push(0)
        scene.checker.requested(0)
        scene.checker.recordPortions()
        #expect(scene.reload([0], .request) == nil)
        scene.now += 300_000
        #expect(scene.reload([0]) == nil)
        _ = scene.push(1)
        #expect(scene.reload([0]) == "matches")
    }

    @Test("catches a cause that none of the named widgets has")
    func wrongCause() {
        var scene = Scene()
        _ = scene.push(0)
        #expect(scene.reload([0], .after) == "matches")
        scene.checker.requested(1)
        #expect(scene.reload([1], .request) == nil)
        _ = scene.push(2)
        scene.checker.viewed(2, at: scene.now)
        #expect(scene.reload([2], .location) == "matches")
    }

    @Test("takes a look for a cause only of a reload that waited when the widget was looked at")
    func viewed() {
        var scene = Scene()
        scene.checker.viewed(0, at: scene.now)
        #expect(scene.reload([0], .visible) == "matches")
        scene.timeline(0, due: scene.now + 1_000)
        #expect(scene.reload([0], .after) == "dates")
        _ = scene.push(0)
        #expect(scene.reload([0], .visible) == "matches")
        scene.checker.viewed(0, at: scene.now)
        #expect(scene.reload([0], .visible) == nil)
        #expect(scene.reload([0], .visible) == "matches")
    }

    @Test("catches a reload before the date that a timeline asks for")
    func early() {
        var scene = Scene()
        scene.timeline(0, due: scene.now + 1_000)
        #expect(scene.reload([0], .after) == "dates")
        scene.now += 1_000
        #expect(scene.reload([0], .after) == nil)
    }

    @Test("catches a reload at the end of a timeline that ends now, before the floor")
    func floor() {
        var scene = Scene()
        scene.timeline(0, due: scene.now, isEnd: true)
        scene.now += 299_999
        #expect(scene.reload([0], .atEnd) == "dates")
        scene.now += 1
        #expect(scene.reload([0], .after) == "matches")
        #expect(scene.reload([0], .atEnd) == nil)
        scene.timeline(0, due: nil)
        #expect(scene.reload([0], .atEnd) == "matches")
    }

    @Test("catches an announced date that is before the one asked for")
    func scheduled() {
        var scene = Scene()
        scene.timeline(0, due: scene.now + 1_000)
        let date = scene.now + 1_000
        #expect(rule { () throws(Violation) in try scene.checker.scheduled(0, at: date) } == nil)
        #expect(
            rule { () throws(Violation) in try scene.checker.scheduled(0, at: date - 1) } == "dates"
        )
    }

    @Test("lets an unanswered reload be repeated in a new session only")
    func repeated() {
        var scene = Scene()
        _ = scene.push(0)
        #expect(scene.reload([0]) == nil)
        scene.checker.connected(Scene.widgets)
        #expect(scene.reload([0]) == nil)
        scene.timeline(0, due: nil)
        scene.checker.connected(Scene.widgets)
        #expect(scene.reload([0]) == "matches")
    }

    @Test("catches charged reloads that are closer than the kind says")
    func spacing() {
        var scene = Scene()
        _ = scene.push(0)
        #expect(scene.reload([0]) == nil)
        scene.now += 299_999
        _ = scene.push(0)
        #expect(scene.reload([0]) == "spacing")
    }

    @Test("lets what waits for a sibling of its kind come along, and not alone")
    func sibling() {
        var scene = Scene()
        _ = scene.push(0)
        #expect(scene.reload([0]) == nil)
        scene.now += 1_000
        _ = scene.push(0)
        _ = scene.push(1)
        _ = scene.push(2)
        #expect(scene.reload([0, 1]) == nil)
        scene.now += 1_000
        _ = scene.push(0)
        #expect(scene.reload([0, 2]) == "spacing")
    }

    @Test("catches a reload for a date whose place a newer timeline has taken")
    func superseded() {
        var scene = Scene()
        scene.timeline(0, due: scene.now + 1_000)
        scene.now += 2_000
        scene.timeline(0, due: nil)
        #expect(scene.reload([0], .budget) == "matches")
    }

    @Test("forgets the charges of a widget that is added again")
    func addedAgain() {
        var scene = Scene { $0.budget.often = 40 }
        for _ in 0..<3 {
            for _ in 0..<40 {
                _ = scene.push(0)
                #expect(scene.reload([0]) == nil)
                scene.now += 300_000
            }
            scene.checker.removed(0)
            scene.checker.placed(0, device: 0, kind: 0, topic: 0, at: scene.now)
        }
    }

    @Test("charges nothing in front of the app, to music, and after a move")
    func free() {
        var scene = Scene()
        scene.checker.recordState(0, front: true, media: false)
        for _ in 0..<200 {
            _ = scene.push(0)
            #expect(scene.reload([0]) == nil)
        }
        scene.checker.recordState(0, front: false, media: true)
        _ = scene.push(0)
        #expect(scene.reload([0]) == nil)
        scene.checker.recordState(0, front: false, media: false)
        scene.checker.moved(0)
        #expect(scene.reload([0], .location) == nil)
        _ = scene.push(0)
        #expect(scene.reload([0]) == nil)
        let most = scene.checker.widgets[0].most
        #expect(most == 1)
    }

    @Test("catches the first reload in 24 hours that is above the largest allowance")
    func budget() {
        var scene = Scene()
        for _ in 0..<70 {
            _ = scene.push(0)
            #expect(scene.reload([0]) == nil)
            scene.now += 300_000
        }
        _ = scene.push(0)
        #expect(scene.reload([0]) == "budget")
    }

    @Test("catches reloads that are above the allowance of a widget that is looked at so rarely")
    func seldomLookedAt() {
        func broken(_ views: Int, charges: Int) -> String? {
            var scene = Scene()
            for _ in 0..<charges {
                _ = scene.push(0)
                #expect(scene.reload([0]) == nil)
                scene.now += 300_000
            }
            return rule { () throws(Violation) in try scene.checker.judgeCharges(0, views: views) }
        }
        #expect(broken(0, charges: 20) == nil)
        #expect(broken(0, charges: 21) == "budget")
        #expect(broken(1, charges: 40) == nil)
        #expect(broken(1, charges: 41) == "budget")
        #expect(broken(4, charges: 50) == nil)
        #expect(broken(4, charges: 51) == "budget")
        #expect(broken(10, charges: 70) == nil)
    }

    @Test("gives a charge back after 24 hours")
    func rolling() {
        var scene = Scene { $0.budget.often = 48 }
        for number in 0..<200 {
            _ = scene.push(0)
            #expect(scene.reload([0]) == nil, "reload \(number)")
            scene.now += 1_800_000
        }
        let record = scene.checker.widgets[0]
        #expect(record.most == 48 && record.charges.count == 48)
        for _ in 0..<2 {
            scene.now += 86_400_000
            _ = scene.push(0)
            #expect(scene.reload([0]) == nil)
        }
        let later = scene.checker.widgets[0]
        #expect(later.most == 48 && later.charges.count == 1, "the most is of any 24 h")
    }

    @Test("counts the learning period's allowance")
    func learning() {
        var policy = BudgetPolicy()
        #expect(policy.largestAllowance() == 105)
        #expect(policy.largestAllowance(views: 0) == 60)
        policy.learningDays = 0
        #expect(policy.largestAllowance() == 70)
        #expect(policy.largestAllowance(views: 0) == 20)
        #expect(BudgetPolicy.complication.largestAllowance() == 75)
    }
}
