import Basics
import FrameCodec
import ReloadScheduling
import RouterCore
import TestSupport
import Testing

@Suite("In a debounce window, the router")
struct DebounceTests {
    private let character = #"{"character":"kit"}"#

    private func harness(_ wait: Int64, _ longest: Int64) -> (SchedulingHarness, ConnectionSlot) {
        let harness = SchedulingHarness([
            .character {
                $0.debounce = DebouncePolicy(
                    wait: Milliseconds(rawValue: wait),
                    longest: Milliseconds(rawValue: longest)
                )
                $0.budget = .unlimited
            }
        ])
        return (harness, harness.device("d", [.character("w", "kit")]))
    }

    private func pushRepeatedly(
        _ harness: SchedulingHarness,
        every: Int64,
        _ duration: Int64
    )
        -> [TimedReload]
    {
        var sent: [TimedReload] = []
        let end = harness.time + duration
        while harness.time < end {
            harness.push(character)
            sent += harness.run(until: harness.time + every)
        }
        return sent
    }

    @Test("reloads once, a wait after the last push")
    func trailing() {
        let (harness, _) = harness(2_000, 30_000)
        var sent = pushRepeatedly(harness, every: 500, 10_000)
        #expect(sent == [])
        sent += harness.run(until: hour)
        #expect(sent.count == 1 && (11_500...11_563).contains(sent[0].at), "\(sent)")
        #expect(sent[0].cause == "push")
        let decisions = harness.decisions()
        #expect(decisions.map(\.reason) == Array(repeating: .debounced, count: 7) + [.sent])
        #expect(decisions[6].until.map { (sent[0].at...sent[0].at + second).contains($0) } == true)
    }

    @Test(
        "lets no debounce window last longer than the longest wait",
        arguments: [
            (2_000, 30_000), (100, 1_500), (300_000, 4_500_000), (3_600_000, 54_000_000),
            (3_600_000, 86_400_000), (1_000, 86_400_000),
        ] as [(Int64, Int64)]
    )
    func longest(wait: Int64, longest: Int64) {
        let (harness, _) = harness(wait, longest)
        let sent = pushRepeatedly(harness, every: wait / 2, longest + wait * 2)
        #expect(sent.count == 1, "\(sent)")
        if let first = sent.first { #expect((longest...longest + 63).contains(first.at)) }
    }

    @Test("lets an urgent push go at once, and all that waits with it")
    func urgent() {
        let (harness, _) = harness(2_000, 30_000)
        harness.push(character)
        #expect(harness.run(until: 1_000) == [])
        harness.push(character, flags: PushFlags.urgent)
        #expect(harness.settle().map(\.at) == [1_000])
        #expect(harness.run(until: hour) == [])
    }

    @Test("lets a date end the debounce window when it comes first")
    func date() {
        let (harness, device) = harness(20_000, 60_000)
        harness.router.timeline(device, "d", "w", policy: harness.after(5_000))
        #expect(pushRepeatedly(harness, every: 1_000, 5_000).map(\.at) == [5_000])
        #expect(harness.run(until: hour) == [])
        #expect(harness.reasons().suffix(2) == [.coalesced, .sent])
    }

    @Test("lets a REQUEST end the debounce window")
    func request() {
        let (harness, device) = harness(20_000, 60_000)
        harness.push(character)
        _ = harness.run(until: 1_000)
        harness.router.request(device, "d")
        #expect(harness.settle().map(\.at) == [1_000])
        #expect(harness.run(until: hour) == [])
    }

    @Test("ends the window also after a pause of the whole process", arguments: [10, 60, 600])
    func pause(minutes: Int64) {
        let (harness, _) = harness(2_000, 30_000)
        harness.push(character)
        _ = harness.settle()
        harness.router.advance(minutes * minute)
        #expect(harness.settle().count == 1)
    }

    @Test("holds the window's reload for a device that has gone, and says that it is offline")
    func offline() {
        let (harness, device) = harness(2_000, 30_000)
        harness.push(character)
        _ = harness.settle()
        harness.router.close(device)
        #expect(harness.run(until: minute) == [])
        #expect(harness.reasons() == [.debounced, .offline])
        _ = harness.router.connect(.device, "d")
        #expect(harness.settle().map(\.cause) == ["push"])
    }

    @Test("drops the window's reload when all of its pushes have expired, and only then")
    func expired() {
        let (harness, _) = harness(2_000, 30_000)
        for expiresAt in [500, 1_500, 1_000] as [Int64] {
            harness.push(character, expiresAt: expiresAt)
        }
        #expect(harness.run(until: minute) == [])
        #expect(harness.reasons().last == .expired)
        harness.push(character, expiresAt: harness.time + 500)
        harness.push(character)
        harness.push(character, expiresAt: harness.time + 500)
        #expect(harness.run(until: 2 * minute).count == 1)
    }
}
