import Testing

@testable import LoadReporting

@Suite("A threshold of a fleet")
struct FleetThresholdTests {
    private func judged(
        _ part: String,
        _ figure: String,
        limit: Double,
        by report: FleetReport = sampleReport()
    ) -> FleetThreshold {
        FleetThreshold(part: part, figure: figure, limit: limit).judged(by: report)
    }

    @Test func `It is met by what is not above it`() {
        let report = sampleReport()
        for (limit, isMet) in [(report.pushToRendered.p99, true), (300, false)] {
            let threshold = judged("push to screen", "p99", limit: limit)
            #expect(threshold.isMet == isMet && threshold.measured == report.pushToRendered.p99)
        }
        #expect(judged("reloads", "wasted", limit: 212).isMet)
        #expect(!judged("reloads", "wasted", limit: 211).isMet)
    }

    @Test func `Its limit is written as the figure that it limits`() throws {
        var report = sampleReport()
        report.thresholds = [
            judged("reloads", "wasted", limit: 1_200), judged("reloads", "per second", limit: 1.5),
            judged("push to screen", "p99", limit: 5_000),
        ]
        let rows = try #require(FleetThreshold.table(of: report)).rows
        #expect(rows.map { $0[1] } == ["1,200", "1.50", "5.00 s"])
    }

    @Test func `Causes that there were not are none, and other figures are not measured`() {
        #expect(judged("not shown", "lost", limit: 0).isMet)
        var report = sampleReport()
        report.notShown = [NotShown(.lost)]
        report.notShown[0].count(waiting: nil)
        #expect(!judged("not shown", "lost", limit: 0, by: report).isMet)
        for (part, figure) in [("apns", "accepted"), ("push to accepted", "p50")] {
            let threshold = judged(part, figure, limit: 1e9)
            #expect(!threshold.isMet && threshold.measured == nil)
        }
        report.pushToReload = LatencySummary()
        #expect(!judged("push to reload", "max", limit: 1e9, by: report).isMet)
    }

    @Test func `What only the router can say fails while it has not said it of all widgets`() {
        var report = sampleReport()
        report.notShown = [NotShown(.lost), NotShown(.deviceOffline), NotShown(.unknown)]
        for index in 0..<2 { report.notShown[index].count(waiting: nil) }
        #expect(judged("not shown", "lost", limit: 1, by: report).isMet)
        report.notShown[2].count(waiting: nil)
        let unsaid = ["lost", "put off", "RELOAD under way", "no reload needed"]
        for figure in unsaid {
            let threshold = judged("not shown", figure, limit: 1e9, by: report)
            #expect(!threshold.isMet && threshold.measured == nil, "\(figure)")
        }
        for cause in NotShown.Cause.allCases where !unsaid.contains(cause.text) {
            #expect(judged("not shown", cause.text, limit: 1, by: report).isMet, "\(cause)")
        }
    }

    @Test func `Accelerated time cannot say that a latency is below its steps`() {
        var report = sampleReport()
        #expect(!judged("push to reload", "p50", limit: 9, by: report).isMet)
        #expect(judged("push to reload", "p50", limit: 10, by: report).isMet)
        report.mode = .real
        #expect(judged("push to reload", "p50", limit: 9, by: report).isMet)
    }

    @Test func `Every figure that may have one is in a report with everything`() {
        let parts = FleetThreshold.figures
        #expect(Set(parts.map(\.part)).count == parts.count)
        let names = parts.flatMap { part in part.figures.map { "\(part.part), \($0)" } }
        for name in [
            "push to accepted, p99.9", "reloads, wasted", "origin, refused", "apns, duplicates",
            "router, cpu per reload", "fleet, bytes per device", "not shown, lost",
        ] {
            #expect(names.contains(name), "\(name)")
        }
    }

    @Test func `The verdicts are a table of the report`() {
        var report = sampleReport()
        #expect(report.verdicts.isEmpty)
        let (part, figure) = ("push to screen", "p99")
        report.thresholds = [judged(part, figure, limit: 1_500), judged("apns", "kept", limit: 0)]
        #expect(report.verdicts.contains(#/push to screen, p99 +1.50 s +379 ms +PASS/#))
        #expect(report.verdicts.contains(#/apns, kept +0 +not measured +FAIL/#))
        #expect(report.page.text.contains(report.verdicts))
    }
}
