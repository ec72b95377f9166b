import Basics
import FrameCodec
import Testing

@testable import RouterCore

@Suite("Widgets of kinds that an app file removes")
struct UndeclaredKindTests {
    private static func catalog(_ kinds: String..., app: String = "game") -> AppCatalog {
        AppCatalog(apps: [
            AppDeclaration(
                app: app,
                kinds: kinds.map { KindDeclaration(kind: $0, policy: .unlimited) }
            )
        ])
    }

    private func undeclared(_ harness: RouterHarness) -> [String] {
        harness.checkInvariants()
        #expect(harness.router.totals.undeclaredWidgets == harness.router.undeclaredWidgetCount)
        return harness.router.undeclaredKinds(limit: 2).map { "\($0.app) \($0.kind) \($0.widgets)" }
    }

    @Test func `They are counted by kind until the kind comes back or they go`() {
        let harness = RouterHarness(catalog: Self.catalog("a", "b", "c"))
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d", [.init("v", "a"), .init("w", "b"), .init("x", "b")])
        harness.widgets(gateway, "e", [.init("y", "b", #"{"p":1}"#), .init("z", "c")])
        _ = harness.step()
        #expect(undeclared(harness) == [])

        harness.install(Self.catalog("c"))
        #expect(harness.router.undeclaredWidgetCount == 4)
        #expect(undeclared(harness) == ["game b 3", "game a 1"])
        // The same again, and a change of another kind, count none twice.
        harness.install(Self.catalog("c"))
        harness.install(Self.catalog("c", "n"))
        #expect(undeclared(harness) == ["game b 3", "game a 1"])

        harness.widgets(gateway, "e", [.init("z", "c")])
        _ = harness.step()
        #expect(undeclared(harness) == ["game b 2", "game a 1"])

        harness.install(Self.catalog("b", "c"))
        #expect(undeclared(harness) == ["game a 1"])
        let publisher = harness.connect(.publisher, "p")
        harness.push(publisher, 1, "@b,a {}")
        #expect(harness.settle().flatMap(\.widgets).sorted() == ["w", "x"])
        harness.install(Self.catalog("a", "b", "c"))
        #expect(undeclared(harness) == [])
    }

    @Test func `Those of an app that is gone are among them`() {
        let harness = RouterHarness(catalog: Self.catalog("a"))
        harness.widgets(harness.connect(.gateway), "d", [.init("v", "a")])
        _ = harness.step()
        harness.install(Self.catalog("a", app: "other"))
        #expect(undeclared(harness) == ["game a 1"])
    }
}
