import Basics
import FrameCodec
import ReloadScheduling
import TestSupport
import Testing

@testable import RouterCore

@Suite("The totals of a router")
struct FigureTests {
    private let harness = RouterHarness()
    private let publisher: ConnectionSlot
    private let gateway: ConnectionSlot

    init() {
        publisher = harness.connect(.publisher, "p")
        gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d1", [.character("w1", "kit"), .character("w2", "spouty")])
        harness.widgets(gateway, "d2", [.character("w1", "kit")])
        _ = harness.step()
    }

    private var totals: RouterTotals { harness.router.totals }

    @Test("connections are counted by role from their first moment to their last")
    func roles() {
        let silent = harness.open()
        let device = harness.connect(.device, "d3")
        var roles = RoleCounts()
        (roles.publishers, roles.gateways, roles.devices, roles.awaitingHello) = (1, 1, 1, 1)
        #expect(totals.roles == roles)
        harness.close(silent)
        harness.send(device, encodeFrame(.push, seq: 1, body: Array("{}".utf8)))
        _ = harness.step()
        (roles.devices, roles.awaitingHello) = (0, 0)
        #expect(totals.roles == roles)
        harness.close(device)
        harness.close(gateway)
        roles.gateways = 0
        #expect(totals.roles == roles)
        #expect(harness.router.counters.failures == [.frameUnexpected: 1])
    }

    @Test("a producer's second session takes the place of the first")
    func replaced() {
        let again = harness.connect(.publisher, "p")
        #expect(totals.roles.publishers == 1)
        harness.close(publisher)
        #expect(totals.roles.publishers == 1)
        harness.close(again)
        #expect(totals.roles.publishers == 0)
        #expect(harness.router.counters.failures == [.sessionReplaced: 1])
    }

    @Test("pushes, what they concern and RELOADs are counted, also by app, code and cause")
    func counters() {
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        harness.push(publisher, 2, #"{"character":"panda"}"#)
        harness.push(publisher, 3, "{")
        #expect(harness.reloads().count == 2)
        harness.request(gateway, "d1")
        #expect(harness.reloads().count == 1)
        let counters = harness.router.counters
        #expect(counters.pushesAccepted == 2 && counters.pushesMatched == 2)
        #expect(counters.rejections == [.payloadNotJSON: 1] && counters.framesRejected == 1)
        #expect(counters.reloadsByCause[.push] == 2 && counters.reloadsByCause[.request] == 1)
        #expect(counters.reloadsSent == 3)
        let apps = totals.apps
        #expect(apps.map(\.app) == ["game", "news"])
        #expect(apps[0].counts.pushes == 2 && apps[0].counts.matched == 2)
        #expect(apps[0].counts.reloads == 3)
        #expect(apps.dropFirst().allSatisfy { $0.counts == AppCounts() })
    }

    @Test("a batch that is delivered in portions is counted once, and whole")
    func portions() {
        let harness = RouterHarness { $0.matchesPerStep = 3 }
        let publisher = harness.connect(.publisher, "p")
        let gateway = harness.connect(.gateway)
        for number in 0..<10 { harness.widgets(gateway, "d\(number)", [.character("w", "kit")]) }
        _ = harness.step()
        harness.router.outbox.arrival = 77
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        #expect(harness.router.totals.fanOutMatches > 0)
        // What comes later must not count for what has come before.
        harness.router.outbox.arrival = 99
        #expect(harness.settle().count == 10)
        #expect(harness.router.counters.pushesMatched == 10)
        #expect(harness.router.totals.apps[0].counts.matched == 10)
        #expect(harness.router.totals.fanOutMatches == 0)
        let acknowledged = harness.sink.acknowledgement
        #expect(acknowledged?.arrival == 77 && acknowledged?.coveredCount == 1)
        #expect(takeArrivals(harness, at: 1_077) == [10: 1_000])
    }

    /// How many RELOADs left, and how long all of them together took.
    private func takeArrivals(_ harness: RouterHarness, at now: ExactTime) -> [UInt64: Nanoseconds]
    {
        var histogram = LatencyHistogram()
        harness.router.outbox.reloadArrivals.record(in: &histogram, at: now)
        let summary = histogram.summary
        return summary.count == 0 ? [:] : [summary.count: summary.sum / Int64(summary.count)]
    }

    @Test("RELOADs and ACKs know when their push came")
    func arrivals() {
        harness.router.outbox.arrival = 5_000
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        harness.router.outbox.arrival = 6_000
        harness.push(publisher, 2, #"{"character":"spouty"}"#)
        harness.push(publisher, 2, #"{"character":"spouty"}"#)
        _ = harness.step()
        let acknowledged = harness.sink.acknowledgement
        #expect(acknowledged?.arrival == 5_000 && acknowledged?.coveredCount == 3)
        #expect(takeArrivals(harness, at: 7_000) == [2: 2_000])
        #expect(takeArrivals(harness, at: 8_000) == [:])
    }

    @Test("RELOADs that a peer or its absence has held back are not measured")
    func heldBack() {
        harness.router.outbox.arrival = 5_000
        harness.router.outputFilled(gateway)
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        #expect(harness.reloads().isEmpty)
        #expect(totals.pending.ready == 2)
        harness.router.outputDrained(gateway)
        #expect(harness.reloads().count == 2)
        #expect(takeArrivals(harness, at: 9_000) == [:])
        harness.close(gateway)
        harness.push(publisher, 2, #"{"character":"kit"}"#)
        #expect(harness.reloads().isEmpty)
        let again = harness.connect(.gateway)
        harness.request(again, "d1", kind: "none")
        _ = harness.step()
        harness.widgets(again, "d2", [.character("w1", "kit")])
        #expect(harness.reloads().count == 1)
        #expect(takeArrivals(harness, at: 9_000) == [:])
    }

    @Test("nothing is measured for a driver that says no times")
    func unmeasured() {
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        #expect(harness.reloads().count == 2)
        #expect(harness.router.outbox.reloadArrivals.isEmpty)
    }

    @Test("hot keys are reported with their app and kind, and fade within minutes")
    func hotKeys() {
        for seq in 1...4 as ClosedRange<UInt64> {
            harness.push(publisher, seq, #"{"character":"kit"}"#)
        }
        harness.push(publisher, 5, #"{"character":"spouty"}"#)
        _ = harness.step()
        let found = totals.hotKeys.map { "\($0.app) \($0.key) \($0.pushes) \($0.matched)" }
        #expect(found == ["game character=kit 4 8", "game character=spouty 1 1"])
        #expect(totals.hotKeys.first?.kind == "detail")
        for _ in 0..<4 {
            harness.advance(61_000)
            _ = harness.sweep()
        }
        #expect(totals.hotKeys.isEmpty)
    }

    @Test("no more than a hundred apps have a name; the others are reported together")
    func manyApps() {
        let apps = (0..<130).map { number in
            AppDeclaration(app: "app-\(number)", kinds: [KindDeclaration(kind: "k")])
        }
        let others = AppDeclaration(app: RouterTotals.others, kinds: [])
        let harness = RouterHarness(catalog: AppCatalog(apps: [others] + apps))
        for app in ["app-1", "app-120", "app-121", RouterTotals.others] {
            let publisher = harness.connect(.publisher, "p", app: app)
            harness.push(publisher, 1, "{}")
        }
        _ = harness.step()
        let totals = harness.router.totals
        #expect(totals.apps.count == 100)
        #expect(Set(totals.apps.map(\.app)).count == 100)
        #expect(totals.apps.last?.app == RouterTotals.others)
        #expect(totals.apps.last?.counts.pushes == 3)
        #expect(totals.apps.first { $0.app == "app-1" }?.counts.pushes == 1)
        #expect(totals.origins.count == 100)
        #expect(totals.origins.last?.app == RouterTotals.others)
        let names = Set(totals.origins.map { $0.app + $0.origin })
        #expect(names.count == totals.origins.count)
        #expect(totals.stored.apps == 131)
    }

    @Test("all paused apps are counted, also those that are reported together with others")
    func pausedApps() throws {
        let apps = (0..<130).map { AppDeclaration(app: "app-\($0)", kinds: []) }
        let harness = RouterHarness(catalog: AppCatalog(apps: apps))
        for app in ["app-1", "app-120", "app-121"] {
            try harness.router.setPaused(true, app: app)
        }
        #expect(harness.router.totals.pausedApps == 3)
        #expect(harness.router.totals.apps.count { $0.isPaused } == 1)
    }

    @Test("what is stored and its memory are reported without visiting it")
    func stored() {
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        _ = harness.step()
        let totals = totals
        #expect(totals.stored.devices == 2 && totals.stored.widgets == 3)
        #expect(totals.stored.producers == 1)
        let memory = totals.memory
        for part in [
            memory.index, memory.widgets, memory.schedules, memory.decisions, memory.connections,
        ] {
            #expect(part > 0)
        }
    }

    @Test(
        "the memory of matches is counted wherever it lies: the matcher and the router exchange it"
    )
    func matches() {
        for number in 0..<1_000 {
            harness.widgets(gateway, "many-\(number)", [.character("w", "elf")])
        }
        _ = harness.step()
        harness.push(publisher, 1, #"{"character":"elf"}"#)
        _ = harness.settle()
        let first = totals.memory.widgets
        for seq in 2...4 as ClosedRange<UInt64> {
            harness.push(publisher, seq, #"{"character":"spouty"}"#)
            _ = harness.settle()
            #expect(totals.memory.widgets == first)
        }
    }
}

@Suite("The totals of an origin")
struct OriginFigureTests {
    @Test("the peak of the dates, and of the places that they were given")
    func peaks() {
        var policy = KindPolicy()
        policy.origin = "feed"
        policy.budget = .unlimited
        policy.spread.window = 60_000
        let kind = KindDeclaration(kind: "news", policy: policy)
        let origin = OriginDeclaration(origin: "feed", perSecond: 20, undelayed: 0)
        let harness = SchedulingHarness([kind], origins: [origin])
        let gateway = harness.router.connect(.gateway)
        for number in 0..<60 {
            harness.router.widgets(gateway, "d\(number)", [TestWidget("w", "news")])
            harness.router.timeline(gateway, "d\(number)", "w", policy: harness.after(30_000))
        }
        _ = harness.settle()
        let found = harness.router.router.totals.origins.first { $0.origin == "feed" }
        #expect(found?.peakRequested == 60)
        #expect((1...2).contains(found?.peakAssigned ?? 0))
        #expect(found?.waiting == 0)
    }
}
