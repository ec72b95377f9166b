/// A part of the number line: all numbers whose 64-bit keys agree except in the lowest `level`
/// bits.
///
/// The keys are those of `DecimalOrder.key`: in the order of the numbers, with as many keys from 1
/// to 10 as from 10 to 100, so that a cell is as fine for small numbers as for large ones.
struct NumberCell: Equatable {
    /// The number of low bits ignored: even, 0 to 62.
    let level: UInt8
    /// The key without its lowest `level` bits.
    let number: UInt64

    init(level: UInt8, number: UInt64) {
        assert(level <= 62 && level % 2 == 0, "level \(level)")
        assert(number <= UInt64.max >> UInt64(level), "number \(number) at level \(level)")
        self.level = level
        self.number = number
    }

    /// The finest level for a range that is open at one end: 256 cells for each power of ten.
    private static var openLevel: UInt8 { 42 }

    /// Calls `body` with cells that together contain every number from `low` to `high` (keys, both
    /// included).
    ///
    /// A range is covered by one to five cells of one level, so that for ranges of similar lengths
    /// a push needs to look at one level only; the cells may extend beyond the range by up to its
    /// length at each end. A range that is open at one end is covered by larger and larger cells.
    static func cover(from low: UInt64, to high: UInt64, body: (NumberCell) -> Void) {
        if low > high { return }
        if low == 0 || high == .max { return coverOpen(from: low, to: high, body: body) }
        let level = level(ofLength: high - low)
        for number in low >> UInt64(level)...high >> UInt64(level) {
            body(NumberCell(level: level, number: number))
        }
    }

    /// `cover` for a range that is open at one end or both.
    private static func coverOpen(from low: UInt64, to high: UInt64, body: (NumberCell) -> Void) {
        let mask = UInt64(1) << UInt64(openLevel) - 1
        var start = low & ~mask
        let end = high | mask
        while true {
            let cell = largest(at: start, upTo: end)
            body(cell)
            let (next, overflow) = start.addingReportingOverflow(1 << UInt64(cell.level))
            if overflow || next > end { return }
            start = next
        }
    }

    /// The largest cell that begins at `start` and does not extend beyond `end`.
    private static func largest(at start: UInt64, upTo end: UInt64) -> NumberCell {
        var level = openLevel
        while level < 62 {
            let size = UInt64(1) << UInt64(level + 2)
            if start & (size - 1) != 0 || end - start < size - 1 { break }
            level += 2
        }
        return NumberCell(level: level, number: start >> UInt64(level))
    }

    /// The level of the largest cell that is not longer than a length.
    private static func level(ofLength length: UInt64) -> UInt8 {
        length == 0 ? 0 : UInt8(63 - length.leadingZeroBitCount) & ~1
    }
}
