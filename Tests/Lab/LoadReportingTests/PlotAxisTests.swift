import Testing

@testable import LoadReporting

@Suite("A plot's axis")
struct PlotAxisTests {
    @Test func `Values lie between the ends, and what is beyond lies at them`() {
        let axis = PlotAxis(range: 10...20)
        #expect(
            [9, 10, 15, 20, 21].map { axis.position($0, length: 100) } == [0, 0, 50, 100, 100]
        )
        #expect(
            [.nan, -.infinity, .infinity].map { axis.position($0, length: 100) } == [0, 0, 100]
        )
    }

    @Test func `On a logarithmic axis each octave is as long`() {
        let axis = PlotAxis(range: 1...16, isLogarithmic: true)
        #expect(
            [0, 1, 2, 4, 8, 16].map { axis.position($0, length: 40) } == [0, 0, 10, 20, 30, 40]
        )
    }

    @Test(arguments: [
        (1, "0.0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1.0 seconds"),
        (60, "0 10 20 30 40 50 60 seconds"), (600, "0 1 2 3 4 5 6 7 8 9 10 minutes"),
        (14_400, "0 50 100 150 200 minutes"), (86_400, "0 3 6 9 12 15 18 21 24 hours"),
    ])
    func `Time is counted in what suits its length`(seconds: Int, text: String) {
        let axis = PlotAxis.time(seconds: seconds)
        #expect((axis.marks.map(\.text) + [axis.title]).joined(separator: " ") == text)
    }

    @Test(arguments: [
        (0.0, "0.0 0.2 0.4 0.6 0.8 1.0"), (7, "0 2 4 6"), (480, "0 100 200 300 400 500"),
        (20_037, "0 5,000 10,000 15,000 20,000"), (.infinity, "0.0 0.2 0.4 0.6 0.8 1.0"),
    ])
    func `Lines lie at few round figures`(largest: Double, text: String) {
        let axis = PlotAxis.upwards(to: largest, title: "")
        #expect(axis.marks.map(\.text).joined(separator: " ") == text)
    }

    @Test func `Latencies lie between powers of ten`() {
        let axis = PlotAxis.latency([0, 0.3, 40, .infinity])
        #expect(axis.marks.map(\.text) == ["0.1 ms", "1 ms", "10 ms", "100 ms"])
        #expect(PlotAxis.latency([0]).marks.isEmpty)
    }
}
