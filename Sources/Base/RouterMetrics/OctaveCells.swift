/// Cells to count numbers in: as many in each octave, so that a cell tells each number to the same share
/// of itself, however large it is.
///
///     number    0 1 2 … n-1 │ n … 2n-1 │ 2n, 2n+2 … 4n-2 │ 4n, 4n+4 … │ …        n = 2^bits
///     cell      one each    │ n        │ n               │ n          │ … each octave
package struct OctaveCells: Sendable {
    /// Binary digits that are kept of a number behind its first.
    let bits: Int

    package init(bits: Int) {
        self.bits = bits
    }

    private var mask: Int { 1 << bits - 1 }

    /// The cell of a number.
    package func cell(_ number: UInt64) -> Int {
        if number >> UInt64(bits) == 0 { return Int(truncatingIfNeeded: number) }
        let octave = 63 - number.leadingZeroBitCount
        let part = Int(truncatingIfNeeded: number >> UInt64(octave - bits)) & mask
        return (octave - bits + 1) << bits | part
    }

    /// The first number of a cell, and how many it has.
    package func extent(_ cell: Int) -> (low: UInt64, width: UInt64) {
        if cell >> bits == 0 { return (UInt64(cell), 1) }
        let shift = UInt64(cell >> bits - 1)
        return (UInt64(1 << bits + cell & mask) << shift, 1 << shift)
    }
}
