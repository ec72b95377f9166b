import Basics
import FrameCodec
import RouterCore
import TestSupport
import Testing

/// What a publisher that asks for it learns of its pushes.
@Suite("An OUTCOME")
struct OutcomeTests {
    private let kit = #"{"character":"kit"}"#

    // MARK: - Put off

    @Test("says of a second push when its reload is sent and why, and of a third what it joins")
    func spacing() throws {
        let rig = OutcomeRig([.character { $0.budget = .fixed(40, spacing: 300_000) }])
        let device = rig.device("d", [.character("w", "kit")])
        let first = try rig.outcome(of: kit)
        #expect(first.matched == 1 && rig.counts(first) == ["sent": 1])
        rig.router.advance(4_000)
        let second = try rig.outcome(of: kit)
        #expect(rig.counts(second) == ["spacing": 1])
        let widget = try #require(second.widgets.first)
        #expect(widget.device == "d" && widget.widget == "w" && widget.kind == "detail")
        // The last reload is kept in sixteenths of a second.
        #expect((296_000...296_063).contains(rig.wait(widget)))
        #expect(widget.why == "a widget's reloads are 5 min apart" && widget.joins == nil)
        rig.router.advance(4_000)
        let third = try rig.outcome(of: kit)
        #expect(rig.counts(third) == ["coalesced": 1] && third.matched == 1)
        #expect(third.widgets[0].joins == "spacing" && third.widgets[0].until == widget.until)
        #expect(third.widgets[0].why == widget.why)
        rig.router.close(device)
    }

    @Test("names the reason of each wait, and its end if that is known")
    func waits() throws {
        var rig = OutcomeRig([
            .unlimited { $0.debounce = DebouncePolicy(wait: 2_000, longest: 9_000) }
        ])
        _ = rig.device("d", [.character("w", "kit")])
        var widget = try #require(try rig.outcome(of: kit).widgets.first)
        #expect(widget.outcome == "debounced" && (2_000...2_063).contains(rig.wait(widget)))
        #expect(widget.why == "until 2 s pass without a push")

        rig = OutcomeRig([.character { $0.budget = .fixed(1) }])
        _ = rig.device("d", [.character("w", "kit")])
        #expect(try rig.outcome(of: kit).widgets[0].outcome == "sent")
        widget = try rig.outcome(of: kit).widgets[0]
        #expect(widget.outcome == "budget" && widget.until != nil)
        #expect(widget.why == "1 of 1 used in 24 h")

        rig = OutcomeRig([.unlimited()])
        rig.router.close(rig.device("d", [.character("w", "kit")]))
        widget = try rig.outcome(of: kit).widgets[0]
        #expect(widget.outcome == "offline" && widget.until == nil)
        widget = try rig.outcome(of: kit).widgets[0]
        #expect(widget.outcome == "coalesced" && widget.joins == "offline")
    }

    @Test("names what a debounced reload waits for last")
    func debounced() throws {
        let rig = OutcomeRig([
            .character {
                $0.budget = .fixed(40, spacing: 300_000)
                $0.debounce = DebouncePolicy(wait: 2_000, longest: 9_000)
            }
        ])
        let device = rig.device("d", [.character("w", "kit")])
        #expect(rig.counts(try rig.outcome(of: kit)) == ["debounced": 1])
        rig.router.advance(2_100)
        #expect(rig.router.settle().count == 1)
        let second = try rig.outcome(of: kit)
        #expect(rig.counts(second) == ["spacing": 1])
        #expect((299_900...300_063).contains(rig.wait(second.widgets[0])))
        rig.router.close(device)
        #expect(rig.counts(try rig.outcome(of: kit)) == ["offline": 1])
    }

    @Test(
        "counts a reload that waits for a permit of its origin as spread, and one with it as sent"
    )
    func spread() throws {
        let rig = OutcomeRig(
            [.unlimited { $0.origin = "api" }],
            origins: [OriginDeclaration(origin: "api", perSecond: 1)]
        )
        for number in 0..<3 { _ = rig.device("d\(number)", [.character("w", "kit")]) }
        let outcome = try rig.outcome(of: kit)
        #expect(rig.counts(outcome) == ["sent": 1, "spread": 2])
        let waits = outcome.widgets.filter { $0.outcome == "spread" }
        #expect(waits.allSatisfy { $0.why == "for a permit at api, 1 a second" && $0.until != nil })
    }

    // MARK: - No reload

    @Test("says which push leaves an observed field as it was, and which has expired")
    func noReload() throws {
        let rig = OutcomeRig([.unlimited { $0.observes = ["hp"] }])
        _ = rig.device("d", [.character("w", "kit")])
        #expect(rig.counts(try rig.outcome(of: #"{"character":"kit","hp":1}"#)) == ["sent": 1])
        let second = try rig.outcome(of: #"{"character":"kit","hp":1}"#)
        #expect(rig.counts(second) == ["unchanged": 1] && second.matched == 1)
        #expect(second.widgets[0].why == "hp is as before")
        let expired = try rig.outcome(
            of: #"{"character":"kit","hp":2}"#,
            expiresAt: 1_699_999_999_999
        )
        #expect(rig.counts(expired) == ["expired": 1] && expired.matched == 0)
        #expect(expired.registered == nil, "it matches a widget")
    }

    @Test("says of a push that matches nothing which widget came nearest, and what fails first")
    func nearest() throws {
        let rule = EventPattern(conditions: [
            .field("event", [.equals(.value(.string("dragon")))]),
            .field("region", [.equals(.parameter("region"))]),
        ])
        let rig = OutcomeRig([
            .unlimited("detail"), KindDeclaration(kind: "dragon", rule: rule, policy: .unlimited),
        ])
        #expect(try rig.outcome(of: kit).registered == 0)
        _ = rig.device(
            "d",
            [.character("w1", "kit"), TestWidget("w2", "dragon", #"{"region":"north"}"#)]
        )
        let outcome = try rig.outcome(of: #"{"event":"dragon","region":"south"}"#)
        #expect(outcome.matched == 0 && outcome.counts == [] && outcome.widgets == [])
        #expect(outcome.registered == 2)
        let nearest = try #require(outcome.nearest)
        #expect(nearest.device == "d" && nearest.widget == "w2" && nearest.kind == "dragon")
        #expect(nearest.field == "region")
        #expect(nearest.text.contains(#"the push has "south""#), "\(nearest.text)")
        #expect(try rig.outcome(of: kit).nearest == nil, "this push matches")
    }

    @Test("looks for the nearest widget among its own app's, wherever these are")
    func nearestOfOwnApp() throws {
        let kind = KindDeclaration.unlimited()
        let rig = OutcomeRig(
            catalog: AppCatalog(apps: [
                AppDeclaration(app: "game", kinds: [kind]),
                AppDeclaration(app: "other", kinds: [kind]),
            ])
        )
        let other = rig.router.connect(.gateway, app: "other")
        // More than one search can visit.
        let visited = RouterLimits.nearestWork / WorkCost.record
        for device in 0...visited / 256 {
            rig.router.widgets(other, "o\(device)", (0..<256).map { .character("w\($0)", "kit") })
            _ = rig.router.step()
        }
        _ = rig.device("d", [.character("w", "kit")])
        var found: OutcomeMessage.Nearest?
        for _ in 0..<3 {
            let outcome = try rig.outcome(of: #"{"character":"kat"}"#)
            #expect(outcome.registered == 1 && outcome.nearest?.device.hasPrefix("o") != true)
            found = outcome.nearest ?? found
        }
        #expect(found?.device == "d")
    }

    @Test("names no nearest widget for a payload that would cost too much")
    func costly() throws {
        let rig = OutcomeRig([.unlimited()])
        _ = rig.device("d", [.character("w", "kit")])
        let long = String(repeating: "x", count: RouterLimits.nearestPayload)
        let outcome = try rig.outcome(of: #"{"character":"\#(long)"}"#)
        #expect(outcome.registered == 1 && outcome.nearest == nil)
        // Each alternative is compared with each element.
        let names = (0..<1_000).map { PatternTest.equals(.value(.string("n\($0)"))) }
        let rule = EventPattern(conditions: [.field("character", names)])
        let other = OutcomeRig([KindDeclaration(kind: "detail", rule: rule, policy: .unlimited)])
        _ = other.device("d", [.character("w", "kit")])
        let list = (0..<900).map { "\($0)" }.joined(separator: ",")
        let refused = try other.outcome(of: #"{"character":[\#(list)]}"#)
        #expect(refused.registered == 1 && refused.nearest == nil)
        #expect(try other.outcome(of: #"{"character":1}"#).nearest?.widget == "w")
    }

    // MARK: - Which pushes

    @Test("precedes the ACK that covers its push, one for each push of a batch")
    func order() throws {
        let rig = OutcomeRig([.unlimited()])
        _ = rig.device("d", [.character("w", "kit")])
        let pushes = (1...5).flatMap { rig.router.pushFrame(UInt64($0), kit) }
        rig.router.send(rig.publisher, pushes)
        let own = rig.router.step().filter { $0.slot == rig.publisher }
        #expect(own.count == 6)
        for (index, frame) in own.dropLast().enumerated() {
            guard case .outcome(_, let seq, let text) = frame else {
                Issue.record("\(frame) is no OUTCOME")
                continue
            }
            #expect(seq == UInt64(index) + 1 && text.contains(#""matched":1"#))
        }
        #expect(own.last == .ack(rig.publisher, seq: 5, matched: 5))
    }

    @Test("goes to no publisher that has not asked for it")
    func unasked() {
        let harness = SchedulingHarness([.unlimited()])
        _ = harness.device("d", [.character("w", "kit")])
        harness.push(kit)
        harness.push("{}")
        let sent = harness.router.step()
        #expect(!sent.contains { if case .outcome = $0 { true } else { false } })
    }

    @Test("says that a push was accepted before, and leaves rejected ones to their REJECT")
    func duplicates() throws {
        let rig = OutcomeRig([.unlimited()])
        #expect(try !rig.outcome(of: kit).isDuplicate)
        rig.router.close(rig.publisher)
        rig.connect()
        rig.router.push(rig.publisher, 1, kit)
        rig.router.push(rig.publisher, 2, "[]")
        rig.router.push(rig.publisher, 3, kit)
        let outcomes = rig.outcomes(rig.router.step())
        #expect(outcomes.map(\.seq) == [1, 3])
        #expect(outcomes.map(\.message.isDuplicate) == [true, false])
    }

    @Test("names four widgets, and counts the others")
    func many() throws {
        let rig = OutcomeRig([.unlimited()])
        _ = rig.device("d", (0..<9).map { .character("w\($0)", "kit") })
        let outcome = try rig.outcome(of: kit)
        #expect(outcome.widgets.count == RouterLimits.outcomeWidgets)
        #expect(outcome.matched == 9 && rig.counts(outcome) == ["sent": 9])
    }

    @Test("covers all portions of a fan-out, and widgets that are removed between them")
    func fanOut() throws {
        let rig = OutcomeRig([.unlimited()]) { $0.matchesPerStep = 2 }
        let device = rig.device("d", (0..<7).map { .character("w\($0)", "kit") })
        rig.router.push(rig.publisher, 1, kit)
        _ = rig.router.step()
        rig.router.widgets(device, "d", [.character("w0", "kit")])
        var sent: [SentFrame] = []
        repeat { sent += rig.router.step() } while rig.router.router.needsStep
        let own = sent.filter { $0.slot == rig.publisher }
        let outcome = try #require(rig.outcomes(own).first?.message)
        #expect(own.last == .ack(rig.publisher, seq: 1, matched: 7) && own.count == 2)
        #expect(outcome.matched == 7)
        #expect(outcome.counts.reduce(0) { $0 + $1.widgets } == 7)
        #expect((rig.counts(outcome)["removed"] ?? 0) > 0, "\(outcome)")
    }

    @Test("is dropped with the connection, and the next session of the producer gets its own")
    func closed() throws {
        let rig = OutcomeRig([.unlimited()]) { $0.matchesPerStep = 1 }
        _ = rig.device("d", (0..<4).map { .character("w\($0)", "kit") })
        rig.router.push(rig.publisher, 1, kit)
        rig.router.close(rig.publisher)
        while rig.router.router.needsStep {
            #expect(rig.outcomes(rig.router.step()).isEmpty)
        }
        rig.connect()
        rig.router.push(rig.publisher, 2, #"{"character":"kat"}"#)
        #expect(rig.outcomes(rig.router.step()).map(\.seq) == [2])
    }

    // MARK: - Pauses

    @Test("with the number 0 says that the app is paused, at HELLO and while the session lasts")
    func paused() throws {
        let rig = OutcomeRig([.unlimited()])
        for isPaused in [true, false, true] {
            try rig.router.router.setPaused(isPaused, app: "game")
            let outcomes = rig.outcomes(rig.router.step())
            #expect(outcomes.map(\.seq) == [0] && outcomes[0].message.isPaused == isPaused)
        }
        rig.router.close(rig.publisher)
        rig.connect()
        #expect(rig.welcomed.map(\.message.isPaused) == [true])
    }
}

/// A router with a publisher that asks for outcomes.
final class OutcomeRig {
    let router: RouterHarness
    private(set) var publisher: ConnectionSlot = 0
    /// The OUTCOMEs that came with the WELCOME.
    private(set) var welcomed: [(seq: UInt64, message: OutcomeMessage)] = []
    private var seq: UInt64 = 0

    convenience init(
        _ kinds: [KindDeclaration],
        origins: [OriginDeclaration] = [],
        change: (inout RouterLimits) -> Void = { _ in }
    ) {
        self.init(catalog: .of(kinds, origins), change: change)
    }

    init(catalog: AppCatalog, change: (inout RouterLimits) -> Void = { _ in }) {
        router = RouterHarness(catalog: catalog, change)
        connect()
    }

    /// Connects the publisher, perhaps again.
    func connect() {
        publisher = router.open()
        router.hello(publisher, .publisher, "p", wantsOutcomes: true)
        welcomed = outcomes(router.take())
    }

    func device(_ name: String, _ widgets: [TestWidget]) -> ConnectionSlot {
        let slot = router.connect(.device, name)
        router.widgets(slot, name, widgets)
        _ = router.step()
        return slot
    }

    /// Pushes, and reads the OUTCOME.
    func outcome(of payload: String, expiresAt: UInt64? = nil) throws -> OutcomeMessage {
        seq += 1
        router.push(publisher, seq, payload, expiresAt: expiresAt)
        let outcomes = outcomes(router.step())
        #expect(outcomes.map(\.seq) == [seq])
        return try #require(outcomes.first).message
    }

    func outcomes(_ sent: [SentFrame]) -> [(seq: UInt64, message: OutcomeMessage)] {
        sent.compactMap { frame in
            guard case .outcome(publisher, let seq, let text) = frame else { return nil }
            do throws(ProtocolError) {
                return try text.withByteView { (body) throws(ProtocolError) in
                    (seq, try OutcomeMessage(reading: body))
                }
            } catch {
                Issue.record("\(text): \(error.message)")
                return nil
            }
        }
    }

    func counts(_ outcome: OutcomeMessage) -> [String: UInt64] {
        Dictionary(uniqueKeysWithValues: outcome.counts.map { ($0.outcome, $0.widgets) })
    }

    /// How long a widget's reload waits from now on, in ms.
    func wait(_ widget: OutcomeMessage.Widget) -> Int64 {
        (widget.until?.rawValue ?? 0) - router.now.wall.rawValue
    }
}
