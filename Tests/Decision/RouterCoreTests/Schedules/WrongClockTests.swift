import Basics
import FrameCodec
import RouterCore
import TestSupport
import Testing

/// A wall clock that jumps ahead, and back when somebody has noticed.
@Suite("When the clock was wrong and is set right, the router")
struct WrongClockTests {
    private static let day = 24 * hour

    @Test(
        "reloads each widget within its window of its date",
        arguments: [WrongClockTests.day, 400 * WrongClockTests.day],
        0..<12
    )
    func jumps(by jump: Int64, seed: Int) {
        for mode in [SpreadPolicy.Mode.ledger, .uniform] {
            var run = WrongClockRun(mode: mode, jump: jump, seed: UInt64(seed))
            run.play()
            run.check("\(mode), \(jump / Self.day) days, seed \(seed)")
        }
    }

    @Test("keeps the origin's rate when overdue dates have their times again", arguments: 0..<4)
    func stillSpread(seed: Int) {
        let origins = [OriginDeclaration(origin: "api", perSecond: 10, undelayed: 5)]
        let kind = KindDeclaration.unlimited {
            $0.origin = "api"
            $0.spread = SpreadPolicy(window: 300_000)
        }
        let fleet = Fleet(500, [kind], origins: origins)
        _ = fleet.timelines(policy: fleet.harness.after(2 * hour))
        _ = fleet.harness.run(until: Int64(seed) * 20 * minute + second)
        fleet.harness.router.now.wall += Milliseconds(rawValue: Self.day)
        // They are overdue, and get slots within the next minutes; the clock is right before those.
        let early = fleet.harness.settle()
        #expect(early.count == 5, "as many as are not delayed")
        fleet.harness.router.now.wall -= Milliseconds(rawValue: Self.day)
        let sent = fleet.harness.run(until: 3 * hour)
        #expect(sent.count == 495)
        #expect(sent.allSatisfy { $0.at >= 2 * hour && $0.at < 2 * hour + 301_000 }, "\(seed)")
        #expect(peak(sent.map(\.at), fleet.harness.start) <= 10)
        #expect(fleet.slots == [0, 0])
    }

    @Test(
        "reloads at the end of a timeline by the time that has passed, and not by the clock",
        arguments: [[], [0], [10 * minute]]
    )
    func atEnd(entries: [Int64]) {
        let fleet = Fleet(20, [.unlimited { $0.spread = SpreadPolicy(window: 10_000) }])
        let harness = fleet.harness
        harness.router.now.wall += Milliseconds(rawValue: Self.day)
        for number in 0..<fleet.count {
            harness.router.timeline(
                fleet.gateway,
                "d\(number)",
                "w",
                entries: entries.map(harness.date),
                policy: #""atEnd""#
            )
        }
        _ = harness.run(until: minute)
        harness.router.now.wall -= Milliseconds(rawValue: Self.day)
        let sent = harness.run(until: hour)
        let end = max(5 * minute, entries.last ?? 0)
        #expect(sent.count == 20)
        #expect(sent.allSatisfy { $0.at >= end && $0.at < end + 11_000 })
    }
}

/// Some widgets with dates of the next hours, while the clock is wrong for a while.
private struct WrongClockRun {
    private static let count = 150
    private static let window: Int64 = 10 * minute

    private let harness: SchedulingHarness
    private let gateway: ConnectionSlot
    private let jump: Int64
    private var random: SeededGenerator
    /// When the clock jumps ahead, and back, in ms from the begin.
    private let ahead: Int64
    private let back: Int64
    /// The date of each widget's last timeline, and when that came.
    private var dates: [Int64] = []
    private var reloads: [[Int64]]

    init(mode: SpreadPolicy.Mode, jump: Int64, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let kind = KindDeclaration.unlimited {
            $0.spread = SpreadPolicy(mode: mode, window: Milliseconds(rawValue: Self.window))
        }
        harness = SchedulingHarness([kind])
        gateway = harness.router.connect(.gateway)
        self.jump = jump
        ahead = Int64(random.below(Int(2 * hour)))
        back = ahead + random.pick([1, 700, 30_000, 5 * minute, 20 * minute])
        self.random = random
        reloads = Array(repeating: [], count: Self.count)
    }

    mutating func play() {
        for number in 0..<Self.count {
            let widget = TestWidget("w", "detail", #"{"character":"kit"}"#)
            harness.router.widgets(gateway, "d\(number)", [widget])
            let date = minute + Int64(random.below(Int(3 * hour)))
            dates.append(date)
            harness.router.timeline(gateway, "d\(number)", "w", policy: harness.after(date))
        }
        run(until: ahead)
        harness.router.now.wall += Milliseconds(rawValue: jump)
        run(until: ahead + (back - ahead) / 2)
        // Dates by the right clock seem to have passed.
        for number in stride(from: 0, to: Self.count, by: 5) where reloads[number].isEmpty {
            dates[number] = back + Int64(random.below(Int(2 * hour)))
            harness.router.timeline(
                gateway,
                "d\(number)",
                "w",
                policy: harness.after(dates[number])
            )
        }
        run(until: back)
        harness.router.now.wall -= Milliseconds(rawValue: jump)
        run(until: 6 * hour)
    }

    private mutating func run(until end: Int64) {
        for sent in harness.run(until: end) {
            reloads[Int(sent.reload.device.dropFirst())!].append(sent.at)
        }
    }

    func check(_ name: String) {
        for number in 0..<Self.count {
            let date = dates[number]
            guard reloads[number].count == 1, let time = reloads[number].first else {
                Issue.record("\(name): d\(number) was reloaded at \(reloads[number])")
                return
            }
            // Meanwhile the clock said that it was time.
            if time >= ahead && time <= back { continue }
            let isLate = date + Self.window > ahead && date < back
            let end = (isLate ? back : date) + Self.window + second
            if time < date || time > end {
                Issue.record(
                    "\(name): d\(number) has the date \(date) and was reloaded at \(time); the clock was wrong from \(ahead) to \(back)"
                )
                return
            }
        }
    }
}
