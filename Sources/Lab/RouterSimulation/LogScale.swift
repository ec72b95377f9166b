/// A logarithmic scale of whole numbers, computed without floating point.
struct LogScale {
    /// The end of the axis: the lowest power of ten, from 10 to 10⁹, that is not below the largest
    /// value; 10⁹ if there is none.
    let top: UInt32
    /// The length of the axis, in tenths of a pixel.
    let length: Int

    init(largest: UInt32, length: Int) {
        var top: UInt32 = 10
        while top < largest && top < 1_000_000_000 { top *= 10 }
        self.top = top
        self.length = length
    }

    /// Returns the position of `value` / `divisor` on the axis, in tenths of a pixel. The axis
    /// begins at the value one half, so that 1 is not drawn in the same place as 0.
    func position(_ value: UInt32, per divisor: UInt32 = 1) -> Int {
        if value == 0 { return 0 }
        let logarithm = Self.log2(value) + Self.one - Self.log2(divisor)
        return max(0, min(length, length * logarithm / (Self.log2(top) + Self.one)))
    }

    /// The powers of ten on the axis.
    var ticks: [UInt32] {
        var ticks: [UInt32] = []
        var tick: UInt32 = 1
        while tick < top {
            ticks.append(tick)
            tick *= 10
        }
        return ticks + [top]
    }

    /// The number 1 in the units of `log2`.
    private static var one: Int { 1 << 16 }

    /// The binary logarithm of a number above zero, in units of 2^-16, by repeated squaring.
    private static func log2(_ value: UInt32) -> Int {
        assert(value > 0, "zero has no logarithm")
        let exponent = 31 - value.leadingZeroBitCount
        var mantissa = UInt64(value) << UInt64(31 - exponent)
        var result = exponent
        for _ in 0..<16 {
            mantissa = (mantissa * mantissa) >> 31
            result *= 2
            if mantissa >= 1 << 32 {
                mantissa >>= 1
                result += 1
            }
        }
        return result
    }
}
