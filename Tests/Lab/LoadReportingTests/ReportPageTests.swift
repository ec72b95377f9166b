import Foundation
import RouterMetrics
import Testing

@testable import LoadReporting

@Suite("A report's page")
struct ReportPageTests {
    @Test func escapesWhatTheScenarioSays() {
        var report = sampleReport()
        report.scenario = "<script>alert('\"1\"')</script> & more"
        report.app = "<i>app</i>"
        let html = report.html
        #expect(!html.contains("<script"))
        #expect(!html.contains("<i>app"))
        #expect(html.contains("&lt;script&gt;alert(&#39;&quot;1&quot;&#39;)"))
        #expect(html.contains("&amp; more</h1>"))
    }

    @Test func loadsNothing() {
        let html = sampleReport().html
        for outside in ["http:", "https:", "//", "src=", "href=", "url(", "@import", "<script"] {
            #expect(!html.contains(outside), "\(outside)")
        }
        #expect(html.contains("prefers-color-scheme:dark"))
    }

    @Test func saysWhatWasRefusedInRed() {
        #expect(!sampleReport().html.contains("class=\"bad\""))
        let html = sampleReport(spread: "none").html
        #expect(html.contains("<b class=\"bad\">22,080</b>"))
    }

    @Test func doesNotDrawLargestLabelsWhereItThinnedNothing() {
        #expect(!sampleReport().html.contains("busiest second of every"))
        var report = sampleReport()
        report.series.originRequests = Array(repeating: 1, count: 1_801)
        #expect(report.html.contains("busiest second of every 3"))
    }
}

@Suite("A plot")
struct PlotTests {
    @Test func hasOnlyColoursThatBothSchemesKnow() throws {
        let report = sampleReport(spread: "none")
        let pictures = [
            report.originPlot, report.trafficPlot, report.stalenessPlot, report.latencyPlot,
            try #require(report.causePlot),
        ]
        for picture in pictures.map({ $0.inline(title: "") }) {
            let known = Set(PlotColor.allCases.map(\.light))
            for color in picture.matches(of: #/(?:stroke|fill)=["'](#[0-9a-f]*)["']/#) {
                #expect(known.contains(String(color.1)))
            }
            #expect(picture.contains("#"))
            #expect(!picture.contains(" id="))
        }
    }

    @Test func isWellFormedWhateverLabelsSay() throws {
        var report = sampleReport()
        report.reloads.byCause = ["a'b <&> \"c\" `id` \n\u{1}@{x}_y": 3, "plain": 2]
        let picture = try #require(report.causePlot).standalone
        #expect(picture.contains("a&#39;b &lt;&amp;&gt;"))
        #expect(picture.contains("`id`   @{x}_y"))
        let opened = picture.matches(of: #/<text[ >]/#).count
        #expect(opened == picture.matches(of: #/</text>/#).count)
        #expect(opened == 4)
    }

    @Test func ofNothingIsDrawnToo() throws {
        let report = FleetReport(scenario: "", app: "", bundle: "", seed: 0, mode: .real)
        #expect(report.causePlot == nil)
        #expect(report.latencyPlot.standalone.contains("nothing was measured"))
        #expect(report.html.contains("</html>"))
    }

    @Test func isDrawnAlsoOfFiguresThatAreNone() throws {
        var report = sampleReport()
        report.series.staleP99Milliseconds[3] = .infinity
        report.series.staleP50Milliseconds[4] = .nan
        report.pushToReload = LatencySummary(milliseconds: [.infinity, 1, 1e300])
        #expect(!report.html.contains("nan") && !report.html.contains("inf"))
        #expect(report.text.contains("–"))
        #expect(throws: EncodingError.self) { try report.json() }
    }

    @Test func thinsToTheLargestNeighbour() {
        let thinning = Thinning([1, 5, 2, 3, 9], to: 3)
        #expect(thinning.values == [5, 3, 9])
        #expect(thinning.step == 2)
        #expect(Thinning([1, 2], to: 2).step == 1)
        #expect(Thinning([], to: 2).values.isEmpty)
    }
}

@Suite("A comparison of spreads")
struct JitterComparisonTests {
    private func comparison(_ labels: [String]) -> JitterComparison {
        JitterComparison(labels.map { .init(label: $0, report: sampleReport(spread: $0)) })
    }

    @Test func labelsThePeaks() throws {
        let picture = comparison(["none", "uniform", "ledger"]).picture
        let text = picture.standalone
        for label in ["none: peak 20,037/s, 22,080 refused", "ledger: peak 487/s", ">20,037<"] {
            #expect(text.contains(label), "\(label)")
        }
        #expect(text.contains("log scale"))
        #expect(text.hasPrefix("<svg xmlns"))
    }

    @Test func isLinearWhereNoPeakHidesTheOthers() throws {
        let picture = comparison(["uniform", "ledger"]).picture
        #expect(!picture.standalone.contains("log scale"))
    }

    @Test func takesAsManyRunsAsThereAreColours() throws {
        let many = comparison(["none", "a", "b", "c", "d", "e"])
        let html = many.html
        #expect(html.contains(">c</th>"))
        #expect(!html.contains(">d</th>"))
        #expect(comparison([]).picture.standalone.hasPrefix("<svg xmlns"))
    }
}
