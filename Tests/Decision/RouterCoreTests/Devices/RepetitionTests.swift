import Basics
import FrameCodec
import StoreFormat
import Testing

@testable import RouterCore

@Suite("A RELOAD that a new session repeats")
struct RepetitionTests {
    private let origins = [OriginDeclaration(origin: "api", perSecond: 1)]
    private let widgets: [TestWidget] = [.character("w", "kit")]

    /// A device that has not answered a RELOAD and comes back while its origin's second is full;
    /// also the sequence number of the RELOAD.
    private func waiting(
        _ change: (inout KindPolicy) -> Void = { _ in }
    ) throws -> (harness: SchedulingHarness, device: ConnectionSlot, reload: UInt64) {
        let harness = SchedulingHarness(
            [
                .character {
                    $0.origin = "api"
                    change(&$0)
                }
            ],
            origins: origins,
            keepsJournal: true
        )
        _ = harness.device("o", [.character("x", "crow")])
        let device = harness.device("d", widgets)
        harness.push(#"{"character":"kit"}"#)
        let sent = try #require(harness.settle().first)
        harness.router.close(device)
        harness.router.advance(10 * second)
        harness.push(#"{"character":"crow"}"#)
        #expect(harness.settle().map(\.widgets) == [["x"]])
        let later = harness.router.connect(.device, "d")
        harness.router.widgets(later, "d", widgets)
        #expect(harness.settle() == [], "it waits for a permit")
        return (harness, later, sent.reload.seq)
    }

    @Test("waits for its origin, and ends when its TIMELINE comes")
    func answered() throws {
        let (harness, device, reload) = try waiting()
        harness.router.timeline(device, "d", "w", reload: reload)
        #expect(harness.run(until: harness.time + hour) == [])
        #expect(harness.reasons().last == .superseded)
    }

    @Test("comes if the TIMELINE answers another one")
    func unanswered() throws {
        let (harness, device, reload) = try waiting()
        harness.router.timeline(device, "d", "w", reload: reload - 1)
        #expect(harness.run(until: harness.time + hour).map(\.widgets) == [["w"]])
    }

    @Test("is not sent if its TIMELINE comes in the same step")
    func atOnce() throws {
        let harness = SchedulingHarness([.character()])
        let device = harness.device("d", widgets)
        harness.push(#"{"character":"kit"}"#)
        let sent = try #require(harness.settle().first)
        harness.router.close(device)
        let later = harness.router.connect(.device, "d")
        harness.router.widgets(later, "d", widgets)
        harness.router.timeline(later, "d", "w", reload: sent.reload.seq)
        #expect(harness.run(until: harness.time + hour) == [])
        harness.push(#"{"character":"kit"}"#)
        #expect(harness.settle().map(\.widgets) == [["w"]])
    }

    @Test("outlives a push for the same widget that expires before the session begins")
    func expired() throws {
        let harness = SchedulingHarness([.character()])
        let device = harness.device("d", widgets)
        harness.push(#"{"character":"kit"}"#)
        #expect(harness.settle().count == 1)
        harness.router.close(device)
        harness.push(#"{"character":"kit"}"#, expiresAt: harness.time + second)
        #expect(harness.settle() == [])
        harness.router.advance(10 * second)
        let later = harness.router.connect(.device, "d")
        harness.router.widgets(later, "d", widgets)
        #expect(harness.settle().map(\.widgets) == [["w"]], "the first push was not seen")
    }

    @Test("leaves a push that has joined it, which is charged and delayed as any other")
    func joined() throws {
        let (harness, device, reload) = try waiting { $0.budget = .fixed(1) }
        harness.push(#"{"character":"kit"}"#)
        harness.router.timeline(device, "d", "w", reload: reload)
        let sent = harness.run(until: 26 * hour)
        #expect(sent.map(\.widgets) == [["w"]])
        #expect(sent[0].at > hour, "the first RELOAD took the day's only unit")
    }
}
