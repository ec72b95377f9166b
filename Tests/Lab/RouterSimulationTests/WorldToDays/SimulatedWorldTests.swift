import Basics
import FrameCodec
import LoadReporting
import TestSupport
import Testing

@testable import RouterSimulation

@Suite("The simulated world")
struct SimulatedWorldTests {
    private let monday = SimulatedTime.monday
    private let hour = SimulatedTime.hour

    private func date(_ kind: World.Kind, _ wall: WallTime) -> WallTime? {
        let timeline = SimulatedTimeline.make(kind, at: wall, fault: .none, hash: 9)
        return switch timeline.policy {
        case .never: nil
        case .atEnd: timeline.dates(wall).last
        case .after(let date): date
        }
    }

    @Test("has quotes that wait for the full hour while the market is open, else for Monday's 9:00")
    func quotes() {
        #expect(date(.quote, monday) == monday + hour * 9)
        #expect(date(.quote, monday + hour * 9 + 1) == monday + hour * 10)
        #expect(date(.quote, monday + hour * 17) == monday + hour * 33)
        let friday = monday + SimulatedTime.day * 4
        #expect(date(.quote, friday + hour * 18) == monday + SimulatedTime.day * 7 + hour * 9)
    }

    @Test("has scores that wait for the match to begin, then to end")
    func scores() {
        #expect(date(.score, monday) == monday + World.matchBegins)
        #expect(date(.score, monday + World.matchBegins) == monday + World.matchEnds)
        let tomorrow = monday + SimulatedTime.day + World.matchBegins
        #expect(date(.score, monday + World.matchEnds) == tomorrow)
    }

    @Test("has headlines that end at midnight")
    func headlines() {
        #expect(date(.headline, monday + hour * 23) == monday + hour * 24)
    }

    @Test("has devices whose timelines end now")
    func endsNow() {
        let timeline = SimulatedTimeline.make(.weather, at: monday, fault: .endsNow, hash: 0)
        #expect(timeline.policy == .atEnd)
        #expect(timeline.dates(monday) == [monday])
    }

    @Test("has more to do by day than by night")
    func curve() {
        var random = SplitMix64(seed: 1, stream: 0)
        var counts = [0, 0]
        var time = monday
        for _ in 0..<1_000 {
            time = DayCurve.next(after: time, perDay: 1_000, using: &random)
            let isDay = (.hours(6)..<(.hours(23))).contains(SimulatedTime.ofDay(time))
            counts[isDay ? 1 : 0] += 1
        }
        #expect(counts[1] > 10 * counts[0])
        // 1,000 things at 10 a day take about 100 days.
        #expect((90...110).contains((time - monday) / SimulatedTime.day))
    }

    @Test("says time as people do, the Sunday before included")
    func time() {
        #expect(SimulatedTime.text(monday + hour * 9 + 250) == "Mon 09:00:00.250")
        #expect(SimulatedTime.text(monday - 1) == "Sun 23:59:59.999")
        let days = (-8...8).map { SimulatedTime.weekday(monday + SimulatedTime.day * $0 + hour) }
        #expect(days == [6, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1])
    }

    @Test("has an app that the router can install, in every mode")
    func catalog() {
        let world = World(devices: 1_000)
        for mode in SpreadPolicy.Mode.allCases {
            let app = world.catalog(mode).apps[0]
            #expect(app.kinds.count == World.Kind.allCases.count)
            #expect(app.kinds.allSatisfy { $0.policy.spread.mode == mode })
        }
    }
}

@Suite("What the simulation writes")
struct SimulationWritingTests {
    @Test("has digits in groups of three")
    func groups() {
        #expect(grouped(1_234_567) == "1,234,567")
        #expect(grouped(12) == "12")
    }
}
