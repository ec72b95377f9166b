import Testing

@testable import Basics

@Suite("A figure for people")
struct FigureTextTests {
    @Test(
        "has three digits that count",
        arguments: [
            (0, "0"), (0.4237, "0.42"), (0.0042, "0.004"), (9.994, "9.99"), (9.996, "10.0"),
            (12.34, "12.3"), (99.96, "100"), (1_234.4, "1,234"), (1_234_567, "1,234,567"),
            (-12.34, "-12.3"), (.nan, "–"), (.infinity, "–"), (1e300, "–"),
        ] as [(Double, String)]
    )
    func short(number: Double, text: String) {
        #expect(FigureText.short(number) == text)
    }

    @Test(
        "has the unit that suits it",
        arguments: [
            (0.42, "0.42 ms"), (999, "999 ms"), (1_734, "1.73 s"), (59_940, "59.9 s"),
            (59_960, "1 min"), (725_000, "12 min 5 s"), (12_000_000, "3 h 20 min"),
            (187_200_000, "2 d 4 h"), (.nan, "–"),
        ] as [(Double, String)]
    )
    func milliseconds(number: Double, text: String) {
        #expect(FigureText.milliseconds(number) == text)
    }

    @Test(
        "has as many decimal places as it is given",
        arguments: [
            (0, 0, "0"), (1.25, 1, "1.3"), (-1.25, 1, "-1.3"), (-0.01, 1, "0.0"), (12, 2, "12.00"),
            (0.005, 2, "0.01"), (1_234.5678, 3, "1234.568"), (.nan, 2, "nan"),
            (.infinity, 2, "inf"), (-.infinity, 0, "-inf"),
        ] as [(Double, Int, String)]
    )
    func places(number: Double, places: Int, text: String) {
        #expect(FigureText.fixed(number, places: places) == text)
    }

    @Test("has its unit also if it is small or large")
    func otherUnits() {
        #expect(FigureText.nanoseconds(812) == "812 ns")
        #expect(FigureText.nanoseconds(1_400) == "1.40 µs")
        #expect(FigureText.nanoseconds(2_500_000) == "2.50 ms")
        #expect(FigureText.bytes(2_412) == "2,412 bytes")
        #expect(FigureText.bytes(15_300) == "15.3 KB")
        #expect(FigureText.bytes(2_000_000) == "2.00 MB")
        #expect(FigureText.percent(1, of: 3) == "33.3 %")
        #expect(FigureText.percent(1, of: 0).isEmpty)
        #expect(FigureText.grouped(.min) == "-9,223,372,036,854,775,808")
    }
}
