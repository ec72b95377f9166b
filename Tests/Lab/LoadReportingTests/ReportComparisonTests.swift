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
        func day(peak: Int) -> String {
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
        for other in others + [(name: "y.json", json: "")] {
            let error = #expect(throws: ReportProblem.self) {
                try ReportComparison.page(fleet, before: other)
            }
            #expect(error?.description.hasPrefix("\(other.name) and f.json are not two") == true)
        }
    }
}
