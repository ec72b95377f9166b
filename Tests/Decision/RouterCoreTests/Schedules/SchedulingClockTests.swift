import Basics
import ReloadScheduling
import RouterCore
import TestSupport
import Testing

@Suite("When the clock is set, the router")
struct SchedulingClockTests {
    @Test("spreads overdue dates again after a jump forward, and does not send them at once")
    func forward() {
        let origins = [OriginDeclaration(origin: "api", perSecond: 30, undelayed: 10)]
        let kind = KindDeclaration.unlimited {
            $0.origin = "api"
            $0.spread = SpreadPolicy(window: 100_000)
        }
        let fleet = Fleet(1_000, [kind], origins: origins)
        _ = fleet.timelines(policy: fleet.harness.after(hour))
        _ = fleet.harness.run(until: minute)
        fleet.harness.router.now.wall += Milliseconds(rawValue: 5 * hour)
        let sent = fleet.harness.run(until: hour)
        #expect(sent.count == 1_000)
        #expect(peak(sent.map(\.at), fleet.harness.start) <= 30)
        #expect(sent.last!.at < minute + 101_000)
        #expect(fleet.harness.router.router.counters.clockJumps == 1)
        #expect(fleet.harness.decisions("d999").contains { $0.reason == .spread })
    }

    @Test(
        "or has run for years, reloads when it would have on the first day",
        // Sixteenths of a second have more than 32 bits soon, and have them already.
        arguments: [268_435_456_000 - 4_000, 268_435_456_000 - 150_000, 1_790_000_000_123]
    )
    func years(monotonic: Int64) {
        let first = reloads(from: 5_000 + monotonic % 1_000)
        #expect(first.count == 3)
        #expect(reloads(from: monotonic) == first)
    }

    /// When a widget reloads that has three pushes, each put off by a storm, and two by its
    /// spacing.
    private func reloads(from monotonic: Int64) -> [Int64] {
        let kind = KindDeclaration.character {
            $0.debounce = DebouncePolicy(wait: 2_000, longest: 5_000)
        }
        let start = Instant(monotonic: MonotonicTime(rawValue: monotonic), wall: 1_700_000_000_000)
        let harness = SchedulingHarness([kind], start: start)
        _ = harness.device("d", [.character("w", "kit")])
        var sent: [TimedReload] = []
        for time in [0, 100, 1_000, 400_000] as [Int64] {
            sent += harness.run(until: time)
            harness.push(#"{"character":"kit"}"#)
            harness.push(#"{"character":"kit"}"#)
            sent += harness.run(until: time + 100_000)
        }
        sent += harness.run(until: hour)
        return sent.map(\.at)
    }

    @Test("does so after a long pause of the process")
    func pause() {
        let fleet = Fleet(
            2_000,
            [.unlimited { $0.spread = SpreadPolicy(window: 100_000) }]
        )
        _ = fleet.timelines(policy: fleet.harness.after(minute))
        _ = fleet.harness.settle()
        fleet.harness.router.advance(hour)
        let sent = fleet.harness.run(until: 2 * hour)
        #expect(sent.count == 2_000)
        #expect(peak(sent.map(\.at), fleet.harness.start) <= 31)
        #expect(sent.last!.at < hour + 100_000)
    }

    @Test("meets no date early after a jump back, nor a slot that was moved up meanwhile")
    func backward() {
        let fleet = Fleet(
            300,
            [.unlimited { $0.spread = SpreadPolicy(window: 60_000) }]
        )
        _ = fleet.timelines(policy: fleet.harness.after(hour))
        _ = fleet.harness.run(until: minute)
        fleet.harness.router.now.wall -= Milliseconds(rawValue: hour / 2)
        _ = fleet.harness.settle()
        // Slots that are given back now move others up.
        for number in 0..<60 { fleet.harness.router.timeline(fleet.gateway, "d\(number)", "w") }
        var wallTimes: [Int64] = []
        while fleet.harness.time < 3 * hour {
            let sent = fleet.harness.run(until: fleet.harness.time + second)
            for _ in sent { wallTimes.append(fleet.harness.router.now.wall.rawValue) }
        }
        #expect(wallTimes.count == 240)
        #expect(wallTimes.allSatisfy { $0 >= fleet.harness.date(hour) })
        #expect(wallTimes.allSatisfy { $0 <= fleet.harness.date(hour + minute + second) })
    }

    @Test("waits by the monotonic clock for what waits, whatever the wall clock does")
    func waits() {
        let harness = SchedulingHarness([
            .character { $0.debounce = DebouncePolicy(wait: 60_000, longest: 600_000) }
        ])
        _ = harness.device("d", [.character("w", "kit")])
        for jump in [5 * hour, -3 * hour] {
            harness.push(#"{"character":"kit"}"#)
            let begin = harness.time
            _ = harness.settle()
            harness.router.now.wall += Milliseconds(rawValue: jump)
            let sent = harness.run(until: begin + 10 * minute)
            #expect(sent.count == 1 && (60_000...60_063).contains(sent[0].at - begin))
        }
    }

    @Test("leaves a device's own timer alone when it is late")
    func ownTimer() {
        let fleet = Fleet(50, [.unlimited()])
        _ = fleet.timelines(policy: fleet.harness.after(minute), ownTimer: true)
        fleet.harness.router.advance(hour)
        #expect(fleet.harness.run(until: 3 * hour) == [])
        #expect(fleet.harness.reasons("d1") == [.scheduled, .done])
    }
}
