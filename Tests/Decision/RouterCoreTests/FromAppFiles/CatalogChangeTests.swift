import Basics
import FrameCodec
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

@Suite("What leads from one app file to another")
struct CatalogChangeTests {
    private static func change(
        from former: String,
        to text: String,
        limit: Int = 3
    ) throws -> CatalogChange {
        let file = try AppFile.file(text)
        return try AppFile.file(former).source.withByteView { former in
            file.source.withByteView { source in
                CatalogChange(
                    from: former,
                    to: file.catalog,
                    source: source,
                    kindsPerPortion: limit
                )
            }
        }
    }

    private static func file(_ apps: String...) -> String {
        #"{"apps":[\#(apps.joined(separator: ","))]}"#
    }

    private static func app(_ name: String, _ kinds: [String], _ more: String = "") -> String {
        #"{"app":"\#(name)",\#(more)"kinds":[\#(kinds.joined(separator: ","))]}"#
    }

    private static func kind(_ name: String, _ more: String = "") -> String {
        #"{"kind":"\#(name)"\#(more)}"#
    }

    /// The kinds of a catalog, as `app/kind`.
    private static func names(_ catalog: AppCatalog) -> [String] {
        catalog.apps.flatMap { app in app.kinds.map { "\(app.app)/\($0.kind)" } }
    }

    @Test func `Nothing, if they are the same`() throws {
        let text = Self.file(Self.app("a", [Self.kind("x")]), Self.app("b", []))
        let change = try Self.change(from: text, to: text)
        #expect(change.isEmpty && change.portions.isEmpty && change.newKindCount == 0)
    }

    @Test func `Kinds that are new, differ or are gone, and nothing of the others`() throws {
        let rule = #","match":{"e":["1"]}"#
        let change = try Self.change(
            from: Self.file(
                Self.app("a", [Self.kind("same"), Self.kind("other"), Self.kind("gone")]),
                Self.app("b", [Self.kind("same")]),
                Self.app("c", [Self.kind("x"), Self.kind("y")])
            ),
            to: Self.file(
                Self.app("b", [Self.kind("same")]),
                Self.app("d", [Self.kind("new")]),
                Self.app("a", [Self.kind("other", rule), Self.kind("same"), Self.kind("more")])
            )
        )
        #expect(change.portions.flatMap { Self.names($0.withdrawn) } == ["a/gone", "c/x", "c/y"])
        #expect(
            change.portions.flatMap { Self.names($0.declared) } == ["d/new", "a/other", "a/more"]
        )
        #expect(change.apps.map(\.app) == ["d", "a"])
        #expect(change.removedApps == ["c"])
        #expect(change.newKindCount == 2 && change.newAppCount == 1)
    }

    @Test func `Of an app whose origins differ all kinds, as their rules depend on these`() throws {
        let kinds = [Self.kind("x", #","origin":"o""#), Self.kind("y")]
        func app(_ rate: Int) -> String {
            Self.app("a", kinds, #""origins":[{"origin":"o","perSecond":\#(rate)}],"#)
        }
        let change = try Self.change(from: Self.file(app(1)), to: Self.file(app(2)))
        #expect(change.portions.flatMap { Self.names($0.declared) } == ["a/x", "a/y"])
        #expect(change.portions.first?.declared.apps[0].origins.map(\.perSecond) == [2])
        let quotas = Self.app(
            "a",
            kinds,
            #""quotas":{"devices":5},"origins":[{"origin":"o","perSecond":1}],"#
        )
        let only = try Self.change(from: Self.file(app(1)), to: Self.file(quotas))
        let portion = try #require(only.portions.first)
        #expect(only.portions.count == 1 && Self.names(portion.declared).isEmpty && !only.hasKinds)
        #expect(portion.declared.apps.map(\.quotas.devices) == [5])
        #expect(portion.kinds.map { $0.map(\.kind) } == [["x", "y"]])
    }

    @Test func `No portion has more kinds than are allowed, and its text says the same`() throws {
        let apps = (0..<5).map { app in
            Self.app(
                "a\\u002d\(app)",
                (0..<app * 2).map { Self.kind("k\($0)\\u0041\\ud83d\\ude00") }
            )
        }
        let text = Self.file(apps[0], apps[1], apps[2], apps[3], apps[4])
        for limit in [1, 2, 3, 7, 100] {
            for (former, wanted) in [(#"{"apps":[]}"#, text), (text, #"{"apps":[]}"#)] {
                let change = try Self.change(from: former, to: wanted, limit: limit)
                let counts = change.portions.map { portion in
                    Self.names(portion.declared).count + Self.names(portion.withdrawn).count
                }
                #expect(counts.reduce(0, +) == 20 && counts.allSatisfy { $0 <= limit })
                // Then the apps themselves.
                let alone = change.portions.map { portion in
                    (portion.declared.apps + portion.withdrawn.apps).count { $0.kinds.isEmpty }
                }
                #expect(alone.reduce(0, +) == 5 && alone.allSatisfy { $0 <= limit })
                let count = (20 + limit - 1) / limit + (5 + limit - 1) / limit
                #expect(change.portions.count == count)
                for portion in change.portions {
                    for (catalog, source) in [
                        (portion.declared, portion.declaredSource),
                        (portion.withdrawn, portion.withdrawnSource),
                    ] where !source.isEmpty {
                        let read = try source.withByteView { bytes throws(AppFileError) in
                            try AppFile.parseStored(bytes)
                        }
                        #expect(read == catalog)
                    }
                }
            }
        }
    }

    @Test func `Its end looks at no app, and each portion at a few, however many differ`() throws {
        func catalog(_ quota: Int) -> AppCatalog {
            AppCatalog(
                apps: (0..<300).map { number in
                    let origins = (0..<number % 5).map {
                        OriginDeclaration(origin: "o\($0)", perSecond: quota)
                    }
                    let kinds = [KindDeclaration(kind: "k")]
                    var app = AppDeclaration(app: "a\(number)", origins: origins, kinds: kinds)
                    app.quotas.devices = quota
                    return app
                }
            )
        }
        let harness = RouterHarness()
        harness.keepJournal(catalog(1))
        _ = harness.step()
        let next = catalog(2)
        let change = try #require(harness.change(to: next, kindsPerPortion: 16))
        func differing() -> Int {
            let apps = harness.router.state.reloads.catalog.apps
            return apps.elements.count { $0.declaration.quotas.devices == 1 }
        }
        for portion in change.portions {
            let before = differing()
            let origins = portion.declared.apps.reduce(0) { $0 + min($1.origins.count, 8) }
            #expect(portion.declared.apps.count + origins <= 16 + 8)
            harness.router.apply(portion)
            let after = differing()
            #expect(before - after <= 16)
        }
        let left = differing()
        #expect(left == 0, "what the end would have to declare")
        let replaced = harness.router.install(next, source: next.source, after: change)
        #expect(replaced.isEmpty)
        harness.writeJournal()
        #expect(harness.replica?.difference(from: harness.router) == nil)
        harness.checkInvariants()
    }

    @Test func `Apps that are gone end with a portion, and their sessions with the end`() throws {
        func catalog(_ names: String...) -> AppCatalog {
            AppCatalog(apps: names.map { AppDeclaration(app: $0, kinds: []) })
        }
        let harness = RouterHarness()
        harness.keepJournal(catalog("a", "b"))
        let slot = harness.connect(.gateway, app: "b")
        let next = catalog("a", "c")
        let change = try #require(harness.change(to: next))
        for portion in change.portions { harness.router.apply(portion) }
        func hasSession() -> Bool {
            harness.router.state.reloads.delivery.sessions[slot].role != nil
        }
        #expect(harness.router.declaredAppCount == 2)
        #expect(hasSession())
        harness.router.install(next, source: next.source, after: change)
        _ = harness.step()
        #expect(!hasSession())
        #expect(harness.replica?.difference(from: harness.router) == nil)
        harness.checkInvariants()
    }

    // MARK: - Applied

    /// An app file of some of ten kinds, with rules and origins as random numbers say.
    private static func random(_ random: inout SeededGenerator) -> AppCatalog {
        let apps = ["game", "more"].filter { $0 == "game" || Bool.random(using: &random) }
        return AppCatalog(
            apps: apps.map { name in
                let origin = OriginDeclaration(
                    origin: "o",
                    perSecond: Int.random(in: 1...2, using: &random)
                )
                let kinds = (0..<10).filter { _ in Bool.random(using: &random) }.map { number in
                    var policy = KindPolicy.unlimited
                    if Bool.random(using: &random) { policy.origin = "o" }
                    if Bool.random(using: &random) { policy.observes = ["hp"] }
                    let field = Bool.random(using: &random) ? "p" : "q"
                    return KindDeclaration(
                        kind: "k\(number)",
                        rule: .parameter(field),
                        policy: policy
                    )
                }
                return AppDeclaration(
                    app: name,
                    origins: [origin],
                    kinds: kinds.shuffled(using: &random)
                )
            }
        )
    }

    @Test(arguments: seeds(12))
    func `In portions, with pushes and widgets between them, it is in the journal`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let harness = RouterHarness(seed: seed)
        harness.keepJournal(Self.random(&random), seed: seed)
        let gateway = harness.connect(.gateway)
        let publisher = harness.connect(.publisher, "p")
        var seq: UInt64 = 0
        func act() {
            let kind = "k\(Int.random(in: 0..<10, using: &random))"
            let device = "d\(Int.random(in: 0..<6, using: &random))"
            harness.widgets(gateway, device, [.init("w", kind, #"{"p":"1","q":"2"}"#)])
            seq += 1
            harness.push(publisher, seq, #"{"p":"1","q":"2","hp":\#(seq / 3)}"#)
            _ = harness.settle()
            harness.advance(300)
        }
        for _ in 0..<20 {
            for _ in 0..<4 { act() }
            let next = Self.random(&random)
            let change = try #require(harness.change(to: next, kindsPerPortion: 3))
            for portion in change.portions {
                harness.router.apply(portion)
                let isWhole = !harness.router.isCatalogChanging
                #expect(!isWhole)
                harness.checkInvariants()
                act()
            }
            harness.router.install(next, source: next.source, after: change)
            let isWhole = !harness.router.isCatalogChanging
            #expect(isWhole)
            act()
            harness.writeJournal()
            harness.checkInvariants()
            let difference = harness.replica?.difference(from: harness.router)
            #expect(difference == nil, "seed \(seed): \(difference ?? "")")
            let declared = harness.router.appViews.map { "\($0.app) \($0.kinds)" }
            #expect(declared.sorted() == next.apps.map { "\($0.app) \($0.kinds.count)" }.sorted())
        }
    }

    @Test func `An app of a portion has its number also where a store is repaired`() throws {
        func catalog(_ names: String...) -> AppCatalog {
            AppCatalog(
                apps: names.map { AppDeclaration(app: $0, kinds: [KindDeclaration(kind: "k")]) }
            )
        }
        let harness = RouterHarness()
        harness.keepJournal(catalog("a"))
        let change = try #require(harness.change(to: catalog("a", "b")))
        for portion in change.portions { harness.router.apply(portion) }
        // The process has ended in the middle, and the next one has another file.
        harness.install(catalog("a", "c", "b"))
        _ = try harness.router.revokeTokens(of: "d", app: "b", before: 7_000, now: harness.now)
        var writer = StoreWriter()
        let start = JournalRecord.begin(&writer)
        writer.put(raw: harness.router.journalBytes)
        _ = JournalRecord.end(&writer, from: start, position: 1, parent: 0)
        var salvage = StateSalvage()
        var reader = StoreReader(writer.bytes)
        salvage.add(try JournalRecord.read(&reader))
        let problems = salvage.problems
        #expect(problems == [])
        let repaired = SimulatedStore()
        try RecoveryFuzzTests.fill(repaired, [:], try salvage.bodies())
        var router = Router(catalog: AppCatalog(apps: []), limits: RouterLimits(), seed: 1)
        _ = try router.recover(from: repaired, checksAll: true)
        let kept = ["b", "c"].map { router.tokensRevokedBefore(device: "d", app: $0) }
        #expect(kept == [7_000, nil])
    }
}
