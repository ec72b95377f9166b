import Foundation
import LoadReporting
import Testing

@Suite("The report of a replay")
struct ReplayReportTests {
    private func report(p99: Double = 2, reload: Double = 3, late: Double = 0.1) -> ReplayReport {
        func summary(_ high: Double) -> LatencySummary {
            LatencySummary(milliseconds: (1...1_000).map { $0 > 980 ? high : high / 10 })
        }
        var report = ReplayReport()
        report.capture = ["final <1>.rrcap"]
        report.seconds = 3
        report.publishers = 4
        report.gateways = 2
        report.pushes.intended = 1_000
        report.pushes.sent = 1_000
        report.pushes.acknowledged = 990
        report.pushes.rejected = 10
        report.pushes.rejectedByCode = ["payload-kinds": 10]
        report.pushes.intendedPerSecond = 333.3
        report.pushes.sentPerSecond = 333.3
        report.pushes.acknowledgedPerSecond = 330
        report.reloads.widgets = 120
        report.reloads.byCause = ["push": 100, "budget": 20]
        report.acknowledgement = summary(p99)
        report.reload = summary(reload)
        report.lateness = summary(late)
        report.series.intended = [300, 400, 300]
        report.series.sent = [300, 400, 300]
        report.series.acknowledged = [290, 400, 300]
        report.series.reloads = [0, 60, 60]
        report.series.acknowledgementP50 = [0.2, 0.2, 0.2]
        report.series.acknowledgementP99 = [1, 2, 1.5]
        report.series.reloadP50 = [0, 0.3, 0.3]
        report.series.reloadP99 = [0, 3, 2.5]
        report.series.latenessP99 = [0.1, 0.1, 0.1]
        return report
    }

    @Test func `JSON gives the report back`() throws {
        let report = report()
        #expect(try ReplayReport(json: report.json()) == report)
    }

    @Test func `the text has the percentiles, the codes and the causes`() {
        let text = report().page().text
        for part in [
            "p99.9", "RELOAD", "payload-kinds", "cause budget", "333/s", "open loop", "2.00 ms",
            "  unanswered",
        ] {
            #expect(text.contains(part), "\(part) is missing in\n\(text)")
        }
        #expect(!text.split(separator: "\n").contains { $0.hasSuffix(" ") })
    }

    @Test func `series of different lengths get a value for each second`() {
        var series = ReplayReport.Series()
        series.intended = [1, 2, 3]
        series.reloadP99 = [1]
        series.align()
        #expect(series.sent == [0, 0, 0])
        #expect(series.reloadP99 == [1, 0, 0])
    }

    @Test(
        arguments: [("500us", 0.5), ("5ms", 5), ("1.5 s", 1_500), ("0.25ms", 0.25)]
            as [(String, Double)]
    )
    func `a limit has a unit`(text: String, limit: Double) {
        #expect(ReplayGate(text)?.limit == limit)
    }

    @Test(arguments: ["5", "ms", " ms", "-5ms", "0ms", "5 min", "nans", "infs", "5m", "5  s", ""])
    func `what is no limit is none`(text: String) {
        #expect(ReplayGate(text) == nil)
    }

    @Test func `the gate holds both latencies and the schedule`() throws {
        let gate = try #require(ReplayGate("5ms"))
        #expect(gate.misses(report()) == [])
        #expect(gate.misses(report(p99: 6)).map { $0.contains("ACK") } == [true])
        #expect(gate.misses(report(reload: 6)).map { $0.contains("RELOAD") } == [true])
        #expect(gate.misses(report(late: 6)).map { $0.contains("generator") } == [true])
        #expect(gate.misses(report(p99: 6, reload: 6, late: 6)).count == 3)
    }

    @Test func `the gate is missed by pushes without an answer, and by a run without pushes`()
        throws
    {
        let gate = try #require(ReplayGate("5ms"))
        var unanswered = report()
        unanswered.pushes.acknowledged = 980
        #expect(gate.misses(unanswered) == ["10 pushes were not answered"])
        #expect(gate.misses(ReplayReport()).count == 1)
    }

    @Test func `without a schedule lateness is nothing to miss`() throws {
        let gate = try #require(ReplayGate("5ms"))
        var closed = report(late: 6)
        closed.isOpenLoop = false
        #expect(gate.misses(closed) == [])
    }

    @Test func `two runs stand side by side with their ratios`() {
        let text = report().page(comparedWith: ("before.json", report(p99: 4))).text
        #expect(text.contains("Beside before.json"))
        let line = text.split(separator: "\n").first { $0.hasPrefix("ACK, p99 ") }
        #expect(line?.split(separator: " ").suffix(5) == ["2.00", "ms", "4.00", "ms", "0.50"])
    }

    @Test func `the page is one file, with both runs' curves`() {
        let page = report().page(comparedWith: ("before.json", report(p99: 4)))
        let html = page.html(library: "")
        #expect(html.contains("final &lt;1&gt;.rrcap"))
        #expect(html.contains("Beside before.json"))
        #expect(html.components(separatedBy: "<canvas").count == 5)
        #expect(!html.contains("http://") && !html.contains("https://") && !html.contains("src="))
        #expect(html.contains(#""dash":[5,4]"#))
        #expect(!report().page().html(library: "").contains(#""dash":[5,4]"#))
    }

    @Test func `a run in which nothing was measured can be drawn`() {
        #expect(ReplayReport().page().html(library: "").contains("</html>"))
    }
}
