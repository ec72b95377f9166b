import Basics
import Foundation
import Testing

@testable import LoadReporting

@Suite("Two reports beside each other")
struct ReportComparisonTests {
    private func file(_ name: String, _ report: some JSONReport) throws -> ReportComparison.File {
        (name, String(decoding: try report.json(), as: UTF8.self))
    }

    private func words(_ page: ReportPage) -> [[Substring]] {
        page.text.split(separator: "\n").map { $0.split(separator: " ") }
    }

    private func day(peak: Int) -> String {
        """
        {"devices":300,"widgets":600,"hours":1,"from":8,"seed":1,"start":0,"originRate":9,"runs":[
         {"mode":"uniform","origin":{"requests":90,"peak":\(peak),"peakAt":0,"busiestMinute":9,
          "percentile99":3,"secondsAboveRate":0,"peakOfMinutes":[1,\(peak)],
          "requestsOfMinutes":[1,9]},
          "pushes":{"sent":4,"matches":5},
          "reloads":{"sent":7,"causes":{"push":7},"charged":7,"timelines":6,"carried":1},
          "scheduled":{"told":2,"meanDelay":1500,"longestDelay":2500},"work":{"events":1}}]}
        """
    }

    @Test func `of fleets have every number with its ratio, and curves of both`() throws {
        var other = sampleReport(spread: "none")
        (other.seed, other.mode, other.reloads.wasted) = (8, .real, 106)
        other.notShown = [NotShown(.lost)]
        other.notShown[0].count(waiting: nil)
        let now = try file("now.json", sampleReport())
        let page = try ReportComparison.page(now, before: file("old.json", other))
        let lines = words(page)
        #expect(page.text.hasPrefix("now.json beside old.json\nNot alike: mode, seed\n"))
        #expect(lines.contains(["Reloads,", "wasted", "212", "106", "2.00"]))
        #expect(lines.contains(["Not", "shown,", "lost", "0", "1"]))
        #expect(lines.contains { $0.starts(with: ["push", "to", "screen,", "p99", "379", "ms"]) })
        let html = page.html(library: "")
        #expect(html.components(separatedBy: "<canvas").count == 4)
        #expect(html.contains("\"old.json: peak 20,037/s, 22,080 refused\""))
        #expect(html.contains(#""dash":[5,4]"#))
        let same = try ReportComparison.page(now, before: now)
        #expect(same.subtitle == "Run alike")
        var longer = sampleReport()
        longer.seconds *= 1.02
        #expect(try ReportComparison.page(now, before: file("b", longer)).subtitle == "Run alike")
        longer.seconds *= 2
        let twice = try ReportComparison.page(now, before: file("b", longer))
        #expect(twice.subtitle == "Not alike: duration")
    }

    @Test func `of replays have curves of one length`() throws {
        var (now, before) = (ReplayReport(), ReplayReport())
        (now.pushes.sent, before.pushes.sent, now.scale) = (10, 20, 3)
        (now.series.acknowledged, before.series.acknowledged) = ([5, 5], [5, 5, 5, 5])
        let page = try ReportComparison.page(file("n", now), before: file("b", before))
        #expect(page.subtitle == "Not alike: scale")
        #expect(words(page).contains(["Pushes,", "sent", "10", "20", "0.50"]))
        #expect(page.charts[0].curves.map(\.points.count) == [5, 5])
        #expect(page.charts[0].curves[0].points[3] == [3, 0])
    }

    @Test func `of simulations have the figures of each mode`() throws {
        let page = try ReportComparison.page(("n", day(peak: 8)), before: ("b", day(peak: 4)))
        let lines = words(page)
        #expect(page.subtitle == "Run alike")
        #expect(lines.contains(["uniform,", "origin,", "peak", "8", "4", "2.00"]))
        #expect(lines.contains(["uniform,", "pushes,", "matches", "5", "5", "1.00"]))
        #expect(lines.contains(["uniform,", "reloads,", "causes", "push", "7", "7", "1.00"]))
        let delay = ["uniform,", "scheduled,", "mean", "delay", "1.50", "s", "1.50", "s", "1.00"]
        #expect(lines.contains { $0.elementsEqual(delay, by: ==) })
        #expect(page.charts.map(\.title).first?.hasPrefix("uniform: ") == true)
        #expect(page.charts.count == 1 && page.charts[0].curves.count == 2)
    }

    @Test func `of different sorts are refused`() throws {
        let fleet = try file("f.json", sampleReport())
        let others = [try file("r.json", ReplayReport()), (name: "x.json", json: "{}")]
        for other in others {
            let error = #expect(throws: ReportProblem.self) {
                try ReportComparison.page(fleet, before: other)
            }
            #expect(error?.description.hasPrefix("\(other.name) and f.json are not two") == true)
        }
    }

    @Test(arguments: [3, 0])
    func `of which one is earlier have no causes of what that missed`(missed: Int) throws {
        var earlier = sampleReport()
        earlier.reloads.missed = missed
        var old = try file("old.json", earlier)
        for list in ["notShown", "thresholds"] { old.json.replace("\"\(list)\":[],", with: "") }
        let lines = try words(ReportComparison.page(file("now.json", sampleReport()), before: old))
        #expect(lines.contains(["Reloads,", "missed", "0", "\(missed)"]))
        #expect(lines.contains { $0.starts(with: ["Not", "shown,"]) } == (missed == 0))
    }

    @Test(arguments: [
        (#""wasted":212,"#, "", "reloads.wasted is missing"),
        (#""originRequests":[40,"#, #""originRequests":["","#, "series.originRequests[0]: "),
        ("{", "", "it is no JSON object"),
    ])
    func `of which one is damaged are refused with the place`(
        part: String,
        with other: String,
        expected: String
    ) throws {
        let whole = try file("whole.json", sampleReport())
        var damaged = (name: "damaged.json", json: whole.json)
        damaged.json.replace(part, with: other, maxReplacements: 1)
        let error = #expect(throws: ReportProblem.self) {
            try ReportComparison.page(damaged, before: whole)
        }
        let text = error?.description ?? ""
        #expect(text.hasPrefix("damaged.json cannot be compared: \(expected)"), "\(text)")
    }

    @Test func `make a page or are refused whatever their numbers are`() throws {
        var fleet = sampleReport()
        fleet.series = FleetSeries()
        fleet.series.originRequests = [1, 20]
        fleet.provenance = Provenance()
        fleet.apns = FleetReport.APNs()
        fleet.pushToReload = LatencySummary()
        fleet.pushToRendered = LatencySummary(milliseconds: [1])
        fleet.notShown = [NotShown(.lost), NotShown(.lost)]
        for index in 0..<2 { fleet.notShown[index].count(waiting: .seconds(1)) }
        var replay = ReplayReport()
        replay.reload = fleet.pushToRendered
        replay.series.reloads = [1, 2]
        for json in [try file("", fleet).json, try file("", replay).json, day(peak: 3)] {
            let number = #/([:\[,])(-?[0-9][-+.0-9e]*)/#
            let (largest, least) = ("\(Int.max)", "\(Int.min)")
            var all = [largest, least, "100"].map { other in
                json.replacing(number) { "\($0.1)\(other)" }
            }
            for place in json.matches(of: number).map(\.2) {
                for other in [largest, "1e308"] {
                    all.append(json[..<place.startIndex] + other + json[place.endIndex...])
                }
            }
            #expect(all.count > 50)
            for damaged in all {
                let page = try? ReportComparison.page(("n", damaged), before: ("b", json))
                #expect(page?.text.isEmpty != true && page?.html(library: "").isEmpty != true)
            }
        }
    }
}
