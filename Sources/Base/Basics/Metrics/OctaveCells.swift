/// Cells for counting numbers of any size with the same relative precision: equally many in each
/// octave.
///
///     number    0 1 2 … n-1 │ n … 2n-1 │ 2n, 2n+2 … 4n-2 │ 4n, 4n+4 … │ …        n = 2^bits
///     cell      one each    │ n        │ n               │ n          │ … each octave
package struct OctaveCells: Sendable {
    /// The number of binary digits after a number's leading one that select its cell.
    let bits: Int

    /// Cells of which each octave has 2^`bits`.
    package init(bits: Int) { self.bits = bits }

    /// The lowest `bits` bits.
    private var mask: Int { 1 << bits - 1 }

    /// The cell that counts a number.
    package func cell(_ number: UInt64) -> Int {
        if number >> UInt64(bits) == 0 { return Int(truncatingIfNeeded: number) }
        let octave = 63 - number.leadingZeroBitCount
        let part = Int(truncatingIfNeeded: number >> UInt64(octave - bits)) & mask
        return (octave - bits + 1) << bits | part
    }

    /// The lowest number that a cell counts, and how many different numbers it counts.
    package func extent(_ cell: Int) -> (low: UInt64, width: UInt64) {
        if cell >> bits == 0 { return (UInt64(cell), 1) }
        let shift = UInt64(cell >> bits - 1)
        return (UInt64(1 << bits + cell & mask) << shift, 1 << shift)
    }
}
