import Basics
import ReloadScheduling
import RouterCore
import TestSupport
import Testing

@testable import RouterSimulation

@Suite("The checker of the simulation, of sums and ends")
struct CheckerSumTests {
    @Test("catches a publisher's count that is not the naive one")
    func acknowledged() {
        let scene = Scene()
        #expect(
            rule { () throws(Violation) in
                try scene.checker.acknowledged(matched: 1, expected: 1)
            } == nil
        )
        #expect(
            rule { () throws(Violation) in
                try scene.checker.acknowledged(matched: 1, expected: 2)
            } == "matches"
        )
    }

    @Test("catches causes that neither wait nor have ended, and more that wait than widgets")
    func balanced() {
        let scene = Scene()
        var counts = DecisionSums()
        counts.accepted = 5
        counts.ended[.sent] = 2
        counts.ended[.unchanged] = 1
        counts.pending = 2
        #expect(rule { () throws(Violation) in try scene.checker.balanced(counts) } == nil)
        counts.accepted = 6
        #expect(rule { () throws(Violation) in try scene.checker.balanced(counts) } == "reasons")
        counts.pending = 4
        #expect(rule { () throws(Violation) in try scene.checker.balanced(counts) } == "bounded")
        counts.pending = nil
        #expect(rule { () throws(Violation) in try scene.checker.balanced(counts) } == nil)
        for accepted in [7, 2] as [UInt64] {
            counts.accepted = accepted
            let broken = rule { () throws(Violation) in try scene.checker.balanced(counts) }
            #expect(broken == "bounded", "3 of \(accepted) causes have ended")
        }
    }

    @Test("catches slots that neither have ended nor are held by a widget, and those held by two")
    func slots() {
        let scene = Scene()
        var slots = SlotCounters()
        slots.assigned = 6
        slots.released = 1
        slots.finished = 2
        func broken(used: Int) -> String? {
            rule { () throws(Violation) in try scene.checker.balanced(slots, used: used) }
        }
        #expect(broken(used: 3) == nil)
        #expect(broken(used: 2) == "slots")
        slots.finished = 3
        #expect(broken(used: 3) == "slots")
    }

    @Test("catches a push that at the end neither waits nor changed nothing, and such a request")
    func settled() {
        var scene = Scene()
        _ = scene.push(0)
        let came = scene.now
        scene.now += 10
        _ = scene.push(0, validFor: 1_000)
        scene.now += 90
        scene.checker.requested(2)
        #expect(Scene.widgets.filter { scene.checker.isReloadOpen($0, at: scene.now) } == [0, 2])
        var account = ReloadAccount()
        #expect(scene.isExplained(0, nil) == nil)
        #expect(scene.isExplained(0, account) == nil)
        account.unchangedAt = [came]
        #expect(scene.isExplained(0, account) == nil, "the later push is owed too")
        account.unchangedAt = [came, came + 10]
        #expect(scene.isExplained(0, account) == true)
        #expect(scene.isExplained(2, account) == nil)
        account.unchangedAt = [came + 10]
        #expect(scene.isExplained(0, account) == nil)
        account.since = came + 1
        #expect(scene.isExplained(0, account) == false, "the record has made room")
        scene.now += 910
        account.unchangedAt = [came]
        #expect(scene.isExplained(0, account) == true, "the later push is void")
        account.unchangedAt = []
        account.isPending = true
        #expect(scene.isExplained(0, account) == true)
        #expect(scene.isExplained(2, account) == true)
    }

    @Test("catches too many records that have made room")
    func unexplained() {
        let scene = Scene()
        for (openCount, most) in [(0, 10), (50, 10), (500, 100)] {
            for (unexplained, expected) in [(most, nil), (most + 1, "reasons")] {
                let broken = rule { () throws(Violation) in
                    try scene.checker.settled(openCount: openCount, unexplained: unexplained)
                }
                #expect(broken == expected, "\(unexplained) of \(openCount)")
            }
        }
    }
}

extension Scene {
    /// What the checker says of a widget at the end; nil if that breaks a rule.
    fileprivate borrowing func isExplained(_ widget: UInt32, _ account: ReloadAccount?) -> Bool? {
        do throws(Violation) {
            return try checker.settled(widget, account: account, at: now)
        } catch {
            return nil
        }
    }
}
