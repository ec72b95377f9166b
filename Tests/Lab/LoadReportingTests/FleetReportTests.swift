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
        #expect(report.page.text.contains("no limit"))
        #expect(report.page.text.contains("not measured"))
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
        #expect(text.contains("peak 487\n"))
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
