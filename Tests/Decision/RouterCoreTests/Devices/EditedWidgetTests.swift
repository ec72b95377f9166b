import Basics
import FrameCodec
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

/// A widget whose configuration a person edits has another id, because apps name widgets by what
/// they look like.
@Suite("A widget that is listed with another id")
struct EditedWidgetTests {
    private let kinds: [KindDeclaration] = [
        .character { $0.budget = .fixed(1) }, KindDeclaration(kind: "static"),
    ]

    private func harness() -> SchedulingHarness { SchedulingHarness(kinds, keepsJournal: true) }

    private func widget(_ id: String, _ character: String, _ family: String?) -> TestWidget {
        var widget = TestWidget.character(id, character)
        widget.family = family
        return widget
    }

    /// How many of two pushes are sent: for `kit` before the list changes, and for `fox` after.
    private func sent(_ before: [TestWidget], _ after: [TestWidget]) throws -> Int {
        let harness = harness()
        let device = harness.device("d", before)
        let replica = try #require(harness.router.replica)
        harness.push(#"{"character":"kit"}"#)
        let first = harness.settle().count
        harness.router.widgets(device, "d", after)
        harness.push(#"{"character":"fox"}"#)
        let second = harness.settle().count
        #expect(replica.difference(from: harness.router.router) == nil)
        harness.router.checkInvariants()
        return first + second
    }

    @Test("keeps its budget if it is the only one of its kind and family that went and came")
    func edited() throws {
        #expect(try sent([widget("a", "kit", "s")], [widget("b", "fox", "s")]) == 1)
        #expect(try sent([widget("a", "kit", nil)], [widget("b", "fox", nil)]) == 1)
        // Beside others, in another order, with another one of another family that goes or comes.
        let others = [widget("o", "crow", "s"), widget("p", "crow", "l")]
        #expect(
            try sent(
                [widget("a", "kit", "s")] + others,
                [others[1], widget("b", "fox", "s"), others[0]]
            ) == 1
        )
        #expect(
            try sent(
                [widget("a", "kit", "s"), widget("l", "crow", "l")],
                [widget("b", "fox", "s"), TestWidget("t", "static")]
            ) == 1
        )
    }

    @Test("is another one if kind or family differ, or if several went or came")
    func others() throws {
        #expect(try sent([widget("a", "kit", "s")], [widget("b", "fox", "l")]) == 2)
        #expect(try sent([widget("a", "kit", "s")], [widget("b", "fox", nil)]) == 2)
        #expect(
            try sent(
                [widget("a", "kit", "s"), widget("c", "crow", "s")],
                [widget("b", "fox", "s")]
            ) == 2
        )
        #expect(
            try sent(
                [widget("a", "kit", "s")],
                [widget("b", "fox", "s"), widget("c", "crow", "s")]
            ) == 2
        )
        #expect(
            try sent(
                [widget("a", "kit", "s")],
                [widget("a", "crow", "s"), widget("b", "fox", "s")]
            ) == 2
        )
    }

    @Test("has the family that was reported last")
    func families() throws {
        let harness = harness()
        let device = harness.device("d", [widget("a", "kit", "s")])
        harness.push(#"{"character":"kit"}"#)
        #expect(harness.settle().count == 1)
        harness.router.widgets(device, "d", [widget("a", "kit", "l")])
        harness.router.widgets(device, "d", [widget("b", "kit", "l")])
        harness.push(#"{"character":"kit"}"#)
        #expect(harness.settle() == [])
        #expect(harness.router.replica?.difference(from: harness.router.router) == nil)
    }

    @Test("keeps the reload that is pending for it, which names its new id")
    func pending() throws {
        let harness = harness()
        let device = harness.device("d", [widget("a", "kit", "s")])
        for _ in 0..<2 {
            harness.push(#"{"character":"kit"}"#)
            _ = harness.settle()
        }
        harness.router.widgets(device, "d", [widget("b", "fox", "s")])
        let sent = harness.run(until: 26 * hour)
        #expect(sent.map(\.widgets) == [["b"]])
        #expect(sent.first.map { $0.at > day } == true, "the day's only unit was spent before")
    }

    @Test("is the same after a restart, from the journal or from a checkpoint", arguments: 0..<8)
    func restarts(seed: UInt64) throws {
        let harness = SchedulingHarness(kinds, store: { StoreRun(limits: $0, seed: seed) })
        let others = (0..<20).map { widget("o\($0)", "crow", "l") }
        _ = harness.device("d", [widget("a", "kit", "s")] + others)
        harness.push(#"{"character":"kit"}"#)
        #expect(harness.settle().count == 1)
        for number in 0..<40 {
            _ = harness.device("e\(number)", [widget("a", "crow", "s")])
            _ = harness.run(until: harness.time + minute)
        }
        try harness.restart(keepsAll: false)
        let later = harness.router.connect(.device, "d")
        harness.router.widgets(later, "d", [widget("l", "fox", "l"), widget("b", "fox", "s")])
        _ = harness.settle()
        harness.push(#"{"character":"fox"}"#)
        #expect(harness.settle().map(\.widgets) == [["l"]], "its budget is spent")
        harness.router.checkInvariants()
    }
}
