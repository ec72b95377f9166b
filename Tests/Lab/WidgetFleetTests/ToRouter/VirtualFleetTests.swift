import Basics
import Foundation
import LoadReporting
import RouterCore
import TestSupport
import Testing
import WidgetTimelines

@testable import WidgetFleet

@Suite("A fleet in accelerated time")
struct VirtualFleetTests {
    static let apps = """
        {"apps":[{"app":"com.mygame","origins":[{"origin":"api","perSecond":100}],"kinds":[
          {"kind":"com.mygame.character-detail","budget":"unlimited",
           "match":{"character":["${configuration.character}"]}},
          {"kind":"com.mygame.dragon-watch","budget":"unlimited","origin":"api",
           "spread":{"mode":"MODE","window":60},"match":{"event":["dragon"]}},
          {"kind":"com.mygame.clock"},
          {"kind":"com.mygame.map","budget":"unlimited","match":{"event":["earthquake"]}}]}]}
        """

    static func scenario(_ members: String) throws -> FleetScenario {
        try FleetScenario(
            json: Data(
                """
                {"name":"test","app":"com.mygame","bundle":"game","ramp":1,
                 "values":{"character":{"prefix":"elf-","count":20},"hp":{"from":1,"to":1000000}},
                 "system":{"budget":"unlimited"},
                 \(members)}
                """.utf8
            )
        )
    }

    static func run(
        _ scenario: FleetScenario,
        seed: UInt64 = 1,
        mode: String = "ledger"
    ) async throws -> FleetReport {
        var settings = FleetSettings(
            scenario: scenario,
            declarations: GameBundle.declarations,
            clock: { .none }
        )
        settings.seed = seed
        // All code here answers, be the machine ever so busy.
        settings.patience = 600
        let text = apps.replacingOccurrences(of: "MODE", with: mode)
        let catalog = try Array(text.utf8).withByteView { try AppFile.parse($0) }.catalog
        return try await VirtualFleet.play(settings, catalog: catalog) { _ in }
    }

    private static let potions = """
        "devices":200,"seconds":30,
        "widgets":[{"kind":"com.mygame.character-detail",
                    "configuration":{"character":"${character}"}}],
        "pushes":[{"perSecond":5,"payload":{"character":"${character}","hp":"${hp}"}}],
        "origin":{"capacity":1000,"latency":20,"pools":{"character":{"hp":[1,99]}}}
        """

    @Test(
        "reloads the widgets that a push concerns, all of them and no others, and shows what is new"
    )
    func potions() async throws {
        let report = try await Self.run(Self.scenario(Self.potions))
        #expect(report.pushes.sent == 150 && report.pushes.acknowledged == 150)
        #expect(report.devices == 200 && report.widgets == 200)
        // Twenty characters, ten devices each.
        #expect((1_000...2_000).contains(report.reloads.widgets))
        #expect(report.reloads.byCause == ["push": report.reloads.widgets])
        #expect(report.pushToRendered.count == report.reloads.widgets)
        #expect(report.reloads.wasted == 0 && report.reloads.missed == 0)
        #expect(report.origin.requests == report.reloads.asks)
        #expect(report.series.reloads.reduce(0, +) == report.reloads.widgets)
        #expect(report.series.isAligned && report.series.reloads.count == 30)
        // The origin's latency, and a turn or two.
        #expect(report.pushToRendered.p50 >= 20 && report.pushToRendered.max <= 60)
    }

    @Test("is the same again with the same seed, and another with another")
    func seeds() async throws {
        let scenario = try Self.scenario(Self.potions)
        let first = try await Self.run(scenario, seed: 7)
        #expect(try await Self.run(scenario, seed: 7) == first)
        #expect(try await Self.run(scenario, seed: 8).series != first.series)
    }

    @Test(
        "calls the origin by one date as its spread says",
        arguments: [("none", 450...500), ("uniform", 12...40), ("ledger", 8...12)]
    )
    func spread(_ mode: String, _ peak: ClosedRange<Int>) async throws {
        let report = try await Self.run(
            Self.scenario(
                """
                "devices":500,"seconds":700,
                "widgets":[{"kind":"com.mygame.dragon-watch"}],
                "origin":{"pools":{"region":{"dragons":[1,9]}}}
                """
            ),
            mode: mode
        )
        let requests = report.series.originRequests
        // Those whose window has begun a second time are too few to count.
        #expect((480...520).contains(requests.reduce(0, +)))
        #expect(peak.contains(requests.max() ?? 0), "\(requests.max() ?? 0)")
    }

    @Test("is refused by an origin that has too much to do, and asks again")
    func overload() async throws {
        let report = try await Self.run(
            Self.scenario(
                """
                "devices":300,"seconds":30,
                "widgets":[{"kind":"com.mygame.dragon-watch"}],
                "pushes":[{"from":1,"count":1,"payload":{"event":"dragon"},
                           "concerns":[{"kind":"com.mygame.dragon-watch"}]}],
                "origin":{"capacity":100,"queue":50,"latency":5,
                          "pools":{"region":{"dragons":[1,9]}}}
                """
            ),
            mode: "none"
        )
        #expect(report.origin.refused >= 100 && report.origin.retries >= 100)
        #expect(report.origin.requests == report.origin.answered + report.origin.refused)
        #expect(report.origin.requests >= 300 + report.origin.retries)
        #expect(report.origin.failed == 0 && report.reloads.missed == 0)
    }

    @Test("sends all pushes that are due before the end, also more than one window of them")
    func lastPushes() async throws {
        let report = try await Self.run(
            Self.scenario(
                """
                "devices":1,"seconds":2,"widgets":[{"kind":"com.mygame.clock"}],
                "pushes":[{"from":1.99,"count":30000,"payload":{"event":"nothing"}}]
                """
            )
        )
        #expect(report.pushes.sent == 30_000 && report.pushes.acknowledged == 30_000)
    }

    @Test("has an origin that does not count a resource it has not got as answered")
    func missingResource() throws {
        let scenario = try Self.scenario(Self.potions)
        var origin = FleetOrigin(scenario.origin, seed: 1, rampEnd: Self.rampEnd)
        for (number, path) in ["/character/elf-1", "/nothing/elf-1"].enumerated() {
            #expect(origin.ask(path, number: number, at: 0) == nil)
        }
        var statuses: [Int] = []
        while let (_, answer) = origin.answer(until: .max, shift: 0) {
            if case .refused(let status, _) = answer { statuses.append(status) }
        }
        #expect(statuses == [404])
        #expect(origin.counts == OriginCounts(arrived: 2, answered: 1))
    }

    private static let rampEnd: WallTime = 1_780_272_001_000

    @Test("reloads again when what a reload has downloaded in the background has come")
    func downloads() async throws {
        let report = try await Self.run(
            Self.scenario(
                """
                "devices":50,"seconds":30,"widgets":[{"kind":"com.mygame.map"}],
                "pushes":[{"from":5,"count":1,"payload":{"event":"earthquake"},
                           "concerns":[{"kind":"com.mygame.map"}]}],
                "origin":{"latency":400,"pools":{"region":{"dragons":[1,9]}}}
                """
            )
        )
        // Those who came last have their first map after the run has begun.
        let late = report.reloads.widgets - 100
        #expect(report.reloads.byCause == ["push": 50, "download": 50 + late])
        #expect((0...50).contains(late) && report.reloads.wasted == 0)
        #expect(report.origin.requests >= 50 && report.reloads.missed == 0)
    }

    @Test("loses nothing when connections break in a frame and devices are away")
    func losses() async throws {
        let report = try await Self.run(
            Self.scenario(
                """
                "devices":100,"seconds":600,
                "widgets":[{"kind":"com.mygame.character-detail",
                            "configuration":{"character":"${character}"}}],
                "habits":{"breaksPerHour":20,"offline":{"perHour":20,"seconds":20},
                          "looks":{"perHour":60,"seconds":5}},
                "pushes":[{"to":500,"perSecond":2,
                           "payload":{"character":"${character}","hp":"${hp}"}}],
                "origin":{"pools":{"character":{"hp":[1,99]}}}
                """
            ),
            seed: 3
        )
        #expect(report.fleet.connectionsLost > 100)
        #expect(report.series.online.min()! < 100)
        #expect(report.pushes.acknowledged == 1_000)
        #expect(Set(report.notShown.map(\.cause)).isSubset(of: [.deviceOffline]))
    }
}
