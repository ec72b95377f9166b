import Basics
import TestSupport
import Testing

@testable import ReloadScheduling

@Suite("A partition's share of the seconds")
struct ShareOfSecondsTests {
    private static func shares(of whole: UInt32, count: Int) -> [ShareOfSeconds] {
        (0..<count).map {
            ShareOfSeconds(of: whole, for: Partition(PartitionID(index: $0), of: count))
        }
    }

    @Test("is such that all shares of a second sum up to the whole", arguments: [1, 2, 3, 8, 64])
    func sums(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        for whole in [0, 1, 2, 7, 63, 64, 65, 1_000, .max - 1] as [UInt32] {
            let shares = Self.shares(of: whole, count: count)
            for _ in 0..<200 {
                let second = UInt32(random.below(4_000_000_000))
                let sum = shares.reduce(0 as UInt64) { $0 + UInt64($1[second]) }
                #expect(sum == whole, "\(whole) in second \(second)")
                let (least, most) = (
                    shares.map { $0[second] }.min()!, shares.map { $0[second] }.max()!
                )
                #expect(most - least <= 1, "\(whole) in second \(second)")
            }
        }
    }

    @Test("is the same over a round of seconds for each partition", arguments: [2, 3, 8, 64])
    func rounds(count: Int) {
        for whole in [1, 2, 7, 63, 65] as [UInt32] {
            for share in Self.shares(of: whole, count: count) {
                let sum = (1_000..<1_000 + UInt32(count)).reduce(0) { $0 + share[$1] }
                #expect(sum == whole)
            }
        }
    }

    @Test("is not divided without a limit")
    func unlimited() {
        for share in Self.shares(of: .max, count: 3) {
            #expect(share.isUnlimited && share[7] == .max && share.firstOpen(from: 7) == 7)
        }
        #expect(!Self.shares(of: .max - 1, count: 1)[0].isUnlimited)
    }

    @Test(
        "finds and counts the seconds without a share as a loop does",
        arguments: [1, 2, 3, 8, 64]
    )
    func closedSeconds(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        for whole in [1, 2, 7, 63, 64, 65] as [UInt32] {
            for share in Self.shares(of: whole, count: count) {
                let start =
                    random.pick([0, 1, 127, 1_700_000_000, 4_146_999_000])
                    + UInt32(random.below(300))
                let end = start + UInt32(random.below(400))
                let closed = (start..<end).count { share[$0] == 0 }
                #expect(share.closedCount(from: start, to: end) == closed)
                let open = (start...).first { share[$0] > 0 }
                #expect(share.firstOpen(from: start) == open)
            }
        }
    }
}
