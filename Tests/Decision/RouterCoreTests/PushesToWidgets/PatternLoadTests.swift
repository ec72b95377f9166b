import Basics
import FrameCodec
import TestSupport
import Testing

@testable import RouterCore

@Suite("The patterns of devices")
struct PatternLoadTests {
    private static func catalog(_ rule: String) throws -> AppCatalog {
        let file = #"{"apps":[{"app":"game","kinds":[{"kind":"text","match":\#(rule)}]}]}"#
        return try AppFile.parse(file)
    }

    private static let wildcard = #"{"title":[{"wildcard":"${configuration.p}"}]}"#
    private static let regexp = #"{"title":[{"regexp":"${configuration.p}"}]}"#

    private static func widgets(_ count: Int, _ pattern: (Int) -> String) -> [TestWidget] {
        (0..<count).map { TestWidget("w\($0)", "text", #"{"p":"\#(pattern($0))"}"#) }
    }

    private static func text(_ count: Int) -> String {
        #"{"title":"healing potion \#(String(repeating: "x", count: count))"}"#
    }

    /// Eight devices with 256 wildcards of a common word each, and one with a single one.
    private func crowd(_ harness: RouterHarness) -> ConnectionSlot {
        let gateway = harness.connect(.gateway)
        for device in 0..<8 {
            harness.widgets(
                gateway,
                "many-\(device)",
                Self.widgets(256) { "*potion*\(device)-\($0)*" }
            )
        }
        harness.widgets(gateway, "one", Self.widgets(1) { _ in "*potion*" })
        _ = harness.settle()
        return gateway
    }

    @Test("that have many are left out of a push with a long text, which all others get")
    func leftOut() throws {
        let harness = RouterHarness(catalog: try Self.catalog(Self.wildcard))
        _ = crowd(harness)
        let publisher = harness.connect(.publisher, "p")
        for (seq, length) in [(1, 500), (2, 4_000), (3, 60_000)] as [(UInt64, Int)] {
            harness.push(publisher, seq, Self.text(length))
            let sent = harness.step()
            #expect(sent.contains { $0 == .ack(publisher, seq: seq, matched: 1) }, "\(sent)")
        }
        #expect(harness.router.counters.widgetsLeftOut == 3 * 8 * 256)
        #expect(harness.router.counters.framesRejected == 0)
        // A text of a few words is read by all.
        harness.push(publisher, 4, Self.text(20))
        _ = harness.settle()
        #expect(harness.router.counters.widgetsLeftOut == 3 * 8 * 256)
    }

    @Test("are counted again when the rules change, and when widgets do")
    func changes() throws {
        let harness = RouterHarness(catalog: try Self.catalog(#"{"title":["${configuration.p}"]}"#))
        let gateway = crowd(harness)
        let publisher = harness.connect(.publisher, "p")
        harness.install(try Self.catalog(Self.wildcard))
        harness.push(publisher, 1, Self.text(500))
        _ = harness.settle()
        #expect(harness.router.counters.widgetsLeftOut == 8 * 256)
        for device in 0..<8 {
            harness.widgets(
                gateway,
                "many-\(device)",
                Self.widgets(10) { "*potion*\(device)-\($0)*" }
            )
        }
        harness.push(publisher, 2, Self.text(500))
        _ = harness.settle()
        #expect(harness.router.counters.widgetsLeftOut == 8 * 256)
    }

    @Test("are explained as left out")
    func explained() throws {
        let harness = RouterHarness(catalog: try Self.catalog(Self.wildcard))
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "many", Self.widgets(256) { "*potion*x*\($0 % 2)" })
        _ = harness.settle()
        let work = try harness.router.beginExplaining(
            app: "game",
            payload: Array(#"{"title":"potion \#(String(repeating: "x", count: 4_000))0"}"#.utf8),
            isUrgent: false,
            device: "many",
            kind: nil,
            limit: 300,
            now: harness.now
        )
        while !harness.router.resume(work) {}
        let result = work.explanation.result()
        #expect(result.matchCount == 0 && result.nearMisses.count == 256)
        #expect(result.nearMisses[0].text.contains("are left out of it"))
        #expect(!result.nearMisses[1].text.contains("are left out of it"))
    }

    @Test("are limited together, by what they are compiled to")
    func limited() throws {
        let harness = RouterHarness(catalog: try Self.catalog(Self.regexp))
        let device = harness.connect(.device, "d")
        for (pattern, isAccepted) in [
            ("a{1500}", true), ("a{2100}", false), ("(", true), ("[a-f]+x", true),
        ] {
            let seq = harness.widgets(device, "d", Self.widgets(1) { _ in pattern })
            let sent = harness.step()
            let isAcknowledged = sent == [.ack(device, seq: seq, matched: nil)]
            #expect(isAcknowledged == isAccepted, "\(pattern): \(sent)")
        }
        // Each counts 16 at least.
        for (count, isAccepted) in [(128, true), (129, false)] {
            let seq = harness.widgets(device, "d", Self.widgets(count) { "x\($0)" })
            let isAcknowledged = harness.step() == [.ack(device, seq: seq, matched: nil)]
            #expect(isAcknowledged == isAccepted, "\(count)")
        }
    }
}
