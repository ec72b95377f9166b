import Basics
import FrameCodec
import RouterCore
import StoreFormat
import Testing

@Suite("A quota of an app")
struct QuotaTests {
    private static func catalog(_ change: (inout AppQuotas) -> Void) -> AppCatalog {
        var quotas = AppQuotas()
        change(&quotas)
        var game = AppDeclaration(
            app: "game",
            kinds: [KindDeclaration(kind: "plain", policy: .unlimited)]
        )
        var news = game
        news.app = "news"
        game.quotas = quotas
        return AppCatalog(apps: [game, news])
    }

    private static func widgets(_ count: Int) -> [TestWidget] {
        (0..<count).map { TestWidget("w\($0)", "plain") }
    }

    /// The codes and sentences of what was refused in a turn.
    private static func refusals(_ harness: RouterHarness) -> [String] {
        harness.step().compactMap { frame in
            switch frame {
            case .reject(_, _, let code, let message), .fail(_, let code, let message):
                "\(code?.rawValue ?? "?"): \(message)"
            default: nil
            }
        }
    }

    @Test("of devices refuses a new one, and no other app's")
    func devices() {
        let harness = RouterHarness(catalog: Self.catalog { $0.devices = 2 })
        let gateway = harness.connect(.gateway)
        for name in ["a", "b", "c"] { harness.widgets(gateway, name, Self.widgets(1)) }
        #expect(
            Self.refusals(harness)
                == [
                    "quota-exceeded: app \"game\": quota devices of 2 is used up (2 used, 1 more asked)"
                ]
        )
        let other = harness.connect(.gateway, app: "news")
        for name in ["a", "b", "c"] { harness.widgets(other, name, Self.widgets(1)) }
        // One that is there can change; one that goes makes room.
        harness.widgets(gateway, "a", Self.widgets(3))
        harness.widgets(gateway, "b", [])
        harness.widgets(gateway, "c", Self.widgets(1))
        #expect(Self.refusals(harness).isEmpty)
    }

    @Test("of widgets counts those that are replaced as free")
    func widgets() {
        let harness = RouterHarness(catalog: Self.catalog { $0.widgets = 5 })
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "a", Self.widgets(3))
        harness.widgets(gateway, "b", Self.widgets(2))
        harness.widgets(gateway, "b", Self.widgets(2))
        #expect(Self.refusals(harness).isEmpty)
        harness.widgets(gateway, "b", Self.widgets(4))
        #expect(
            Self.refusals(harness)
                == [
                    "quota-exceeded: app \"game\": quota widgets of 5 is used up (5 used, 2 more asked)"
                ]
        )
        harness.widgets(gateway, "a", Self.widgets(1))
        harness.widgets(gateway, "b", Self.widgets(4))
        #expect(Self.refusals(harness).isEmpty)
    }

    @Test("of stored bytes says how much is used and how much more was asked")
    func storedBytes() {
        let harness = RouterHarness(catalog: Self.catalog { $0.storedBytes = 2_000 })
        let gateway = harness.connect(.gateway)
        let text = String(repeating: "x", count: 400)
        let large = TestWidget("w", "plain", #"{"a":"\#(text)"}"#)
        // A device, a widget, a text and a layout; the layout is there for the second one.
        let first = 200 + 4 + 160 + 4 + 48 + 400 + 256 + 256 + 4
        let second = 200 + 4 + 160 + 4 + 48 + 400
        harness.widgets(gateway, "a", [large])
        #expect(Self.refusals(harness).isEmpty)
        harness.widgets(gateway, "b", [large])
        #expect(
            Self.refusals(harness)
                == [
                    "quota-exceeded: app \"game\": quota storedBytes of 2000 is used up "
                        + "(\(first) used, \(second) more asked)"
                ]
        )
        let used = harness.router.totals.apps.first { $0.app == "game" }?.used.storedBytes
        #expect(used == first)
        // Less of it is taken, though it has another layout and what is used stays above the quota.
        harness.install(Self.catalog { $0.storedBytes = 100 })
        harness.widgets(gateway, "a", [TestWidget("w", "plain", #"{"b":"x"}"#)])
        #expect(Self.refusals(harness).isEmpty)
        harness.widgets(gateway, "a", [TestWidget("w", "plain", #"{"b":"xxxxx"}"#)])
        #expect(Self.refusals(harness).count == 1)
        let refusals = harness.router.counters.quotaRefusals
        #expect(refusals == [.storedBytes: 2])
    }

    @Test("of sessions ends a connection more, and not one that takes an older one's place")
    func sessions() {
        let harness = RouterHarness(catalog: Self.catalog { $0.sessions = 2 })
        let gateway = harness.connect(.gateway)
        _ = harness.connect(.device, "d")
        let sentence =
            "quota-exceeded: app \"game\": quota sessions of 2 is used up (2 used, 1 more asked)"
        harness.hello(harness.open(), .publisher, "p")
        #expect(Self.refusals(harness) == [sentence])
        // The same device again: the older session ends.
        let slot = harness.open()
        harness.hello(slot, .device, "d")
        #expect(Self.refusals(harness).allSatisfy { $0.hasPrefix("session-replaced") })
        harness.hello(harness.open(), .gateway, nil)
        #expect(Self.refusals(harness) == [sentence])
        harness.close(gateway)
        _ = harness.connect(.publisher, "p")
        let again = harness.open()
        harness.hello(again, .publisher, "p")
        #expect(Self.refusals(harness).allSatisfy { $0.hasPrefix("session-replaced") })
        _ = harness.connect(.gateway, app: "news")
        let used = harness.router.totals.apps.map(\.used.sessions)
        #expect(used == [2, 1])
    }

    @Test("is the setting's if the app file says nothing")
    func settings() {
        let harness = RouterHarness(catalog: Self.catalog { $0.widgets = 9 }) { limits in
            limits.appQuotas.devices = 1
            limits.appQuotas.widgets = 1
        }
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "a", Self.widgets(9))
        harness.widgets(gateway, "b", Self.widgets(1))
        #expect(Self.refusals(harness).map { $0.contains("quota devices of 1") } == [true])
        let other = harness.connect(.gateway, app: "news")
        harness.widgets(other, "a", Self.widgets(2))
        #expect(Self.refusals(harness).map { $0.contains("quota widgets of 1") } == [true])
    }

    @Test("that is lower in a later file deletes nothing, and a restart takes back all there was")
    func lowered() throws {
        let harness = RouterHarness()
        let store = StoreRun(limits: harness.router.limits, seed: 3)
        try harness.keepStore(Self.catalog { _ in }, store)
        var gateway = harness.connect(.gateway)
        for number in 0..<20 {
            harness.widgets(gateway, "d\(number)", Self.widgets(2))
            _ = harness.step()
        }
        harness.install(
            Self.catalog { quotas in
                quotas.devices = 1
                quotas.widgets = 1
                quotas.storedBytes = 1
                quotas.sessions = 0
            }
        )
        // Who is there stays; who comes is refused.
        harness.hello(harness.open(), .gateway, nil)
        #expect(Self.refusals(harness).count == 1)
        harness.widgets(gateway, "d0", Self.widgets(1))
        harness.widgets(gateway, "d1", Self.widgets(2))
        #expect(Self.refusals(harness).isEmpty)
        for _ in 0..<40 { _ = harness.step() }
        try harness.restart()
        let counts = harness.router.storedCounts
        #expect(counts.devices == 20 && counts.widgets == 39)
        harness.install(Self.catalog { $0.devices = 20 })
        gateway = harness.connect(.gateway)
        harness.widgets(gateway, "more", Self.widgets(1))
        #expect(Self.refusals(harness).count == 1)
    }

    @Test("of kinds, a setting, refuses the app file")
    func kinds() {
        let harness = RouterHarness(catalog: Self.catalog { _ in }) { $0.kindsPerApp = 1 }
        var catalog = Self.catalog { _ in }
        catalog.apps[1].kinds.append(KindDeclaration(kind: "other"))
        let problem = harness.router.problem(with: catalog)
        #expect(
            problem == "the file declares 2 kinds of app \"news\"; an app may have 1 "
                + "(max-kinds-per-app)"
        )
    }
}
