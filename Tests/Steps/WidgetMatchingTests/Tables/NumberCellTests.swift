import Basics
import EventPatterns
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("Cells of the number line")
struct NumberCellTests {
    private func cells(_ low: UInt64, _ high: UInt64) -> [NumberCell] {
        var cells: [NumberCell] = []
        NumberCell.cover(from: low, to: high) { cells.append($0) }
        return cells
    }

    /// Whether a number's key is in one of the cells.
    private func holds(_ cells: [NumberCell], _ key: UInt64) -> Bool {
        cells.contains { key >> UInt64($0.level) == $0.number }
    }

    /// Some keys of a range: its ends, what is beside them, and any.
    private func samples(
        _ low: UInt64,
        _ high: UInt64,
        _ random: inout SeededGenerator
    ) -> [UInt64] {
        let ends = [low, high, low &+ 1, high &- 1, low / 2 + high / 2]
        let any = (0..<20).map { _ in UInt64.random(in: low...high, using: &random) }
        return (ends + any).filter { low <= $0 && $0 <= high }
    }

    private func verify(_ low: UInt64, _ high: UInt64, _ random: inout SeededGenerator) {
        let cells = cells(low, high)
        let context: Comment = "from \(low) to \(high): \(cells)"
        for key in samples(low, high, &random) { #expect(holds(cells, key), context) }
        let isOpen = low == 0 || high == .max
        #expect(cells.count <= (isOpen ? 34 : 5), context)
        #expect(Set(cells.map(\.level)).count == 1 || isOpen, context)
        #expect(cells.allSatisfy { $0.level <= 62 && $0.level % 2 == 0 }, context)
        let pairs = Set(cells.map { [UInt64($0.level), $0.number] })
        #expect(pairs.count == cells.count, "a cell twice")
        if isOpen { return }
        // Up to a cell more at each end: a push meets these widgets for nothing.
        let length = UInt64(cells.count) << UInt64(cells[0].level)
        let asked = high - low
        #expect(length <= asked || (length - asked) / 2 <= max(1, asked), context)
    }

    @Test("hold every number of a range, and are few", arguments: 1...8 as ClosedRange<UInt64>)
    func ranges(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<400 {
            // Lengths of every magnitude, at any place.
            let low = random.next() >> UInt64(random.below(64))
            let length = random.next() >> UInt64(random.below(64))
            let (high, overflow) = low.addingReportingOverflow(length)
            verify(low, overflow ? .max : high, &random)
            verify(low, .max, &random)
            verify(0, low, &random)
        }
    }

    @Test("hold the ends of the number line, single numbers, and nothing of an empty range")
    func extremes() {
        var random = SeededGenerator(seed: 1)
        let zero = UInt64(1) << 63
        for low in [0, 1, 2, zero - 1, zero, zero + 1, .max - 1, .max] {
            for high in [0, 1, 2, zero - 1, zero, zero + 1, .max - 1, .max] {
                if low <= high {
                    verify(low, high, &random)
                } else {
                    #expect(cells(low, high).isEmpty)
                }
            }
        }
    }

    @Test(
        "hold the numbers between two, however far apart and of whatever sign",
        arguments: [
            ("-5", "5", ["-5", "-4.9", "-1e-300", "0", "1e-300", "4.999999999999999999", "5"]),
            ("0", "0", ["0", "-0", "0.0e9"]), ("-1e308", "1e308", ["1", "-1", "0", "1e307"]),
            ("1e-300", "1e300", ["1e-300", "1", "1e300", "123456789.123456789"]),
            ("-3", "-2", ["-3", "-2.5", "-2", "-2.00000000000000000001"]),
            (
                "9007199254740992", "9007199254740993",
                ["9007199254740992", "9007199254740992.5", "9007199254740993"]
            ),
            ("1", "1.0000000000000000001", ["1", "1.00000000000000000005"]),
        ]
    )
    func numbers(low: String, high: String, within: [String]) {
        func key(_ number: String) -> UInt64 {
            number.withByteView { withCanonicalNumber($0) { DecimalOrder.key($0) } }
        }
        for (bottom, top) in [(key(low), key(high)), (0, key(high)), (key(low), .max)] {
            let cells = cells(bottom, top)
            for number in within { #expect(holds(cells, key(number)), "\(number)") }
        }
    }
}
