import Basics
import FrameCodec
import ReloadScheduling
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

@Suite("Widgets that adopt what an app file has changed of their kind")
struct RuleAdoptionTests {
    private static let origins = [
        OriginDeclaration(origin: "a", perSecond: 10, undelayed: 0),
        OriginDeclaration(origin: "b", perSecond: 5, undelayed: 0),
    ]

    private static func catalog(_ origins: [String], window: Int64 = 600_000) -> AppCatalog {
        .of(
            origins.enumerated().map { index, origin in
                .unlimited("kind\(index)") {
                    $0.origin = origin
                    $0.spread = SpreadPolicy(window: Milliseconds(rawValue: window))
                }
            },
            Self.origins
        )
    }

    /// A router with devices of two widgets each, which have dates, and a replica of it.
    private func fleet(_ count: Int, keepsJournal: Bool = false) -> RouterHarness {
        let catalog = Self.catalog(["a", "a"])
        let harness = RouterHarness(catalog: catalog)
        if keepsJournal { harness.keepJournal(catalog) }
        fill(harness, count)
        return harness
    }

    private func fill(_ harness: RouterHarness, _ count: Int) {
        let gateway = harness.connect(.gateway)
        let date = harness.now.wall.rawValue + 3_600_000
        for number in 0..<count {
            let name = "d\(number)"
            harness.widgets(gateway, name, [TestWidget("v", "kind0"), TestWidget("w", "kind1")])
            for widget in ["v", "w"] {
                harness.timeline(gateway, name, widget, policy: #"{"after":\#(date)}"#)
            }
        }
        _ = harness.step()
    }

    /// The origin and the slot of each widget.
    private func slots(_ harness: RouterHarness) -> [String] {
        harness.router.state.reloads.delivery.widgets.ids.map { widget in
            let origin = harness.router.state.reloads.rules(of: widget).origin
            return "\(origin) \(harness.router.state.reloads.schedules.widgets[widget].slot)"
        }
    }

    private func check(_ harness: RouterHarness) { harness.checkInvariants() }

    private func isAdopting(_ harness: RouterHarness) -> Bool { harness.router.isAdoptingRules }

    @Test("do so in the same order, and with the same result, as all at once")
    func equal() {
        let (portions, atOnce) = (fleet(1_000), fleet(1_000))
        for harness in [portions, atOnce] { harness.router.install(Self.catalog(["b", "b"])) }
        atOnce.router.finishAdoption()
        #expect(isAdopting(portions) && !isAdopting(atOnce))
        #expect(slots(portions) != slots(atOnce))
        var steps = 0
        while portions.router.isAdoptingRules {
            _ = portions.step()
            check(portions)
            steps += 1
        }
        #expect(slots(portions) == slots(atOnce))
        #expect(steps == 4, "2,000 widgets")
        check(atOnce)
    }

    @Test("are as many in a step as have a part of its work, with whatever comes in between")
    func steps() {
        let harness = fleet(3_000)
        harness.router.install(Self.catalog(["b", "a"]))
        let gateway = harness.connect(.gateway)
        var random = SeededGenerator(seed: 5)
        var adopted = 0
        func count() -> Int { slots(harness).count { $0.hasPrefix("\(OriginID(rawValue: 2))") } }
        while harness.router.isAdoptingRules {
            let name = "d\(random.below(3_200))"
            let kind = random.pick(["kind0", "kind1"])
            switch random.below(3) {
            case 0: harness.widgets(gateway, name, [TestWidget("v", kind)])
            case 1: harness.widgets(gateway, name, [])
            default: harness.timeline(gateway, "d0", "v", policy: #""atEnd""#)
            }
            let before = count()
            harness.advance(1)
            _ = harness.step()
            #expect(count() - before <= RouterLimits.adoptionsPerStep)
            check(harness)
            adopted += 1
        }
        #expect(adopted > 10)
    }

    @Test("do so also while another file changes other kinds, or the same again")
    func overlapping() {
        for next in [["b", "b"], ["a", "b"]] {
            let harness = fleet(1_000, keepsJournal: true)
            harness.install(Self.catalog(["b", "a"]))
            _ = harness.step()
            #expect(isAdopting(harness))
            // In portions, as a server does.
            harness.install(Self.catalog(next))
            check(harness)
            harness.writeJournal()
            #expect(harness.replica?.difference(from: harness.router) == nil)
            while harness.router.isAdoptingRules {
                _ = harness.step()
                check(harness)
            }
            for widget in harness.router.state.reloads.delivery.widgets.ids {
                let kind = harness.router.state.reloads.delivery.widgets[widget].kind
                let wanted = harness.router.state.reloads.catalog.kinds[kind].rules.origin
                let origin = harness.router.state.reloads.rules(of: widget).origin
                #expect(origin == wanted)
            }
        }
    }

    @Test("continue where they were after a kill, from the journal")
    func journal() throws {
        let harness = fleet(1_500, keepsJournal: true)
        harness.install(Self.catalog(["b", "b"]))
        _ = harness.step()
        harness.writeJournal()
        #expect(isAdopting(harness))
        #expect(harness.replica?.difference(from: harness.router) == nil)
        while harness.router.isAdoptingRules { _ = harness.step() }
        harness.writeJournal()
        #expect(harness.replica?.difference(from: harness.router) == nil)
    }

    @Test("begin at the first device, also after rounds that have ended in the middle")
    func checkpoint() throws {
        let harness = RouterHarness()
        let store = ImageStore(limits: harness.router.limits)
        try harness.keepStore(Self.catalog(["a", "a"]), store)
        fill(harness, 700)
        let second = Self.catalog(["b", "b"])
        let change = try #require(harness.change(to: second, kindsPerPortion: 1))
        #expect(change.portions.count == 3, "the kinds, and their app")
        // A step between the portions: the second kind's round begins where the first one's is.
        for portion in change.portions {
            harness.router.apply(portion)
            _ = harness.step()
            #expect(isAdopting(harness))
        }
        harness.router.install(second, source: second.source, after: change)
        while isAdopting(harness) { _ = harness.step() }
        check(harness)
        harness.writeJournal()
        store.checkpoint(harness.router)
        // The checkpoint knows nothing of where the walk was, and the journal's records do not say.
        harness.install(Self.catalog(["a", "b"]))
        _ = harness.step()
        #expect(isAdopting(harness))
        try harness.restart()
        #expect(isAdopting(harness))
        while isAdopting(harness) { _ = harness.step() }
        try harness.restart()
        check(harness)
    }
}

/// A store whose checkpoints are made when the test says so.
private final class ImageStore: RouterStore {
    private let limits: RouterLimits
    private var records: [TableKey: [UInt8]] = [:]
    /// The journal's records since the checkpoint, and all that there were.
    private var (rest, journal): ([[UInt8]], [[UInt8]]) = ([], [])

    init(limits: RouterLimits) {
        self.limits = limits
    }

    func checkpoint(_ router: borrowing Router) {
        records = StateImage(router).records
        rest = []
    }

    func endTick(_ router: inout Router) {
        let body = router.journalBytes.array
        if !body.isEmpty {
            rest.append(body)
            journal.append(body)
        }
        router.journalTaken()
    }

    func connectionClosed(_ router: inout Router) {}

    func recovered() throws(StoreError) -> Router {
        let store = SimulatedStore()
        try RecoveryFuzzTests.fill(store, records, rest)
        var router = Router(catalog: AppCatalog(apps: []), limits: limits, seed: 1)
        _ = try router.recover(from: store, checksAll: true)
        try compare(router, with: journal, limits, seed: 1)
        return router
    }
}

@Suite("A walk through all devices")
struct RuleAdoptionWalkTests {
    private let kinds = (0..<3).map { KindID(rawValue: UInt16($0)) }

    private func rules(_ window: Int64) -> KindRules {
        var policy = KindPolicy()
        policy.spread = SpreadPolicy(window: Milliseconds(rawValue: window))
        return KindRules(policy, origin: OriginID(rawValue: 0), hasRate: false)
    }

    @Test("lets each device adopt a kind once, whenever its round begins, in every state of it")
    func rounds() {
        for (count, second) in [(1, 0), (5, 0), (5, 1), (5, 3), (5, 4), (7, 6)] {
            var adoption = RuleAdoption()
            adoption.begin([kinds[0]: rules(1)])
            var adopted: [KindID: [Int]] = [:]
            var steps = 0
            while adoption.isActive {
                if steps == second && !adoption.has(kinds[1]) && adopted[kinds[1]] == nil {
                    adoption.begin([kinds[1]: rules(2)])
                }
                let before = adoption
                adoption.advance(end: count)
                steps += 1
                for kind in kinds.prefix(2) {
                    for number in 0..<count {
                        let device = DeviceID(rawValue: UInt32(number))
                        let was = before.formerRules(of: kind, on: device) != nil
                        let remains = adoption.formerRules(of: kind, on: device) != nil
                        #expect(was || !remains)
                        #expect(!was || remains || device == before.next)
                        if was && !remains { adopted[kind, default: []].append(number) }
                    }
                }
            }
            #expect(steps == count + second)
            for kind in kinds.prefix(2) {
                #expect(adopted[kind]?.sorted() == Array(0..<count), "\(count), \(second)")
            }
        }
    }

    @Test("lets each device adopt an app's settings in a whole round, anew if they change again")
    func apps() {
        let (one, other) = (AppID(rawValue: 0), AppID(rawValue: 1))
        for (count, second) in [(1, 0), (5, 0), (5, 2), (5, 4)] {
            var adoption = RuleAdoption()
            adoption.begin([one, other])
            var visits: [AppID: [Int]] = [:]
            var steps = 0
            while adoption.isActive {
                if steps == second { adoption.begin([one]) }
                let device = adoption.next
                for app in [one, other] where adoption.hasFormerSettings(of: app, on: device) {
                    visits[app, default: []].append(Int(device.rawValue))
                }
                adoption.advance(end: count)
                steps += 1
            }
            #expect(steps == count + second)
            let both = Array(0..<second) + Array(0..<count)
            #expect(visits[one]?.sorted() == both.sorted() && visits[other] == Array(0..<count))
            #expect(!adoption.hasFormerSettings(of: one, on: DeviceID(rawValue: 0)))
        }
    }

    @Test("forgets a kind whose number another one takes, and adopts that in a round of its own")
    func forgotten() {
        var adoption = RuleAdoption()
        adoption.begin([kinds[0]: rules(1), kinds[1]: rules(1)])
        for _ in 0..<3 { adoption.advance(end: 5) }
        adoption.forget(kinds[0])
        #expect(adoption.formerRules(of: kinds[0], on: DeviceID(rawValue: 4)) == nil)
        adoption.begin([kinds[0]: rules(2)])
        for _ in 0..<2 { adoption.advance(end: 5) }
        #expect(!adoption.has(kinds[1]) && adoption.has(kinds[0]))
        for _ in 0..<3 { adoption.advance(end: 5) }
        #expect(!adoption.isActive && !adoption.has(kinds[0]))
    }
}

extension Router {
    /// Lets all widgets adopt at once what they have yet to adopt.
    fileprivate mutating func finishAdoption() { state.finishAdoption(into: &outbox) }
}
