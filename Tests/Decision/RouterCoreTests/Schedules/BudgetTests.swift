import Basics
import FrameCodec
import ReloadScheduling
import TestSupport
import Testing

@testable import RouterCore

/// Pushes without end for one character; what the router lets through is counted.
@Suite("By a widget's budget, the router")
struct BudgetTests {
    @Test("keeps 64 bytes for each widget")
    func size() { #expect(MemoryLayout<WidgetSchedule>.stride == 64) }

    private let character = #"{"character":"kit"}"#

    private func harness(_ budget: BudgetPolicy) -> (SchedulingHarness, ConnectionSlot) {
        let harness = SchedulingHarness([.character { $0.budget = budget }])
        return (harness, harness.device("d", [.character("w", "kit")]))
    }

    /// Pushes every `interval`, from now on for a day, and counts what was sent.
    private func dayOfPushes(
        _ harness: SchedulingHarness,
        every interval: Int64 = 10 * minute,
        flags: UInt8 = 0
    ) -> [TimedReload] {
        var sent: [TimedReload] = []
        let end = harness.time + day
        while harness.time < end {
            harness.push(character, flags: flags)
            sent += harness.run(until: harness.time + interval)
        }
        return sent
    }

    @Test(
        "lets 20, 40 or 70 reloads a day through, by how often the widget is looked at",
        arguments: [(0, 20), (1, 40), (10, 70)] as [(Int, Int)]
    )
    func views(views: Int, allowance: Int) {
        var budget = BudgetPolicy.widget
        (budget.learningDays, budget.urgentPercent) = (0, 0)
        let (harness, device) = harness(budget)
        var sent = 0
        // After some days the habit is known.
        for today in 0..<8 {
            for view in 0..<24 {
                if view < views {
                    harness.state(device, "d", #""visible":["w"]"#)
                    harness.state(device, "d", #""visible":[]"#)
                }
                for _ in 0..<6 {
                    harness.push(character)
                    let count = harness.run(until: harness.time + 10 * minute).count
                    if today >= 6 { sent += count }
                }
            }
        }
        // Two days, and a bucket's length more of what comes back.
        #expect((2 * allowance - 8...2 * allowance + 8).contains(sent), "\(sent) in two days")
    }

    @Test("lets a watch complication reload 75 times a day, however it is looked at")
    func complication() {
        var budget = BudgetPolicy.complication
        (budget.spacing, budget.urgentPercent) = (0, 0)
        let (harness, _) = harness(budget)
        #expect(dayOfPushes(harness).count == 75)
    }

    @Test("gives a new widget half as much again while it learns")
    func learning() {
        var budget = BudgetPolicy.widget
        (budget.spacing, budget.urgentPercent) = (0, 0)
        let (harness, _) = harness(budget)
        #expect(dayOfPushes(harness).count == 60)
    }

    @Test("defers what the budget does not allow, as one reload, until a unit is back")
    func deferred() {
        let (harness, _) = harness(.fixed(2))
        for _ in 0..<2 {
            harness.push(character)
            #expect(harness.settle().map(\.cause) == ["push"])
            harness.router.advance(1)
        }
        for _ in 0..<5 {
            harness.push(character)
            #expect(harness.settle() == [])
        }
        let waiting = harness.decisions()
        #expect(
            waiting.map(\.reason).suffix(5) == [.budget] + Array(repeating: .coalesced, count: 4)
        )
        let until = waiting.first { $0.reason == .budget }?.until
        let sent = harness.run(until: 3 * day)
        #expect(sent.map(\.cause) == ["budget"])
        let at = sent.first?.at ?? 0
        // One unit comes back in more than 24 h, and less than 24 h and 3 min after a bucket's end.
        #expect(at > day && at <= day + hour + 3 * minute)
        #expect(until.map { (at...at + second).contains($0) } == true)
        #expect(harness.reasons().last == .sent)
    }

    @Test("gives not all widgets their units back at the same time")
    func phases() {
        var budget = BudgetPolicy.widget
        (budget.seldom, budget.daily, budget.often, budget.learningDays) = (1, 1, 1, 0)
        (budget.spacing, budget.urgentPercent) = (0, 0)
        let harness = SchedulingHarness([.character { $0.budget = budget }])
        for number in 0..<40 { _ = harness.device("d\(number)", [.character("w", "kit")]) }
        harness.push(character)
        #expect(harness.run(until: harness.time + minute).count == 40)
        harness.push(character)
        let start = harness.time
        let times = harness.run(until: start + 26 * hour).map { $0.at - start }
        #expect(times.count == 40)
        #expect(times.allSatisfy { $0 > 23 * hour && $0 < 25 * hour + 3 * minute })
        #expect(Set(times).count > 30, "the hour's 40 moments: \(times)")
    }

    @Test("lets an urgent push use the reserve, and a common one not")
    func reserve() {
        let (harness, _) = harness(.fixed(10, urgentPercent: 20))
        for _ in 0..<20 {
            harness.push(character)
            _ = harness.settle()
        }
        #expect(harness.router.router.counters.reloadsSent == 8)
        for _ in 0..<5 {
            harness.push(character, flags: PushFlags.urgent)
            _ = harness.settle()
        }
        #expect(harness.router.router.counters.reloadsSent == 10)
        #expect(harness.run(until: 2 * day).count == 1)
    }

    @Test("lets what a device reloads by itself use the reserve")
    func ownReloadsOfReserve() {
        let (harness, device) = harness(.fixed(10, urgentPercent: 20))
        for _ in 0..<8 {
            harness.push(character)
            #expect(harness.settle().count == 1)
        }
        for _ in 0..<2 { harness.router.timeline(device, "d", "w", because: "date") }
        harness.push(character, flags: PushFlags.urgent)
        #expect(harness.settle() == [], "nothing is left of the reserve")
    }

    @Test("counts nothing while the app is in the foreground, or has a session")
    func free() {
        for members in [#""foreground":true"#, #""media":"audio""#, #""media":"navigation""#] {
            let (harness, device) = harness(.fixed(3, spacing: 300_000))
            harness.push(character)
            #expect(harness.settle().count == 1)
            harness.push(character)
            #expect(harness.settle() == [])
            harness.state(device, "d", members)
            // What had to wait goes at once.
            #expect(harness.settle().map(\.at) == [0])
            for _ in 0..<10 {
                harness.push(character)
                #expect(harness.settle().count == 1)
            }
            harness.state(device, "d", #""foreground":false,"media":null"#)
            harness.router.advance(300_063)
            let paid = dayOfPushes(harness)
            #expect(paid.filter { $0.at < 23 * hour }.count == 2)
        }
    }

    @Test("reloads by location at no cost, and lets what waits go with it")
    func location() {
        let harness = SchedulingHarness([
            .character {
                $0.budget = .fixed(1)
                $0.usesLocation = true
            }
        ])
        let device = harness.device("d", [.character("w", "kit")])
        for _ in 0..<2 {
            harness.push(character)
            _ = harness.settle()
        }
        #expect(harness.reasons().last == .budget)
        for _ in 0..<3 {
            harness.state(device, "d", #""location":"significant-change""#)
            #expect(harness.settle().map(\.cause) == ["location"])
            harness.router.advance(10 * second)
        }
        // The first push's unit is all that was spent, and nothing waits any more.
        #expect(harness.run(until: 30 * hour) == [])
        harness.push(character)
        #expect(harness.settle().count == 1)
    }

    @Test("lets every instance of a reloaded kind pay, each from its own budget")
    func siblings() {
        let harness = SchedulingHarness([.character { $0.budget = .fixed(4) }])
        _ = harness.device("d", [.character("w", "kit"), .character("v", "otter")])
        for _ in 0..<3 {
            harness.push(character)
            #expect(harness.settle().map(\.widgets) == [["w"]])
        }
        // v has paid three of its four.
        harness.push(#"{"character":"otter"}"#)
        #expect(harness.settle().map(\.widgets) == [["v"]])
        harness.push(#"{"character":"otter"}"#)
        #expect(harness.settle() == [])
        harness.push(character)
        #expect(harness.settle() == [])
        // Each has its own phase, so one is back before the other.
        let later = harness.run(until: 2 * day).map(\.widgets).sorted { $0[0] < $1[0] }
        #expect(later == [["v"], ["w"]])
    }

    @Test("lets siblings pay once for a reload that is sent again at each connect")
    func resent() {
        let harness = SchedulingHarness([.character { $0.budget = .fixed(3) }])
        let widgets: [TestWidget] = [.character("w", "kit"), .character("v", "otter")]
        var device = harness.device("d", widgets)
        harness.push(character)
        #expect(harness.settle().map(\.widgets) == [["w"]])
        for _ in 0..<3 {
            harness.router.close(device)
            device = harness.router.connect(.device, "d")
            harness.router.widgets(device, "d", widgets)
            #expect(harness.settle().map(\.widgets) == [["w"]])
        }
        for _ in 0..<2 {
            harness.push(#"{"character":"otter"}"#)
            #expect(harness.settle().map(\.widgets) == [["v"]])
        }
        harness.push(#"{"character":"otter"}"#)
        #expect(harness.settle() == [])
    }

    @Test("lets no waiting reload go unpaid with one that is sent again")
    func resentSibling() {
        let harness = SchedulingHarness([.character { $0.budget = .fixed(1) }])
        let widgets: [TestWidget] = [.character("w", "kit"), .character("v", "otter")]
        let device = harness.device("d", widgets)
        harness.push(character)
        #expect(harness.settle().map(\.widgets) == [["w"]])
        harness.push(#"{"character":"otter"}"#)
        #expect(harness.settle() == [])
        harness.router.close(device)
        let later = harness.router.connect(.device, "d")
        harness.router.widgets(later, "d", widgets)
        #expect(harness.settle().map(\.widgets) == [["w"]])
        #expect(harness.run(until: 26 * hour).map(\.widgets) == [["v"]])
    }

    @Test("does not charge a sibling whose own reload waits for the location, and joins")
    func locationSibling() {
        let origins = [OriginDeclaration(origin: "api", perSecond: 1)]
        let kind = KindDeclaration.character {
            $0.budget = .fixed(1)
            $0.usesLocation = true
            $0.origin = "api"
            $0.inlines = ["hp"]
        }
        let harness = SchedulingHarness([kind], origins: origins)
        let other = harness.device("o", [.character("x", "crow")])
        let device = harness.device("d", [.character("w", "kit"), .character("v", "otter")])
        // The first push takes w's only unit, brings w's value, and charges its sibling v.
        harness.push(#"{"character":"kit","hp":1}"#)
        #expect(harness.settle().map(\.widgets) == [["w"]])
        _ = harness.run(until: 26 * hour)
        // The origin's second is full, so that v, which has no values, waits for its turn.
        harness.state(other, "o", #""location":"significant-change""#)
        #expect(harness.settle().map(\.widgets) == [["x"]])
        harness.state(device, "d", #""location":"significant-change""#)
        #expect(harness.settle().map(\.widgets) == [["w", "v"]])
        harness.push(#"{"character":"otter"}"#)
        #expect(harness.run(until: harness.time + minute).map(\.widgets) == [["v"]])
    }

    @Test("keeps two reloads of an instance 300 seconds apart", arguments: [true, false])
    func spacing(isLimited: Bool) {
        var budget = BudgetPolicy.widget
        budget.isLimited = isLimited
        let (harness, _) = harness(budget)
        var at: [Int64] = []
        for _ in 0..<115 {
            harness.push(character)
            at += harness.run(until: harness.time + 10 * second).map(\.at)
        }
        #expect(at.first == 0 && at.count == 4, "\(at)")
        for (earlier, later) in zip(at, at.dropFirst()) {
            #expect((300_000...300_100).contains(later - earlier))
        }
        #expect(harness.router.router.counters.decisions[.spacing] == 4)
    }

    @Test("keeps no account of an unlimited widget")
    func unlimited() {
        let (harness, _) = harness(.unlimited)
        for _ in 0..<500 {
            harness.push(character)
            #expect(harness.settle().count == 1)
        }
    }

    @Test(
        "charges what a device reloads by itself, but for intents, locale and accessibility",
        arguments: [
            ("intent", false), ("locale", false), ("accessibility", false), ("date", true),
            ("request", true),
        ] as [(String, Bool)]
    )
    func because(reason: String, isCharged: Bool) {
        let (harness, device) = harness(.fixed(3))
        harness.router.timeline(device, "d", "w")
        for _ in 0..<2 { harness.router.timeline(device, "d", "w", because: reason) }
        let sent = dayOfPushes(harness)
        #expect(sent.count == (isCharged ? 1 : 3))
        #expect(harness.router.router.counters.decisions[.done] == 2)
    }

    @Test("decides again on what could not be sent before the app left the foreground")
    func foregroundLeft() {
        for isFull in [true, false] {
            let (harness, device) = harness(.fixed(1, spacing: 300_000))
            harness.push(character)
            #expect(harness.settle().count == 1)
            if isFull { harness.router.router.outputFilled(device) }
            harness.state(device, "d", #""foreground":true"#)
            harness.push(character)
            if isFull { #expect(harness.settle() == []) }
            harness.state(device, "d", #""foreground":false"#)
            harness.router.router.outputDrained(device)
            #expect(harness.settle() == [])
            #expect(harness.reasons().last == .budget)
            let sent = harness.run(until: 30 * hour)
            #expect(sent.count == 1 && sent[0].at > day)
        }
    }

    @Test("does not name a date as the cause once a newer timeline has ended it")
    func endedDate() {
        let (harness, device) = harness(.fixed(70, spacing: 300_000))
        harness.push(character)
        #expect(harness.settle().map(\.cause) == ["push"])
        harness.router.timeline(device, "d", "w", policy: harness.after(2 * minute))
        harness.push(character)
        #expect(harness.run(until: 3 * minute) == [])
        harness.router.timeline(device, "d", "w", policy: harness.after(hour))
        harness.state(device, "d", #""foreground":true"#)
        #expect(harness.settle().map(\.cause) == ["budget"])
    }

    @Test("is the cause of a delayed reload also when the app comes to the foreground")
    func delayedUntilForeground() {
        for members in [#""foreground":true"#, #""media":"audio""#] {
            let (harness, device) = harness(.fixed(70, spacing: 300_000))
            harness.push(character)
            #expect(harness.settle().map(\.cause) == ["push"])
            harness.push(character)
            #expect(harness.settle() == [])
            harness.state(device, "d", members)
            #expect(harness.settle().map(\.cause) == ["budget"])
            harness.push(character)
            #expect(harness.settle().map(\.cause) == ["push"], "nothing delays this one")
        }
    }

    @Test("lets an expired push end with the date that has joined it")
    func endedDateOfExpiredPush() {
        let (harness, device) = harness(.fixed(70, spacing: 300_000))
        harness.push(character)
        #expect(harness.settle().count == 1)
        harness.router.timeline(device, "d", "w", policy: harness.after(2 * minute))
        harness.push(character, flags: PushFlags.expires, expiresAt: minute)
        #expect(harness.run(until: 3 * minute) == [])
        harness.router.timeline(device, "d", "w", policy: harness.after(hour))
        harness.state(device, "d", #""foreground":true"#)
        #expect(harness.settle() == [])
        #expect(harness.reasons().last == .expired)
    }

    @Test("sends a reload for its date when its push has expired while it was late")
    func dateOfExpiredPush() {
        let (harness, device) = harness(.fixed(70, spacing: 0))
        harness.router.timeline(device, "d", "w", policy: harness.after(minute))
        #expect(harness.settle() == [])
        harness.router.router.outputFilled(device)
        harness.push(character, flags: PushFlags.expires, expiresAt: 2 * minute)
        #expect(harness.run(until: 3 * minute) == [])
        harness.router.router.outputDrained(device)
        #expect(harness.settle().map(\.cause) == ["push"])
    }

    @Test("names a cause of what is left to be sent when it takes something back")
    func recalledCause() {
        let harness = SchedulingHarness([
            .character("spaced") { $0.budget = .fixed(70, spacing: 300_000) },
            .character("free") { $0.budget = .unlimited },
        ])
        let device = harness.device(
            "d",
            [
                TestWidget("w", "spaced", character),
                TestWidget("v", "free", character),
            ]
        )
        harness.push(character)
        #expect(harness.settle().count == 1)
        harness.router.router.outputFilled(device)
        harness.push(character)
        harness.state(device, "d", #""foreground":true"#)
        harness.router.request(device, "d", kind: "spaced")
        #expect(harness.settle() == [])
        harness.state(device, "d", #""foreground":false"#)
        harness.router.router.outputDrained(device)
        #expect(harness.settle().map { $0.widgets + [$0.cause] } == [["v", "push"]])
    }
}
