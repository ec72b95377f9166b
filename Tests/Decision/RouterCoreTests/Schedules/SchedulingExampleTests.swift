import Basics
import ReloadScheduling
import RouterCore
import TestSupport
import Testing

/// The worked examples of Apple's "Keeping a widget up to date", with their exact times: a single
/// device is never delayed.
@Suite("In the documents' examples, the router")
struct SchedulingExampleTests {
    /// Friday 2026-11-20, 16:00 UTC.
    let harness = SchedulingHarness(
        [.character()],
        start: Instant(monotonic: 987_654, wall: 1_795_190_400_000)
    )
    let device: ConnectionSlot

    init() {
        device = harness.device("d", [.character("w", "panda")])
    }

    @Test("reloads a healing character after the last of its four entries, and then never")
    func healing() {
        harness.router.timeline(
            device,
            "d",
            "w",
            entries: [0, 1, 2, 3].map { harness.date($0 * hour) },
            policy: #""atEnd""#
        )
        let answer = harness.scheduled()
        #expect(answer.map(\.reloadAt) == [3 * hour] && answer.map(\.slotDelay) == [0])
        #expect(answer.map(\.isWarned) == [false])
        let sent = harness.run(until: 4 * hour)
        #expect(sent.map(\.at) == [3 * hour] && sent.map(\.cause) == ["atEnd"])
        harness.router.timeline(
            device,
            "d",
            "w",
            reload: sent.first?.reload.seq,
            entries: [harness.date(4 * hour)]
        )
        #expect(harness.scheduled() == [])
        #expect(harness.run(until: 7 * day) == [])
        let decisions = harness.decisions()
        #expect(decisions.map(\.reason) == [.scheduled, .sent])
        #expect(decisions.first?.until == 3 * hour && decisions.last?.at == 3 * hour)
    }

    @Test("reloads for the dragon in two hours, before the timeline's end, and then at its end")
    func dragon() {
        harness.router.timeline(
            device,
            "d",
            "w",
            entries: [0, 1, 2, 3].map { harness.date($0 * hour) },
            policy: harness.after(2 * hour)
        )
        #expect(harness.scheduled().map(\.reloadAt) == [2 * hour])
        let sent = harness.run(until: 2 * hour)
        #expect(sent.map(\.at) == [2 * hour] && sent.map(\.cause) == ["after"])
        harness.router.timeline(
            device,
            "d",
            "w",
            reload: sent.first?.reload.seq,
            entries: [harness.date(2 * hour), harness.date(4 * hour)],
            policy: #""atEnd""#
        )
        let next = harness.run(until: 10 * hour)
        #expect(next.map(\.at) == [4 * hour] && next.map(\.cause) == ["atEnd"])
    }

    @Test("reloads when the market opens on Monday, long after Friday's last entry")
    func market() {
        let monday = 2 * day + 17 * hour
        harness.router.timeline(
            device,
            "d",
            "w",
            entries: [harness.date(0), harness.date(30 * minute)],
            policy: harness.after(monday)
        )
        #expect(harness.scheduled().map(\.reloadAt) == [monday])
        let sent = harness.run(until: 5 * day)
        #expect(sent.map(\.at) == [monday] && sent.map(\.cause) == ["after"])
    }

    @Test("reloads only the kind of the potion's character")
    func potion() {
        let other = harness.device("e", [.character("w", "otter")])
        harness.push(#"{"event":"potion","character":"panda"}"#)
        let sent = harness.run(until: hour)
        #expect(sent.map(\.at) == [0] && sent.first?.reload.slot == device)
        #expect(sent.first?.reload.kinds == ["detail"] && sent.first?.reload.slot != other)
    }
}
