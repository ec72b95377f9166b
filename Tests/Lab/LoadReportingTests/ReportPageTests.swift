import Basics
import Foundation
import Testing

@testable import LoadReporting

/// A page with plots, as where Chart.js is installed.
private func html(_ report: FleetReport) -> String { report.page.html(library: "CHARTS;") }

@Suite("A report's page")
struct ReportPageTests {
    @Test func `what a scenario says is text, on the page and in its scripts`() {
        var report = sampleReport()
        report.scenario = "<script>alert('\"1\"')</script> & more {{library}}"
        report.app = "<i>app</i>"
        let html = html(report)
        #expect(!html.contains("<script>alert"))
        #expect(!html.contains("<i>app"))
        #expect(html.contains("&lt;script&gt;alert(&#39;&quot;1&quot;&#39;)"))
        #expect(html.contains("&amp; more {{library}}: GameWidgets"))
        let comparison = JitterComparison([("</script><b>", sampleReport())])
        let page = comparison.page.html(library: "'</script>'")
        #expect(page.contains(#"\u003c/script>\u003cb>: peak"#))
        #expect(page.contains(#"<script>'<\/script>'</script>"#))
    }

    @Test func `it loads nothing`() {
        let html = html(sampleReport())
        for outside in ["http:", "https:", "//", "src=", "href=", "url(", "@import"] {
            #expect(!html.contains(outside), "\(outside)")
        }
        #expect(html.contains("default-src 'none'"))
        #expect(html.contains("prefers-color-scheme:dark"))
    }

    @Test func `its script gets the plots with the places where it draws them`() throws {
        var report = sampleReport(spread: "none")
        report.pushToReload = LatencySummary()
        report.pushToRendered = LatencySummary()
        let html = html(report)
        #expect(html.contains("<script>CHARTS;</script>"))
        #expect(html.contains("<p>Nothing was measured.</p>"), "of latencies")
        let data = try #require(html.firstMatch(of: #/id="charts"[^>]*>(.*)</script>/#)?.1)
        let plots = try #require(
            try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [[String: Any]]
        )
        #expect(plots.count == html.components(separatedBy: "<canvas").count - 1)
        #expect(plots.count == 3)
        let colors = Set(PlotColor.allCases.map(\.rawValue))
        for curve in plots.flatMap({ $0["curves"] as? [[String: Any]] ?? [] }) {
            #expect(colors.contains(curve["color"] as? String ?? ""))
            #expect((curve["points"] as? [[Any]])?.isEmpty == false)
        }
    }

    @Test func `without Chart.js it has the numbers, and says why there are no plots`() {
        let html = sampleReport().page.html(library: nil)
        #expect(html.contains("libjs-chart.js") && !html.contains("<canvas"))
        #expect(html.contains("24,310") && html.contains("</html>"))
    }

    @Test func `it has the figures that the text has`() {
        #expect(html(sampleReport(spread: "none")).contains("refused</th><td>22,080</td>"))
    }

    @Test func `a long series is drawn by its largest values, and says so`() {
        #expect(!html(sampleReport()).contains("largest of every"))
        var report = sampleReport()
        report.series.originRequests = Array(repeating: 1, count: 3_001)
        #expect(html(report).contains("largest of every 3"))
    }

    @Test func `a report of nothing is a page, too`() {
        let report = FleetReport(scenario: "", app: "", bundle: "", seed: 0, mode: .real)
        #expect(html(report).contains("</html>"))
    }

    @Test func `figures that are none are gaps`() throws {
        var report = sampleReport()
        report.series.staleP99Milliseconds[3] = .infinity
        report.series.staleP50Milliseconds[4] = .nan
        report.pushToReload = LatencySummary(milliseconds: [.infinity, 1, 1e300])
        #expect(html(report).contains(",null]"))
        #expect(!html(report).contains("nan") && !html(report).contains("inf"))
        #expect(report.page.text.contains("–"))
        #expect(throws: EncodingError.self) { try report.json() }
    }
}

@Suite("A plot")
struct ChartTests {
    @Test func `steps begin where their values do, and the last one has its length`() {
        var chart = Chart("", x: .time(seconds: 4), y: .upwards(to: 3, title: ""))
        chart.addSteps("", of: [1, 3, 0, 2], color: .blue)
        #expect(chart.curves[0].points == [[0, 1], [1, 3], [2, 0], [3, 2], [4, 2]])
        chart.addSteps("", of: [1, 0], color: .blue, style: .dots)
        #expect(chart.curves[1].points == [[0, 1], [2, nil], [4, nil]])
    }

    @Test func `series are thinned to the largest neighbour`() {
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
        JitterComparison(labels.map { ($0, sampleReport(spread: $0)) })
    }

    @Test func `its picture names each run with its peak`() throws {
        let text = comparison(["none", "uniform", "ledger"]).chart.picture
        for label in ["none: peak 20,037/s, 22,080 refused", "ledger: peak 487/s", "capacity"] {
            #expect(text.contains(label), "\(label)")
        }
        #expect(text.contains("log scale"))
        #expect(text.hasPrefix("<svg xmlns"))
    }

    @Test func `its picture is well-formed whatever labels say, in colours of both schemes`() {
        let text = comparison(["a'b <&> \"c\" `id` \n\u{1}@{x}_y"]).chart.picture
        #expect(text.contains("a&#39;b &lt;&amp;&gt;"))
        #expect(text.contains("`id`   @{x}_y"))
        for color in text.matches(of: #/class="([a-z]*)"/#) {
            #expect(PlotColor(rawValue: String(color.1)) != nil)
        }
        for color in PlotColor.allCases { #expect(text.contains(color.light + ";fill:none}")) }
        let opened = text.matches(of: #/<text[ >]/#).count
        #expect(opened > 4 && opened == text.matches(of: #/</text>/#).count)
    }

    @Test func `its scale is linear where no peak hides the others`() throws {
        #expect(!comparison(["uniform", "ledger"]).chart.picture.contains("log scale"))
    }

    @Test func `it takes as many runs as there are colours`() throws {
        let html = comparison(["none", "a", "b", "c", "d", "e"]).page.html(library: "")
        #expect(html.contains(">c</th>"))
        #expect(!html.contains(">d</th>"))
        #expect(comparison([]).chart.picture.hasPrefix("<svg xmlns"))
    }
}
