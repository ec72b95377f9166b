import CommandSupport
import Testing

@testable import reload_lab

@Suite("A figure of a benchmark")
struct BenchReportTests {
    @Test(
        "has three digits that matter, its thousands set apart, and its sign in front",
        arguments: [
            (0, "0.00"), (0.126, "0.13"), (9.5, "9.50"), (12.34, "12.3"), (132, "132"),
            (1_320, "1,320"), (13_200, "13,200"), (132_000, "132,000"), (1_320_000, "1,320,000"),
        ]
    )
    func rounding(value: Double, text: String) {
        #expect(rounded(value) == text)
        if value > 0 { #expect(rounded(-value) == "-\(text)") }
    }
}
