/// The order in which a window's seconds are filled: by a stride near the golden ratio of the
/// window, coprime to it, so that every second is met once before one is met again.
struct WindowWalk: BitwiseCopyable {
    /// Seconds in the window.
    let width: Divisor
    let stride: UInt32

    init(width: UInt32) {
        self.width = Divisor(width)
        let golden = UInt32((UInt64(width) * 0x9e37_79b9) >> 32)
        var distance: UInt32 = 0
        while true {
            let above = golden + distance
            if above > 0 && Self.areCoprime(above, width) {
                stride = above
                return
            }
            if distance < golden && Self.areCoprime(golden - distance, width) {
                stride = golden - distance
                return
            }
            distance += 1
        }
    }

    /// What the stride is to be multiplied by to give 1, counted around the window: a column times
    /// this is the step that leads to it from column 0. (Euclid's algorithm.)
    var inverseStride: UInt32 {
        let width = Int64(width.value)
        var (rest, nextRest) = (width, Int64(stride) % width)
        var (factor, nextFactor) = (0 as Int64, 1 as Int64)
        while nextRest != 0 {
            let quotient = rest / nextRest
            (rest, nextRest) = (nextRest, rest - quotient * nextRest)
            (factor, nextFactor) = (nextFactor, factor - quotient * nextFactor)
        }
        return UInt32((factor % width + width) % width)
    }

    private static func areCoprime(_ left: UInt32, _ right: UInt32) -> Bool {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return left == 1
    }
}
