import Basics
import ReloadScheduling
import RouterCore
import TestSupport
import Testing

@Suite("By a timeline's policy, the router")
struct SchedulingPolicyTests {
    let harness = SchedulingHarness([
        .character("detail") { $0.atEndFloor = 60_000 },
        .character("log") { $0.atEndFloor = 900_000 },
    ])
    let device: ConnectionSlot

    init() {
        device = harness.device(
            "d",
            [
                TestWidget("w", "detail", #"{"character":"kit"}"#),
                TestWidget("v", "log", #"{"character":"kit"}"#),
            ]
        )
    }

    @Test("holds an atEnd timeline that ends now for its kind's floor")
    func floor() {
        for widget in ["w", "v"] {
            harness.router.timeline(
                device,
                "d",
                widget,
                entries: [harness.date(-1_000)],
                policy: #""atEnd""#
            )
        }
        #expect(harness.scheduled().map(\.reloadAt) == [minute, 15 * minute])
        let sent = harness.run(until: hour)
        #expect(sent.map(\.at) == [minute, 15 * minute])
    }

    @Test(
        "does not loop with a timeline that always ends now: once a floor, as far as spacing goes"
    )
    func endsNow() {
        var at: [Int64] = []
        harness.router.timeline(device, "d", "w", policy: #""atEnd""#)
        while harness.time < hour {
            for reload in harness.run(until: harness.time + 1_000) {
                at.append(reload.at)
                harness.router.timeline(
                    device,
                    "d",
                    "w",
                    reload: reload.reload.seq,
                    entries: [harness.router.now.wall.rawValue],
                    policy: #""atEnd""#
                )
            }
        }
        #expect(at.count <= 12 && at.count >= 11, "\(at)")
        for (earlier, later) in zip(at, at.dropFirst()) { #expect(later - earlier >= 300_000) }
    }

    @Test("spreads the ends of timelines over the window, and sends none before")
    func endsAreSpread() {
        let fleet = Fleet(1_000, [.unlimited()])
        for number in 0..<fleet.count {
            fleet.harness.router.timeline(
                fleet.gateway,
                "d\(number)",
                "w",
                entries: [fleet.harness.date(hour)],
                policy: #""atEnd""#
            )
        }
        #expect(fleet.harness.scheduled().contains { $0.slotDelay > 0 })
        let sent = fleet.harness.run(until: 2 * hour)
        #expect(sent.count == 1_000 && sent.allSatisfy { $0.cause == "atEnd" })
        #expect(sent.allSatisfy { $0.at >= hour && $0.at < hour + 600_000 })
        // The first ten are not delayed; the others are about two a second.
        #expect(peak(sent.map(\.at), fleet.harness.start) <= 15)
    }

    @Test("takes after's date, whether it lies before, within or after the entries")
    func after() {
        for date in [10 * minute, 90 * minute, 5 * hour] {
            harness.router.timeline(
                device,
                "d",
                "w",
                entries: [harness.date(hour), harness.date(2 * hour)],
                policy: harness.after(harness.time + date)
            )
            let due = harness.time + date
            #expect(harness.scheduled().map(\.reloadAt) == [due])
            let sent = harness.run(until: due + minute)
            #expect(sent.map(\.at) == [due])
        }
    }

    @Test("never reloads by date for never, only by push or request")
    func never() {
        harness.router.timeline(device, "d", "w", entries: [harness.date(1)])
        #expect(harness.run(until: 9 * day) == [])
        harness.push(#"{"character":"kit"}"#)
        #expect(harness.settle().map(\.widgets) == [["w", "v"]])
        harness.router.advance(hour)
        harness.router.request(device, "d", kind: "detail")
        #expect(harness.settle().map(\.widgets) == [["w"]])
    }

    @Test("accepts close entries, counts them and warns; it refuses more than 400")
    func closeEntries() {
        harness.router.timeline(
            device,
            "d",
            "w",
            entries: [0, 10 * minute, 12 * minute].map { harness.date($0) },
            policy: #""atEnd""#
        )
        #expect(harness.scheduled().map(\.isWarned) == [true])
        #expect(harness.router.router.counters.closeEntries == 1)
        let entries = (0...400).map { harness.date(Int64($0) * 10 * minute) }
        let seq = harness.router.timeline(device, "d", "w", entries: entries, policy: #""atEnd""#)
        let refused = harness.router.step()
        #expect(refused.count == 1 && isReject(refused[0], device, seq, .timelineInvalid))
        harness.router.timeline(
            device,
            "d",
            "w",
            entries: Array(entries.dropLast()),
            policy: #""atEnd""#
        )
        #expect(harness.scheduled().map(\.reloadAt) == [399 * 10 * minute])
        // The refused one has left nothing, the accepted one has replaced the first.
        #expect(harness.run(until: 3 * day).map(\.at) == [399 * 10 * minute])
    }

    @Test("lets a newer timeline replace the older one, and says so")
    func replaced() {
        harness.router.timeline(device, "d", "w", policy: harness.after(hour))
        harness.router.timeline(device, "d", "w", policy: harness.after(2 * hour))
        #expect(harness.run(until: 3 * hour).map(\.at) == [2 * hour])
        #expect(harness.reasons() == [.scheduled, .superseded, .scheduled, .sent])
    }

    @Test("sends no RELOAD for a date that the device's own timer keeps, and records it as done")
    func ownTimer() {
        harness.router.timeline(device, "d", "w", policy: harness.after(hour), ownTimer: true)
        #expect(harness.scheduled().map(\.reloadAt) == [hour])
        #expect(harness.run(until: 2 * hour) == [])
        #expect(harness.reasons() == [.scheduled, .done])
        harness.router.timeline(device, "d", "w", policy: harness.after(3 * hour), because: "date")
        #expect(harness.run(until: 4 * hour).map(\.at) == [3 * hour])
    }

    @Test("never announces or keeps a date before the one asked for, however far it is")
    func farDates() {
        for date in [4_102_444_800_000, 64_060_588_800_000] as [Int64] {  // 2100 and 4000
            harness.router.timeline(device, "d", "w", policy: #"{"after":\#(date)}"#)
            let answer = harness.scheduled()
            #expect(answer.map { $0.reloadAt + harness.start.wall.rawValue >= date } == [true])
            harness.router.now = Instant(
                monotonic: harness.start.monotonic
                    + Milliseconds(rawValue: date - harness.start.wall.rawValue - 1),
                wall: WallTime(rawValue: date - 1)
            )
            #expect(harness.settle() == [])
            harness.router.advance(minute)
            #expect(harness.settle().count == 1)
        }
    }
}
