import Basics
import FrameCodec
import TestSupport
import Testing

@testable import RouterCore

@Suite("A push that is explained")
struct AdminExplainTests {
    private func explain(
        _ harness: SchedulingHarness,
        _ payload: String = #"{"character":"kit"}"#,
        isUrgent: Bool = false,
        device: String? = nil,
        kind: String? = nil,
        limit: Int = 100
    ) throws -> Explanation.Result {
        try explain(
            harness.router,
            payload,
            isUrgent: isUrgent,
            device: device,
            kind: kind,
            limit: limit
        )
    }

    private func explain(
        _ harness: RouterHarness,
        _ payload: String,
        isUrgent: Bool = false,
        device: String? = nil,
        kind: String? = nil,
        limit: Int = 100
    ) throws -> Explanation.Result {
        let work = try harness.router.beginExplaining(
            app: "game",
            payload: Array(payload.utf8),
            isUrgent: isUrgent,
            device: device,
            kind: kind,
            limit: limit,
            now: harness.now
        )
        while !harness.router.resume(work) {}
        return work.explanation.result()
    }

    @Test("names whom it concerns and why, and changes nothing")
    func concerned() throws {
        let harness = SchedulingHarness([.unlimited()])
        _ = harness.device("d", [.character("w", "kit"), .character("v", "fox")])
        let before = StateImage(harness.router.router)
        let work = try explain(harness)
        #expect(work.matchCount == 1 && work.isWhole)
        let widget = try #require(work.widgets.first)
        #expect(widget.device == "d" && widget.widget == "w" && widget.kind == "detail")
        #expect(widget.outcome == "sent" && widget.reloadsAt == harness.router.now.wall)
        #expect(
            widget.tests == [
                .init(
                    field: "character",
                    value: #""kit""#,
                    test: #""${configuration.character}" = "kit""#,
                    isMet: true
                )
            ]
        )
        #expect(work.nearMisses.map(\.widget) == ["v"] && work.nearMisses.first?.outcome == nil)
        let difference = StateImage(harness.router.router).difference(from: before)
        #expect(difference == nil)
        #expect(harness.settle().isEmpty)
        harness.push(#"{"character":"kit"}"#)
        #expect(harness.settle().map(\.widgets) == [["w"]])
    }

    /// What became of the push is what was said of it before.
    @Test(
        "comes out as it was explained",
        arguments: [
            "sent", "debounced", "deferred", "unchanged", "held", "coalesced", "queued", "urgent",
            "outdated",
        ]
    )
    func outcomes(outcome: String) throws {
        let origins = [OriginDeclaration(origin: "api", perSecond: 1, undelayed: 0)]
        let kind = KindDeclaration.character { policy in
            policy.budget = outcome == "deferred" ? .fixed(10, spacing: 60_000) : .unlimited
            if outcome == "debounced" || outcome == "urgent" {
                policy.debounce = DebouncePolicy(wait: 2_000, longest: 9_000)
            }
            if outcome == "unchanged" { policy.observes = ["hp"] }
            if outcome == "outdated" { policy.newest = "at" }
            if outcome == "queued" { policy.origin = "api" }
        }
        let harness = SchedulingHarness([kind], origins: outcome == "queued" ? origins : [])
        let slot = harness.device("d", [.character("w", "kit")])
        let payload = #"{"character":"kit","hp":3,"at":8}"#
        switch outcome {
        case "deferred", "unchanged", "queued":
            harness.push(payload)
            _ = harness.settle()
        case "held": harness.router.close(slot)
        case "coalesced":
            harness.router.router.outputFilled(slot)
            harness.push(payload)
            _ = harness.settle()
        case "outdated":
            harness.push(#"{"character":"kit","hp":4,"at":9}"#)
            _ = harness.settle()
        default: break
        }
        let isUrgent = outcome == "urgent"
        let work = try explain(harness, payload, isUrgent: isUrgent)
        let reported = try #require(work.widgets.first)
        #expect(reported.outcome == (isUrgent ? "sent" : outcome))
        #expect(reported.text.hasSuffix("."))
        harness.push(payload, flags: isUrgent ? PushFlags.urgent : 0)
        let sent = harness.settle()
        let reasons: [String: DecisionReason] = [
            "sent": .sent, "urgent": .sent, "debounced": .debounced, "deferred": .spacing,
            "unchanged": .unchanged, "held": .offline, "coalesced": .coalesced, "queued": .spread,
            "outdated": .outdated,
        ]
        #expect(harness.reasons().last == reasons[outcome])
        #expect(sent.count == (reported.outcome == "sent" ? 1 : 0))
        if ["debounced", "deferred", "queued"].contains(outcome) {
            let until = try #require(reported.reloadsAt)
            let later = harness.run(until: until.rawValue - harness.start.wall.rawValue)
            #expect(later.map(\.widgets) == [["w"]])
        }
    }

    @Test("lists all widgets of one named device, concerned or not")
    func device() throws {
        let harness = SchedulingHarness([.unlimited(), .unlimited("log")])
        _ = harness.device(
            "d",
            [
                .character("w", "kit"), .character("v", "fox"),
                TestWidget("u", "log", #"{"character":"kit"}"#),
            ]
        )
        _ = harness.device("e", [.character("w", "kit")])
        let work = try explain(harness, device: "d")
        #expect(work.matchCount == 2)
        #expect(Set(work.widgets.map(\.widget)) == ["w", "u"])
        #expect(work.nearMisses.map(\.widget) == ["v"])
        #expect(work.nearMisses.first?.tests.first?.isMet == false)
        let narrow = try explain(harness, device: "d", kind: "log")
        #expect(narrow.widgets.map(\.widget) == ["u"] && narrow.nearMisses.isEmpty)
        #expect(throws: ProtocolError.self) { try explain(harness, device: "x") }
        #expect(throws: ProtocolError.self) { try explain(harness, kind: "x") }
        #expect(throws: ProtocolError.self) { try explain(harness, "[]") }
    }

    @Test("names the nearest that have a field of it, and one of the others if none has")
    func nearest() throws {
        let harness = SchedulingHarness([.unlimited(), .unlimited("log")])
        _ = harness.device(
            "d",
            [
                TestWidget("x", "log", #"{"guild":"elf"}"#),
                TestWidget("v", "log", #"{"character":"fox","guild":"elf"}"#),
                .character("w", "fox"), .character("u", "owl"),
            ]
        )
        // All have a rule about the field that the push has.
        #expect(Set(try explain(harness).nearMisses.map(\.widget)) == ["x", "v", "w", "u"])
        // Only of the kind that was asked for.
        let far = try explain(harness, #"{"guild":"orc"}"#, kind: "log")
        #expect(far.nearMisses.map(\.widget) == ["x"])
        let unrelated = try explain(harness, #"{"weather":"rain"}"#)
        #expect(unrelated.nearMisses.map(\.widget) == ["x"])
    }

    @Test("names the nearest of the app, whatever else there is before it")
    func neighbours() throws {
        let log = KindDeclaration(kind: "log", rule: .parameter("guild"), policy: .unlimited)
        let kinds = [.unlimited(), log]
        let harness = RouterHarness(
            catalog: AppCatalog(
                apps: ["news", "game"].map { AppDeclaration(app: $0, kinds: kinds) }
            )
        )
        // More of another app, and then more of another kind, than are examined of all.
        for app in ["news", "game"] {
            let gateway = harness.connect(.gateway, nil, app: app)
            for index in 0...Router.nearMissLimit / 100 {
                let widgets = (0..<100).map { TestWidget.character("w\($0)", "fox") }
                harness.widgets(gateway, "d\(index)", widgets)
            }
        }
        let last = harness.connect(.device, "last")
        harness.widgets(last, "last", [TestWidget("own", "log", #"{"guild":"orc"}"#)])
        _ = harness.step()
        for _ in 0..<2 {
            let near = try explain(harness, #"{"guild":"elf"}"#).nearMisses
            #expect(near.map(\.widget) == ["own"])
            let others = try explain(harness, #"{"character":"owl"}"#).nearMisses
            #expect(others.map(\.kind) == [String](repeating: "detail", count: 5))
        }
    }

    @Test("looks at no more than its limit of widgets, and says so")
    func limits() throws {
        let harness = SchedulingHarness([.unlimited()])
        let gateway = harness.router.connect(.gateway, nil)
        for index in 0..<Router.explainLimit / 100 + 1 {
            let widgets = (0..<100).map { TestWidget.character("w\($0)", "kit") }
            harness.router.widgets(gateway, "d\(index)", widgets)
        }
        _ = harness.settle()
        let work = try explain(harness, limit: 3)
        #expect(work.matchCount == Router.explainLimit && !work.isWhole)
        #expect(work.widgets.count == 3)
        // The index is as it was: the next push finds everybody.
        harness.push(#"{"character":"kit"}"#)
        #expect(harness.settle().map(\.widgets.count).reduce(0, +) == Router.explainLimit + 100)
    }

    @Test("says of an app that is paused that nothing is taken")
    func paused() throws {
        let harness = SchedulingHarness([.unlimited()])
        _ = harness.device("d", [.character("w", "kit")])
        try harness.router.router.setPaused(true, app: "game")
        #expect(try explain(harness).widgets.map(\.outcome) == ["paused"])
    }

    @Test("knows that a RELOAD with all its values needs no permit")
    func inlined() throws {
        let origins = [OriginDeclaration(origin: "api", perSecond: 1, undelayed: 0)]
        let kind = KindDeclaration.unlimited {
            $0.origin = "api"
            $0.inlines = ["hp"]
        }
        let harness = SchedulingHarness([kind], origins: origins)
        for index in 0..<4 { _ = harness.device("d\(index)", [.character("w", "kit")]) }
        let without = try explain(harness)
        #expect(without.widgets.allSatisfy { $0.outcome == "queued" })
        let with = try explain(harness, #"{"character":"kit","hp":1}"#)
        #expect(with.widgets.allSatisfy { $0.outcome == "sent" })
        harness.push(#"{"character":"kit","hp":1}"#)
        #expect(harness.settle().count == 4)
    }
}
