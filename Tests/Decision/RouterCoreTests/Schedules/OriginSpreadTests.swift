import Basics
import FrameCodec
import ReloadScheduling
import RouterCore
import TestSupport
import Testing

/// Many devices behind one gateway, each with one widget `w` for the same character.
final class Fleet {
    let harness: SchedulingHarness
    let gateway: ConnectionSlot
    let count: Int

    init(
        _ count: Int,
        _ kinds: [KindDeclaration],
        origins: [OriginDeclaration] = [],
        kind: String = "detail"
    ) {
        harness = SchedulingHarness(kinds, origins: origins)
        self.count = count
        gateway = harness.router.connect(.gateway)
        for number in 0..<count { register(number, kind) }
        _ = harness.settle()
    }

    func register(_ number: Int, _ kind: String = "detail") {
        let widget = TestWidget("w", kind, #"{"character":"kit"}"#)
        harness.router.widgets(gateway, "d\(number)", [widget])
    }

    /// Slots that widgets hold, and those that the ledgers know of.
    var slots: [Int] {
        [
            harness.router.router.usedSlotCount,
            harness.router.router.slotCounters.pending,
        ]
    }

    /// Sends a TIMELINE for each of the devices, and returns what they are told.
    func timelines(
        _ devices: Range<Int>? = nil,
        policy: String,
        ownTimer: Bool = false
    ) -> [ScheduledAnswer] {
        for number in devices ?? 0..<count {
            harness.router.timeline(
                gateway,
                "d\(number)",
                "w",
                policy: policy,
                ownTimer: ownTimer
            )
        }
        return harness.scheduled()
    }
}

/// The most in one second, counted by the seconds of the wall clock.
func peak(_ times: [Int64], _ start: Instant) -> Int {
    var counts: [Int64: Int] = [:]
    for time in times { counts[(time + start.wall.rawValue) / 1_000, default: 0] += 1 }
    return counts.values.max() ?? 0
}

/// The most in any 1,000 ms.
func slidingPeak(_ times: [Int64]) -> Int {
    var (first, most) = (0, 0)
    let times = times.sorted()
    for (index, time) in times.enumerated() {
        while time - times[first] >= 1_000 { first += 1 }
        most = max(most, index - first + 1)
    }
    return most
}

@Suite("Spreading dates, the router")
struct OriginSpreadTests {
    @Test("sends 10,000 devices with one date over 600 s, flat, all in the window, none before")
    func flat() {
        let fleet = Fleet(10_000, [.unlimited()])
        let date = hour + 123
        let reported = fleet.timelines(policy: fleet.harness.after(date))
        #expect(reported.count == 10_000)
        let sent = fleet.harness.run(until: 2 * hour)
        #expect(sent.count == 10_000)
        #expect(sent.allSatisfy { $0.at >= date && $0.at < date + 600_000 })
        #expect(peak(sent.map(\.at), fleet.harness.start) <= 18)
        // What was told is what is done.
        let byDevice = Dictionary(uniqueKeysWithValues: reported.map { ($0.device, $0.reloadAt) })
        #expect(sent.allSatisfy { byDevice[$0.reload.device] == $0.at })
        #expect(reported.filter { $0.slotDelay == 0 }.count >= 10)
    }

    @Test("does not delay devices below the threshold at all")
    func undelayed() {
        let origins = [OriginDeclaration(origin: "api", perSecond: 100, undelayed: 25)]
        let fleet = Fleet(25, [.unlimited { $0.origin = "api" }], origins: origins)
        let reported = fleet.timelines(policy: fleet.harness.after(hour))
        #expect(reported.allSatisfy { $0.slotDelay == 0 })
        #expect(fleet.harness.run(until: 2 * hour).allSatisfy { $0.at == hour })
    }

    @Test("holds the origin's rate with several dates, and lets the window grow and counts that")
    func rate() {
        let origins = [OriginDeclaration(origin: "api", perSecond: 5, undelayed: 3)]
        let kind = KindDeclaration.unlimited {
            $0.origin = "api"
            $0.spread = SpreadPolicy(window: 60_000)
        }
        let fleet = Fleet(1_200, [kind], origins: origins)
        for (index, date) in [hour, hour + 20_000, hour + 40_500].enumerated() {
            _ = fleet.timelines(
                index * 400..<(index + 1) * 400,
                policy: fleet.harness.after(date)
            )
        }
        let sent = fleet.harness.run(until: 2 * hour)
        #expect(sent.count == 1_200)
        #expect(peak(sent.map(\.at), fleet.harness.start) <= 5)
        #expect(sent.last!.at > hour + 100_500, "1,200 at 5/s take 240 s")
        #expect(sent.last!.at < hour + 260_000)
        #expect(fleet.harness.router.router.counters.windowsGrown > 0)
    }

    @Test("gives a cancelled reload's slot back, and stays flat with every fifth gone")
    func cancelled() {
        let fleet = Fleet(10_000, [.unlimited()])
        _ = fleet.timelines(policy: fleet.harness.after(hour))
        #expect(fleet.slots == [10_000, 10_000])
        for number in stride(from: 0, to: 10_000, by: 5) {
            fleet.harness.router.timeline(fleet.gateway, "d\(number)", "w")
        }
        _ = fleet.harness.settle()
        #expect(fleet.slots == [8_000, 8_000])
        let sent = fleet.harness.run(until: 2 * hour)
        #expect(fleet.slots == [0, 0])
        #expect(sent.count == 8_000)
        #expect(sent.allSatisfy { $0.at >= hour && $0.at < hour + 600_000 })
        #expect(peak(sent.map(\.at), fleet.harness.start) <= 15)
    }

    @Test("leaves the slots of devices with their own timers as they were announced")
    func ownTimers() {
        let fleet = Fleet(400, [.unlimited { $0.spread = SpreadPolicy(window: 40_000) }])
        let own = fleet.timelines(0..<200, policy: fleet.harness.after(hour), ownTimer: true)
        let reported = fleet.timelines(200..<400, policy: fleet.harness.after(hour))
        for number in 0..<40 { fleet.harness.router.timeline(fleet.gateway, "d\(number)", "w") }
        let sent = fleet.harness.run(until: 2 * hour)
        #expect(sent.count == 200 && Set(sent.map(\.reload.device)) == Set(reported.map(\.device)))
        let all = sent.map(\.at) + own.dropFirst(40).map(\.reloadAt)
        #expect(peak(all, fleet.harness.start) <= 10)
    }

    @Test(
        "spreads by the mode: not at all with none, at random with uniform",
        arguments: [
            SpreadPolicy.Mode.none, .uniform,
        ]
    )
    func modes(mode: SpreadPolicy.Mode) {
        let kind = KindDeclaration.unlimited {
            $0.spread = SpreadPolicy(mode: mode, window: 100_000)
        }
        let fleet = Fleet(2_000, [kind])
        let reported = fleet.timelines(policy: fleet.harness.after(hour))
        let sent = fleet.harness.run(until: 2 * hour)
        #expect(sent.count == 2_000)
        if mode == .none {
            #expect(sent.allSatisfy { $0.at == hour })
        } else {
            #expect(sent.allSatisfy { $0.at >= hour && $0.at < hour + 100_000 })
            let peak = peak(sent.map(\.at), fleet.harness.start)
            #expect((22...45).contains(peak), "as chance has it: \(peak)")
            // The same widgets have the same places again.
            let again = Fleet(2_000, [kind]).timelines(policy: fleet.harness.after(hour))
            #expect(again == reported)
        }
    }

    @Test("holds what is due for devices that are away, and resumes it by the origin's permits")
    func offline() {
        let origins = [OriginDeclaration(origin: "api", perSecond: 50, undelayed: 0)]
        let fleet = Fleet(500, [.unlimited { $0.origin = "api" }], origins: origins)
        _ = fleet.timelines(policy: fleet.harness.after(hour))
        fleet.harness.router.close(fleet.gateway)
        #expect(fleet.harness.run(until: 3 * hour) == [])
        #expect(fleet.harness.reasons("d7") == [.scheduled, .offline])
        let gateway = fleet.harness.router.connect(.gateway)
        for number in 0..<500 { fleet.harness.state(gateway, "d\(number)", #""foreground":false"#) }
        let sent = fleet.harness.run(until: 4 * hour)
        #expect(sent.count == 500)
        #expect(peak(sent.map(\.at), fleet.harness.start) <= 50)
        #expect(sent.last!.at - 3 * hour < 11_000)
    }

    @Test("paces the unanswered RELOADs of a thousand devices that connect again")
    func unanswered() {
        let origins = [OriginDeclaration(origin: "api", perSecond: 200)]
        let kind = KindDeclaration.unlimited {
            $0.origin = "api"
            $0.budget = .fixed(3)
        }
        let fleet = Fleet(1_000, [kind], origins: origins)
        fleet.harness.push(#"{"character":"kit"}"#)
        #expect(fleet.harness.run(until: hour).count == 1_000)
        fleet.harness.router.close(fleet.gateway)
        let gateway = fleet.harness.router.connect(.gateway)
        for number in 0..<1_000 {
            fleet.harness.state(gateway, "d\(number)", #""foreground":false"#)
        }
        let sent = fleet.harness.run(until: 2 * hour)
        #expect(sent.count == 1_000)
        #expect(peak(sent.map(\.at), fleet.harness.start) <= 200)
        // It was paid for once.
        for _ in 0..<4 {
            fleet.harness.push(#"{"character":"kit"}"#)
            _ = fleet.harness.run(until: fleet.harness.time + minute)
        }
        #expect(fleet.harness.router.router.counters.reloadsSent == 4_000)
    }

    @Test("keeps immediate and scheduled reloads together within the origin's rate")
    func together() {
        let origins = [OriginDeclaration(origin: "api", perSecond: 20, undelayed: 0)]
        let requestScheduled = KindDeclaration.unlimited {
            $0.origin = "api"
            $0.spread = SpreadPolicy(window: 30_000)
        }
        let pushed = KindDeclaration.character("log") {
            $0.origin = "api"
            $0.budget = .unlimited
        }
        let fleet = Fleet(300, [requestScheduled, pushed], origins: origins)
        let slot = fleet.harness.router.connect(.gateway)
        for number in 0..<300 {
            fleet.harness.router.widgets(
                slot,
                "p\(number)",
                [TestWidget("w", "log", #"{"character":"otter"}"#)]
            )
        }
        _ = fleet.timelines(policy: fleet.harness.after(10_000))
        _ = fleet.harness.run(until: 12_300)
        fleet.harness.push(#"{"character":"otter"}"#)
        let sent = fleet.harness.run(until: hour)
        #expect(peak(sent.map(\.at), fleet.harness.start) <= 20)
        #expect(fleet.harness.router.router.counters.reloadsSent == 600)
    }
}

@Suite("Handing a push out to many devices, the router")
struct OriginFanOutTests {
    private func fleet(_ count: Int, perSecond: Int) -> Fleet {
        let kind = KindDeclaration.character {
            $0.budget = .unlimited
            $0.origin = "api"
        }
        return Fleet(
            count,
            [kind],
            origins: [OriginDeclaration(origin: "api", perSecond: perSecond)]
        )
    }

    @Test("takes about ten seconds for 5,000 devices at 500 a second, never more in any second")
    func paced() {
        let fleet = fleet(5_000, perSecond: 500)
        fleet.harness.router.advance(400)
        fleet.harness.push(#"{"character":"kit"}"#)
        let sent = fleet.harness.run(until: minute)
        #expect(sent.count == 5_000)
        #expect((9_000...10_500).contains(sent.last!.at - sent.first!.at))
        #expect(peak(sent.map(\.at), fleet.harness.start) <= 500)
        // Where two seconds meet there may be more: what a second has left goes before its end.
        #expect(slidingPeak(sent.map(\.at)) <= 750)
        let spread = fleet.harness.decisions("d4999").first { $0.reason == .spread }
        #expect(spread?.until.map { $0 > 0 && $0 <= 12_000 } == true)
    }

    @Test("says of each widget that waits for its permit that it does, and how long at most")
    func reasons() {
        let fleet = fleet(200, perSecond: 10)
        fleet.harness.push(#"{"character":"kit"}"#)
        let sent = fleet.harness.run(until: minute)
        #expect(sent.count == 200)
        for reload in sent where reload.at > 0 {
            let spread = fleet.harness.decisions(reload.reload.device).first
            #expect(spread?.reason == .spread, "\(reload)")
            #expect(spread?.until.map { $0 >= reload.at } == true, "\(reload)")
        }
    }

    @Test("drops what has expired while it waited in portions")
    func expiredInPortions() {
        let fleet = fleet(10_000, perSecond: 100)
        fleet.harness.push(#"{"character":"kit"}"#, expiresAt: 2_000)
        let sent = fleet.harness.run(until: 1_999).count
        fleet.harness.router.advance(1)
        var dropped: UInt64 = 0
        var steps = 0
        while dropped < 10_000 - UInt64(sent) {
            fleet.harness.router.advance(1)
            _ = fleet.harness.router.step()
            let now = fleet.harness.router.router.counters.reloadsExpired
            #expect(now - dropped <= UInt64(RouterLimits.reloadsPerStep))
            dropped = now
            steps += 1
            if steps > 100 { break }
        }
        #expect(dropped == 10_000 - UInt64(sent) && steps < 10)
    }

    @Test("lets urgent pushes overtake, and visible widgets go before others")
    func ranks() {
        let fleet = fleet(1_000, perSecond: 100)
        for number in 0..<100 {
            fleet.harness.state(fleet.gateway, "d\(number)", #""visible":["w"]"#)
        }
        let urgent = fleet.harness.device("u", [.character("w", "otter")])
        fleet.harness.push(#"{"character":"kit"}"#)
        var sent = fleet.harness.run(until: 3_000)
        let visible = Set((0..<100).map { "d\($0)" })
        #expect(Set(sent.prefix(100).map(\.reload.device)) == visible)
        fleet.harness.push(#"{"character":"otter"}"#, flags: PushFlags.urgent)
        sent = fleet.harness.run(until: 4_000)
        #expect(sent.first { $0.reload.slot == urgent }.map { $0.at <= 3_100 } == true)
    }

    @Test("does not always let the same widget come last")
    func order() {
        let fleet = fleet(300, perSecond: 100)
        var last: Set<String> = []
        for _ in 0..<4 {
            fleet.harness.push(#"{"character":"kit"}"#)
            let sent = fleet.harness.run(until: fleet.harness.time + minute)
            #expect(sent.count == 300)
            last.insert(sent.last!.reload.device)
        }
        #expect(last.count > 1)
    }

    @Test("counts a reload that has to wait for longer than its kind's window")
    func windowExceeded() {
        let kind = KindDeclaration.character {
            $0.budget = .unlimited
            $0.origin = "api"
            $0.spread = SpreadPolicy(window: 5_000)
        }
        let fleet = Fleet(
            1_000,
            [kind],
            origins: [OriginDeclaration(origin: "api", perSecond: 100)]
        )
        fleet.harness.push(#"{"character":"kit"}"#)
        #expect(fleet.harness.run(until: minute).count == 1_000)
        #expect(fleet.harness.router.router.counters.windowsExceeded > 400)
    }

    @Test("lets a push join the reload that waits for its permit, however often it comes")
    func joined() {
        let fleet = fleet(200, perSecond: 10)
        for round in 0..<50 {
            let flags: UInt8 = round % 2 == 0 ? 0 : PushFlags.urgent
            fleet.harness.push(#"{"character":"kit"}"#, flags: flags)
        }
        let sent = fleet.harness.run(until: hour)
        #expect(sent.count == 200 && Set(sent.map(\.reload.device)).count == 200)
        #expect(sent.last!.at < 21_000)
    }

    @Test("sends a device's waiting widgets in one RELOAD")
    func oneReload() {
        let fleet = fleet(100, perSecond: 10)
        let device = fleet.harness.device("m", [.character("a", "kit"), .character("b", "kit")])
        fleet.harness.push(#"{"character":"kit"}"#)
        let sent = fleet.harness.run(until: minute).filter { $0.reload.slot == device }
        #expect(sent.map { Set($0.widgets) } == [["a", "b"]])
    }

    @Test("drops what expires while it waits for its permit, and says so")
    func expired() {
        let fleet = fleet(100, perSecond: 10)
        fleet.harness.push(#"{"character":"kit"}"#, expiresAt: 3_000)
        let sent = fleet.harness.run(until: minute)
        #expect((25...35).contains(sent.count), "\(sent.count)")
        #expect(sent.allSatisfy { $0.at < 3_000 })
        let counts = fleet.harness.router.router.counters.decisions
        #expect(counts[.expired] == UInt64(100 - sent.count))
    }
}
