internal import Basics

/// Draws numbers from 0 on by Zipf's law: the k-th number is drawn 1/k as often as the first.
struct ZipfTable {
    /// For each number, the sum of its weight and those of all numbers before it. Whole numbers
    /// give the same results on all machines.
    private var sums: ContiguousArray<UInt64> = []

    init(_ count: Int) {
        assert(count > 0, "there is no number to draw")
        sums.reserveCapacity(count)
        var sum: UInt64 = 0
        for number in 0..<count {
            sum += (1 << 32) / UInt64(number + 1)
            sums.append(sum)
        }
    }

    /// The number that a uniformly distributed 64-bit value leads to.
    func number(_ random: UInt64) -> Int {
        let position = random.multipliedFullWidth(by: sums[sums.count - 1]).high
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > position { high = middle } else { low = middle + 1 }
        }
        assert(sums[low] > position, "the number's share ends before the position")
        return low
    }
}
