// These look inside the router, which only builds for testing let them.
#if DEBUG
import Basics
import FrameCodec
@testable import RouterCore
import StoreFormat
import TestSupport
import Testing
import WidgetMatching

@Suite("Stored bytes")
struct StoredBytesTests {
    private static let kinds = ["detail", "map", "plain"]

    private static func catalog(_ kinds: [String]) -> AppCatalog {
        AppCatalog(
            apps: ["game", "news"].map { app in
                AppDeclaration(
                    app: app,
                    kinds: kinds.map { kind in
                        KindDeclaration(
                            kind: kind,
                            rule: kind == "detail" ? .parameter("hero") : nil,
                            policy: .unlimited
                        )
                    }
                )
            }
        )
    }

    @Test(
        "are what a count from scratch finds, whatever comes and goes, and after restarts",
        arguments: 1...30 as ClosedRange<UInt64>
    )
    func recount(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let harness = RouterHarness()
        let store = StoreRun(limits: harness.router.limits, seed: seed)
        try harness.keepStore(Self.catalog(Self.kinds), store)
        var model = StoredModel()
        var gateways: [String: ConnectionSlot] = [:]
        for act in 1...200 {
            let app = random.pick(["game", "news"])
            switch random.below(25) {
            case 0:
                try harness.restart()
                gateways = [:]
            case 1: harness.install(Self.catalog(random.pick([Self.kinds, ["detail", "plain"]])))
            default:
                let gateway = gateways[app] ?? harness.connect(.gateway, app: app)
                gateways[app] = gateway
                let device = StoredModel.device(&random, kinds: ["detail", "plain"])
                let id = "device-\(random.below(12))"
                Self.send(device, id, gateway, harness)
                model.replace(app, id, device)
            }
            _ = harness.step()
            for app in ["game", "news"] {
                let number = try #require(
                    harness.router.state.reloads.catalog.appsByName[Array(app.utf8)]
                )
                let counts = harness.router.state.reloads.delivery.counts(of: number)
                let context = "seed \(seed), act \(act), \(app)"
                try #require(counts.bytes == model.cost(of: app), "\(context)")
                try #require(counts.widgets == model.widgetCount(of: app), "\(context)")
            }
            let counted = harness.router.state.matcher.index.countStoredCost()
            #expect(counted == harness.router.state.matcher.index.storedCost)
            let all = harness.router.state.reloads.delivery.storedBytes
            #expect(all == model.cost(of: "game") + model.cost(of: "news"))
        }
        #expect(store.sealedCount > 0 && store.replayedCount > 0, "seed \(seed) says little")
    }

    private static func send(
        _ device: StoredModel.Device,
        _ id: String,
        _ gateway: ConnectionSlot,
        _ harness: RouterHarness
    ) {
        let token = device.pushToken.map { #""pushToken":"\#($0)","# } ?? ""
        let widgets = device.widgets.map(\.test.json).joined(separator: ",")
        harness.device(gateway, .widgets, #"{"device":"\#(id)",\#(token)"widgets":[\#(widgets)]}"#)
    }

    // MARK: - Limits

    private static func large(_ number: Int, _ byteCount: Int) -> TestWidget {
        let text = String(repeating: "\(number % 10)", count: byteCount)
        return TestWidget("w", "plain", #"{"a":"\#(text)"}"#)
    }

    @Test(
        "beyond the limit are refused before anything changes; fewer than before are always taken"
    )
    func limit() throws {
        let harness = RouterHarness { $0.storedBytes = 1 << 20 }
        harness.keepJournal(Self.catalog(["plain"]))
        let gateway = harness.connect(.gateway)
        var taken = 0
        var refusal: SentFrame?
        while refusal == nil, taken < 1_000 {
            harness.widgets(gateway, "d\(taken)", [Self.large(taken, 16_000)])
            refusal = harness.step().first { if case .reject = $0 { true } else { false } }
            if refusal == nil { taken += 1 }
        }
        #expect(taken == 63)
        let used = harness.router.state.reloads.delivery.storedBytes
        guard case .reject(_, _, let code, let message) = try #require(refusal) else { return }
        #expect(code == .quotaExceeded)
        #expect(
            message == "all apps: quota storedBytes of 1048576 is used up "
                + "(\(used) used, 16416 more asked)"
        )
        #expect(harness.router.storedCounts.devices == taken)
        // The same again, less of it, and none of it.
        for size in [16_000, 15_000, 0] {
            harness.widgets(gateway, "d0", [Self.large(7, size)])
            let sent = harness.step()
            #expect(sent.allSatisfy { if case .ack = $0 { true } else { false } }, "\(sent)")
        }
        // What is given back can be used.
        harness.widgets(gateway, "more", [Self.large(3, 14_000)])
        #expect(harness.step().allSatisfy { if case .ack = $0 { true } else { false } })
        let refusals = harness.router.counters.quotaRefusals
        #expect(refusals == [.storedBytes: 1])
        let difference = try #require(harness.replica).difference(from: harness.router)
        #expect(difference == nil)
    }

    @Test("of 300 devices with 60 KB each do not pass a limit of 4 MiB")
    func hostile() {
        let harness = RouterHarness { $0.storedBytes = 4 << 20 }
        harness.install(Self.catalog(["plain"]))
        let gateway = harness.connect(.gateway)
        var rejected = 0
        for number in 0..<300 {
            let widgets = (0..<4).map { position in
                TestWidget(
                    "w\(position)",
                    "plain",
                    #"{"a":"\#(number)-\#(position)\#(String(repeating: "x", count: 15_000))"}"#
                )
            }
            harness.widgets(gateway, "d\(number)", widgets)
            for frame in harness.step() {
                if case .reject(_, _, .quotaExceeded, _) = frame { rejected += 1 }
            }
        }
        #expect(rejected == 300 - 68)
        let stored = harness.router.state.reloads.delivery.storedBytes
        #expect(stored <= 4 << 20)
        let memory = harness.router.state.matcher.tableByteCount
        #expect(memory < 12 << 20, "\(memory)")
    }

    @Test("that were stored under a higher limit are replayed, and can become fewer")
    func loweredLimit() throws {
        let harness = RouterHarness()
        let store = StoreRun(limits: harness.router.limits, seed: 1)
        try harness.keepStore(Self.catalog(["plain"]), store)
        let gateway = harness.connect(.gateway)
        for number in 0..<100 {
            harness.widgets(gateway, "d\(number)", [Self.large(number, 16_000)])
            _ = harness.step()
        }
        var limits = harness.router.limits
        limits.storedBytes = 1 << 20
        limits.widgets = 1
        var lowered = Router(catalog: AppCatalog(apps: []), limits: limits, seed: 1)
        _ = try lowered.recover(from: store.store)
        let counts = lowered.storedCounts
        #expect(counts.devices == 100)
        let stored = lowered.state.reloads.delivery.storedBytes
        #expect(
            stored == harness.router.state.reloads.delivery.storedBytes
                && stored > limits.storedBytes
        )
        let again = RouterHarness()
        again.router = lowered
        let slot = again.connect(.gateway)
        again.widgets(slot, "d1", [Self.large(1, 15_000)])
        again.widgets(slot, "d2", [])
        again.widgets(slot, "new", [Self.large(1, 1)])
        let sent = again.step()
        let rejects = sent.compactMap { frame -> ErrorCode? in
            if case .reject(_, _, let code, _) = frame { code } else { nil }
        }
        #expect(rejects == [.quotaExceeded])
        #expect(again.router.storedCounts.devices == 99)
    }

    @Test("are refused while an arena is as full as it may be, long before it traps")
    func arena() {
        let harness = RouterHarness { $0.arenaBytes = 1 << 20 }
        harness.install(Self.catalog(["plain"]))
        let gateway = harness.connect(.gateway)
        var refusal: SentFrame?
        var count = 0
        while refusal == nil, count < 1_000 {
            harness.widgets(
                gateway,
                "d\(count)",
                [
                    TestWidget(
                        "w",
                        "plain",
                        #"{"a":"\#(count)\#(String(repeating: "y", count: 15_000))"}"#
                    )
                ]
            )
            refusal = harness.step().first { if case .reject = $0 { true } else { false } }
            count += 1
        }
        guard case .reject(_, _, let code, let message)? = refusal else {
            Issue.record("\(count) were taken")
            return
        }
        #expect(code == .quotaExceeded && message.contains("a restart frees"), "\(message)")
        #expect(RouterLimits.arenaBytesLimit < ByteArena.limit)
        var limits = RouterLimits()
        limits.arenaBytes = RouterLimits.arenaBytesLimit
        #expect(limits.problem == nil)
        limits.arenaBytes += 1
        #expect(
            limits.problem
                == "an arena is limited to 16106127361 bytes; it must be from 1 to 16106127360"
        )
        harness.widgets(gateway, "d0", [])
        #expect(harness.step().allSatisfy { if case .ack = $0 { true } else { false } })
    }

    @Test("a widget more than there may be is refused, whatever its size")
    func widgets() {
        let harness = RouterHarness { $0.widgets = 3 }
        harness.install(Self.catalog(["plain"]))
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d", [.init("a", "plain"), .init("b", "plain")])
        harness.widgets(gateway, "e", [.init("a", "plain"), .init("b", "plain")])
        let sent = harness.step()
        #expect(
            sent.contains {
                guard case .reject(_, 2, .quotaExceeded, let message) = $0 else { return false }
                return message == "all apps: quota widgets of 3 is used up (2 used, 2 more asked)"
            },
            "\(sent)"
        )
    }

    // MARK: - Measured

    private struct Case: CustomTestStringConvertible {
        var testDescription: String
        var count = 4_096
        var widgets: @Sendable (Int) -> [TestWidget]
    }

    private static func text(_ number: Int, _ byteCount: Int) -> String {
        let digits = "\(number)-"
        return digits + String(repeating: "x", count: max(0, byteCount - digits.utf8.count))
    }

    private static let cases = [
        Case(testDescription: "one widget, one value of its own") { number in
            [TestWidget("5f1d2c3b-7a90-4e58-9d3c-\(number)", "plain", #"{"a":"hero-\#(number)"}"#)]
        },
        Case(testDescription: "four widgets with five values each") { number in
            (0..<4).map { position in
                let members = ["a", "b", "c", "d", "e"].map { name in
                    #""\#(name)":"\#(name)\#(position)\#(number)""#
                }
                return TestWidget("w\(position)", "plain", "{\(members.joined(separator: ","))}")
            }
        },
        Case(testDescription: "a list of two hundred", count: 512) { number in
            let list = (0..<200).map { #""\#(number)-\#($0)""# }.joined(separator: ",")
            return [TestWidget("w", "plain", #"{"a":[\#(list)]}"#)]
        },
        Case(testDescription: "texts of 4,000 bytes", count: 1_024) { number in
            [TestWidget("w", "plain", #"{"a":"\#(text(number, 4_000))"}"#)]
        },
        Case(testDescription: "thirty names of parameters that nobody else has", count: 512) {
            number in
            let members = (0..<30).map { #""p\#(number)-\#($0)":true"# }
            return [TestWidget("w", "plain", "{\(members.joined(separator: ","))}")]
        },
    ]

    @Test("are near to what the tables take", arguments: cases)
    private func measured(_ measured: Case) {
        let harness = RouterHarness { $0.widgetsPerDevice = 256 }
        harness.install(Self.catalog(["plain"]))
        let gateway = harness.connect(.gateway)
        // The first chunks of all tables are there, whatever is stored.
        harness.widgets(gateway, "first", measured.widgets(1_000_000))
        _ = harness.step()
        let before = Self.memory(harness)
        let countedBefore = harness.router.state.reloads.delivery.storedBytes
        for number in 0..<measured.count {
            harness.widgets(gateway, "device-\(number)", measured.widgets(number))
            _ = harness.step()
        }
        let held = Self.memory(harness) - before
        let counted = harness.router.state.reloads.delivery.storedBytes - countedBefore
        let ratio = Double(held) / Double(counted)
        #expect(ratio > 0.4 && ratio < 1.5, "\(held) bytes are held, \(counted) counted: \(ratio)")
        print("\(measured.testDescription): \(held) bytes held, \(counted) counted, \(ratio)")
    }

    private static func memory(_ harness: RouterHarness) -> Int {
        let memory = harness.router.totals.memory
        return memory.index + memory.widgets + memory.schedules + memory.decisions
    }
}
#endif
