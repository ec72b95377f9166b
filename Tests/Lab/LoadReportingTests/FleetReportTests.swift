import Basics
import Foundation
import Testing

@testable import LoadReporting

@Suite("A report on a fleet")
struct FleetReportTests {
    @Test func comesBackFromItsJSON() throws {
        let report = sampleReport()
        let json = try report.json()
        #expect(try FleetReport(json: json) == report)
        // In order, so that two of them can be compared.
        #expect(try report.json() == json)
        let text = String(decoding: json, as: UTF8.self)
        #expect(text.hasPrefix("{\"app\":\"com.mygame\",\"bundle\":\"GameWidgets\","))
        #expect(text.hasSuffix("}\n"))
    }

    @Test func leavesOutWhatNobodyMeasured() throws {
        var report = sampleReport()
        report.origin.capacity = nil
        report.router.cpuSeconds = nil
        let text = String(decoding: try report.json(), as: UTF8.self)
        #expect(!text.contains("\"capacity\""))
        #expect(!text.contains("\"router\":{\"cpuSeconds\""))
        #expect(try FleetReport(json: Data(text.utf8)) == report)
        let lines = report.page.text.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(!lines.contains { $0.first == "capacity" })
        // That of the fleet.
        #expect(lines.filter { $0.count == 3 && $0[0] == "cpu" } == [["cpu", "14.2", "s"]])
    }

    @Test func saysWhatHasNoMeaningInAcceleratedTime() {
        var report = sampleReport()
        (report.fleet, report.router) = (FleetReport.Fleet(), FleetReport.Router())
        let text = report.page.text
        #expect(text.contains("accelerated: dates are simulated"))
        #expect(text.contains(#/\n  bytes per device +no meaning, accelerated\n/#))
        #expect(text.contains(#/\npush to reload +20,000 +< 10.0 ms +< 10.0 ms +< 10.0 ms +18/#))
        let drawn = report.page.charts[3].curves.flatMap(\.points).compactMap(\.[1])
        #expect(drawn.min() == 10)
        report.mode = .real
        let real = report.page.text
        #expect(!real.contains("no meaning") && !real.contains("< "))
    }

    @Test func namesFiguresAsItsJSONDoes() {
        var report = sampleReport()
        report.notShown = [
            NotShown(.putOff, reason: "spacing"), NotShown(.settled, reason: "unchanged"),
        ]
        for wait in [.seconds(4), .seconds(5), nil] as [Milliseconds?] {
            report.notShown[0].count(waiting: wait)
        }
        report.notShown[1].count(waiting: nil)
        let lines = report.page.text.split(separator: "\n").map { $0.split(separator: " ") }
        for line in [
            "peak per second 487/s", "held by device 4", "latency 20.0 ms",
            "no reload needed: unchanged 1", "put off: spacing 3 5.00 s after the end", "all 4",
            "cpu per reload 1.26 µs", "bytes per device 2,412 bytes",
            "started at 2027-01-15T08:00:00Z",
            "duration 5 min",
        ] {
            #expect(lines.contains(line.split(separator: " ")), "\(line)")
        }
    }

    @Test func refusesJSONThatIsNoReport() {
        for json in ["", "{", "[]", "{}", "{\"app\":1}"] {
            #expect(throws: DecodingError.self) { try FleetReport(json: Data(json.utf8)) }
        }
    }

    @Test func isAlignedAsText() {
        let text = sampleReport().page.text
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.count <= 100 && !$0.hasSuffix(" ") })
        let table = lines.filter { $0.hasPrefix("push to") || $0.hasSuffix("max") }
        #expect(table.count == 3)
        #expect(Set(table.map(\.count)).count == 1)
        let causes = lines.filter { $0.contains(" cause ") }
        #expect(causes.first?.split(separator: " ") == ["cause", "push", "24,310"])
        #expect(causes.map(\.count).max() == causes.map(\.count).min())
    }

    @Test func ofNothingCanBeRead() {
        let report = FleetReport(scenario: "", app: "", bundle: "", seed: 0, mode: .real)
        let line = report.page.text.split(separator: "\n").first { $0.hasPrefix("push to reload") }
        #expect(line?.split(separator: " ").dropFirst(3) == ["0", "–", "–", "–", "–", "–"])
        #expect(report.series.isAligned)
    }

    @Test func seesSeriesOfDifferentLengths() {
        var series = sampleReport().series
        #expect(series.isAligned)
        series.online.removeLast()
        #expect(!series.isAligned)
    }
}
