import Basics
import FrameCodec
import TestSupport
import Testing

@testable import RouterCore

@Suite("What is counted of an app and of a kind")
struct CourseReadingTests {
    private func counts(
        _ harness: RouterHarness,
        kind: String? = nil
    ) throws -> CourseCounts {
        try harness.router.courseReading(app: "game", kind: kind).counts
    }

    @Test func `A push counts once for each kind that it matches, as its matches do`() throws {
        let harness = SchedulingHarness([.unlimited(), .unlimited("log"), .unlimited("none")])
        _ = harness.device(
            "d",
            [
                .character("v", "kit"), .character("w", "kit"),
                TestWidget("x", "log", #"{"character":"kit"}"#),
                TestWidget("y", "none", #"{"character":"owl"}"#),
            ]
        )
        for character in ["kit", "kit", "fox"] {
            harness.push(#"{"character":"\#(character)"}"#)
            _ = harness.settle()
        }
        let app = try counts(harness.router)
        #expect(app.pushes == 3 && app.matched == 6)
        let detail = try counts(harness.router, kind: "detail")
        #expect(detail.pushes == 2 && detail.matched == 4 && detail.widgets == 2)
        let log = try counts(harness.router, kind: "log")
        #expect(log.pushes == 2 && log.matched == 2)
        let none = try counts(harness.router, kind: "none")
        #expect(none.pushes == 0 && none.matched == 0 && none.widgets == 1)
    }

    @Test func `A push whose matches are applied in portions counts once, whatever comes between`()
        throws
    {
        let harness = RouterHarness(catalog: .of([.unlimited()])) { $0.matchesPerStep = 3 }
        let gateway = harness.connect(.gateway)
        for index in 0..<20 {
            harness.widgets(gateway, "d\(index)", [.character("w", "kit")])
        }
        harness.widgets(gateway, "e", [.character("w", "fox")])
        _ = harness.settle()
        let (first, second) = (
            harness.connect(.publisher, "p"), harness.connect(.publisher, "q")
        )
        harness.push(first, 1, #"{"character":"kit"}"#)
        var others: UInt64 = 0
        _ = harness.reloads()
        while harness.router.needsStep {
            if try counts(harness).matched % 2 == 1 || others < 5 {
                others += 1
                harness.push(second, others, #"{"character":"fox"}"#)
            }
            _ = harness.reloads()
        }
        _ = harness.settle()
        let found = try counts(harness, kind: "detail")
        #expect(others >= 5 && found.pushes == 1 + others)
        #expect(found.matched == 20 + others)
        let app = try counts(harness)
        #expect(app.pushes == found.pushes && app.matched == found.matched)
    }

    @Test func `What an app puts off is what its kinds do`() throws {
        let kinds = ["detail", "log"].map { name in
            KindDeclaration.character(name) { $0.budget = .fixed(10, spacing: 60_000) }
        }
        let harness = SchedulingHarness(kinds)
        _ = harness.device(
            "d",
            [.character("w", "kit"), TestWidget("x", "log", #"{"character":"kit"}"#)]
        )
        for _ in 0..<2 {
            harness.push(#"{"character":"kit"}"#)
            _ = harness.settle()
        }
        for kind in [nil, "detail", "log"] {
            let found = try counts(harness.router, kind: kind)
            #expect(found.putOff == (kind == nil ? 2 : 1))
        }
    }

    @Test func `Apps come before kinds, up to the limit, and how many there are is known`() {
        let kinds = (0..<AppCourses.subjectLimit).map { KindDeclaration.unlimited("k\($0)") }
        let apps = ["a", "b"].map { AppDeclaration(app: $0, kinds: $0 == "a" ? kinds : []) }
        let harness = RouterHarness(catalog: AppCatalog(apps: apps))
        let readings = harness.router.courseReadings
        #expect(readings.count == AppCourses.subjectLimit)
        let names = readings.prefix(3).map { String(decoding: $0.subject.app, as: UTF8.self) }
        #expect(names == ["a", "b", "a"])
        #expect(readings.map { $0.subject.kind == nil }.prefix(3) == [true, true, false])
        #expect(harness.router.courseSubjectCount == 2 + AppCourses.subjectLimit)
        harness.install(AppCatalog(apps: [apps[1]]))
        #expect(harness.router.courseSubjectCount == 1 && harness.router.courseReadings.count == 1)
    }

    @Test func `A kind with the number of a former one has none of its counts`() throws {
        let harness = RouterHarness(catalog: .of([.unlimited("a")])) { $0.kindNumbers = 1 }
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d", [TestWidget("w", "a", #"{"character":"kit"}"#)])
        _ = harness.settle()
        harness.push(harness.connect(.publisher, "p"), 1, #"{"character":"kit"}"#)
        _ = harness.settle()
        #expect(try counts(harness, kind: "a").pushes == 1)
        harness.widgets(gateway, "d", [])
        _ = harness.settle()
        harness.install(.of([.unlimited("b")]))
        #expect(try counts(harness, kind: "b") == CourseCounts())
        #expect(try counts(harness).pushes == 1)
    }
}
