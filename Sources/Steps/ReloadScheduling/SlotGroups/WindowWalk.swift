/// The order in which a group fills the seconds of its window: by a stride near the golden ratio of
/// the window and coprime to it, so that every second is visited once before any is visited again.
struct WindowWalk: BitwiseCopyable {
    /// Seconds in the window.
    let width: Divisor
    /// Seconds from one visit to the next, modulo `width`.
    let stride: UInt32

    /// Makes the walk for a window of `width` seconds; of the coprime strides it uses the one
    /// nearest to the golden ratio.
    init(width: UInt32) {
        self.width = Divisor(width)
        let golden = UInt32((UInt64(width) * 0x9e37_79b9) >> 32)
        var distance: UInt32 = 0
        while true {
            let above = golden + distance
            if above > 0 && Self.areCoprime(above, and: width) {
                stride = above
                return
            }
            if distance < golden && Self.areCoprime(golden - distance, and: width) {
                stride = golden - distance
                return
            }
            distance += 1
        }
    }

    /// The inverse of `stride` modulo `width` (Euclid's algorithm): a column times this, modulo
    /// `width`, is the step at which a walk from column 0 visits it.
    var inverseStride: UInt32 {
        let width = Int64(width.value)
        var (rest, nextRest) = (width, Int64(stride) % width)
        var (factor, nextFactor) = (0 as Int64, 1 as Int64)
        while nextRest != 0 {
            let quotient = rest / nextRest
            (rest, nextRest) = (nextRest, rest - quotient * nextRest)
            (factor, nextFactor) = (nextFactor, factor - quotient * nextFactor)
        }
        let inverse = (factor % width + width) % width
        assert(inverse * Int64(stride) % width == 1 % width, "it is not the inverse")
        return UInt32(inverse)
    }

    /// Whether 1 is the only common divisor of two numbers (Euclid's algorithm).
    private static func areCoprime(_ left: UInt32, and right: UInt32) -> Bool {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return left == 1
    }
}
