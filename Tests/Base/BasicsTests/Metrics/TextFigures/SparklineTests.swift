import Testing

@testable import Basics

@Suite("A sparkline")
struct SparklineTests {
    @Test func isAsHighAsTheLargestValue() {
        #expect(Sparkline([0, 1, 2, 3, 4, 5, 6, 7]).text(width: 8) == "▁▂▃▄▅▆▇█")
        #expect(Sparkline([1_000_000, 500_000, 0]).text(width: 8) == "█▅▁")
    }

    @Test func keepsPeaksWhereThereIsNoRoom() {
        var values = Array(repeating: 0, count: 1_000)
        values[777] = 3
        let text = Sparkline(values).text(width: 10)
        #expect(text == "▁▁▁▁▁▁▁█▁▁")
    }

    @Test func hasNoMoreColumnsThanAskedForAndNoneForNothing() {
        for count in 0...50 {
            for width in -1...12 {
                let text = Sparkline(Array(repeating: 1, count: count)).text(width: width)
                #expect(text.count <= max(0, width))
                #expect(text.isEmpty == (count == 0 || width <= 0))
            }
        }
    }

    @Test func takesWhatIsNoNumberForNothing() {
        #expect(Sparkline([.nan, -4, .infinity, 2]).text(width: 4) == "▁▁▁█")
        #expect(Sparkline([0, 0]).text(width: 4) == "▁▁")
    }
}
