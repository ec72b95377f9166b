import Basics
import FrameCodec
import RouterCore
import StoreFormat
import Testing

@Suite("Numbers of kinds and apps")
struct CatalogNumberTests {
    private static func catalog(_ kinds: [String], app: String = "game") -> AppCatalog {
        AppCatalog(apps: [
            AppDeclaration(
                app: app,
                kinds: kinds.map { KindDeclaration(kind: $0, policy: .unlimited) }
            )
        ])
    }

    private static func names(_ prefix: String, _ count: Int) -> [String] {
        (0..<count).map { "\(prefix)\($0)" }
    }

    @Test("are used again for kinds of later app files: two with 40,000 other kinds each are taken")
    func manyKinds() throws {
        let harness = RouterHarness(catalog: Self.catalog(Self.names("a", 40_000)))
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d", [.init("w", "a7")])
        for prefix in ["b", "c", "d"] {
            let next = Self.catalog(Self.names(prefix, 40_000))
            #expect(harness.router.problem(with: next) == nil)
            harness.install(next)
        }
        harness.widgets(gateway, "e", [.init("w", "d39999")])
        let accepted = harness.step()
        #expect(!accepted.contains { isAnyReject($0) }, "\(accepted)")
        let publisher = harness.connect(.publisher, "p")
        harness.push(publisher, 1, "@d39999 {}")
        #expect(harness.settle().map(\.device) == ["e"])
        // What is stored keeps its kind.
        harness.install(Self.catalog(["a7"]))
        harness.push(publisher, 2, "@a7 {}")
        #expect(harness.settle().map(\.device) == ["d"])
    }

    @Test("of kinds with widgets are not used again: a file that does not fit is refused")
    func refused() throws {
        let harness = RouterHarness(catalog: Self.catalog(["a", "b", "c"])) { $0.kindNumbers = 4 }
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d", [.init("x", "a"), .init("y", "b")])
        _ = harness.step()
        let three = harness.router.problem(with: Self.catalog(["p", "q", "r"]))
        #expect(
            three == "the file declares 3 kinds that are new here, which is 1 more than there are "
                + "numbers for: of 4 numbers 2 are those of kinds that the file declares, or that "
                + "have widgets"
        )
        #expect(harness.router.problem(with: Self.catalog(["p", "q"])) == nil)
        // A widget that is gone gives its kind's number back.
        harness.widgets(gateway, "d", [.init("y", "b")])
        _ = harness.step()
        #expect(harness.router.problem(with: Self.catalog(["p", "q", "r"])) == nil)
        harness.install(Self.catalog(["p", "q", "r"]))
        let publisher = harness.connect(.publisher, "p")
        harness.widgets(gateway, "e", [.init("x", "r"), .init("y", "q"), .init("z", "p")])
        harness.push(publisher, 1, "@r,q,p,a,b,c {}")
        #expect(harness.settle().flatMap(\.widgets).sorted() == ["x", "y", "z"])
    }

    @Test("are those of another app afterwards, and its kinds show what the file says")
    func otherApp() {
        let harness = RouterHarness(catalog: Self.catalog(["a", "b"])) { $0.kindNumbers = 2 }
        var other = Self.catalog(["b", "c"], app: "news")
        other.apps[0].kinds[0].rule = .parameter("place")
        other.apps[0].kinds[0].policy.observes = ["hp"]
        #expect(harness.router.problem(with: other) == nil)
        harness.install(other)
        let gateway = harness.connect(.gateway, app: "news")
        harness.widgets(gateway, "d", [.init("w", "b", #"{"place":"x"}"#)])
        let publisher = harness.connect(.publisher, "p", app: "news")
        harness.push(publisher, 1, #"{"place":"x","hp":1}"#)
        #expect(harness.settle().map(\.device) == ["d"])
        harness.push(publisher, 2, #"{"place":"x","hp":1}"#)
        #expect(harness.settle().isEmpty, "nothing that the kind shows has changed")
    }

    @Test("of apps are never used again: a file with too many that are new is refused")
    func apps() {
        let harness = RouterHarness(catalog: Self.catalog(["a"], app: "x")) { $0.appNumbers = 2 }
        let problem = harness.router.problem(
            with: AppCatalog(
                apps: ["y", "z"].map { AppDeclaration(app: $0, kinds: []) }
            )
        )
        #expect(
            problem == "the file declares 2 apps that are new here, and 1 of 2 numbers are left: "
                + "every app that was ever declared keeps its own"
        )
        #expect(harness.router.problem(with: Self.catalog([], app: "y")) == nil)
    }

    @Test func `are not needed by kinds that only differ: these change in portions`() {
        let harness = RouterHarness(catalog: Self.catalog(["a", "b", "c"])) { $0.kindNumbers = 4 }
        harness.keepJournal(Self.catalog(["a", "b", "c"]))
        var next = Self.catalog(["a", "b", "c", "d"])
        for index in 0..<3 { next.apps[0].kinds[index].policy.atEndFloor = .seconds(77) }
        #expect(harness.change(to: next) != nil)
        let more = Self.catalog(["a", "b", "c", "d", "e"])
        #expect(harness.change(to: more) == nil)
    }

    @Test func `are kept by kinds that a file left out: with them, it changes in portions`() {
        let harness = RouterHarness(catalog: Self.catalog(["a", "b", "c"])) { $0.kindNumbers = 4 }
        harness.keepJournal(Self.catalog(["a", "b", "c"]))
        harness.install(Self.catalog(["a"]))
        #expect(harness.change(to: Self.catalog(["a", "b", "c", "d"])) != nil)
        #expect(harness.change(to: Self.catalog(["a", "b", "d", "e"])) == nil)
        harness.install(Self.catalog(["a", "b", "c", "d"]))
        #expect(harness.router.problem(with: Self.catalog(["a", "b", "c", "d", "e"])) != nil)
        _ = harness.step()
        harness.checkInvariants()
        #expect(harness.replica?.difference(from: harness.router) == nil)
    }

    @Test(
        "come out the same from a store, wherever it was left",
        arguments: 1...12 as ClosedRange<UInt64>
    )
    func restarts(seed: UInt64) throws {
        let harness = RouterHarness { $0.kindNumbers = 6 }
        let store = StoreRun(limits: harness.router.limits, seed: seed)
        try harness.keepStore(Self.catalog(["a0", "a1"]), store)
        for round in 1...30 {
            let gateway = harness.connect(.gateway)
            let kind = "a\(round - 1)"
            harness.widgets(gateway, "d\(round % 3)", [.init("w", kind), .init("v", "a\(round)")])
            for _ in 0..<3 { _ = harness.step() }
            harness.close(gateway)
            let next = Self.catalog(["a\(round)", "a\(round + 1)"])
            let problem = harness.router.problem(with: next)
            try #require(problem == nil, "round \(round): \(problem ?? "")")
            harness.install(next)
            for _ in 0..<(round % 4) { _ = harness.step() }
            if round % 5 == 0 { try harness.restart() }
        }
        #expect(store.sealedCount > 0)
    }

    private func isAnyReject(_ frame: SentFrame) -> Bool {
        if case .reject = frame { true } else { false }
    }
}
