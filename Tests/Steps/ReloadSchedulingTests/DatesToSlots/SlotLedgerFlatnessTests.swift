import ReloadScheduling
import TestSupport
import Testing

@Suite("A slot ledger is flat")
struct SlotLedgerFlatnessTests {
    /// How many with one date, over how many seconds.
    struct Size: CustomTestStringConvertible {
        var count: Int
        var seconds: Int
        var testDescription: String { "\(count) over \(seconds) s" }

        static let all = [
            Size(count: 1_000_000, seconds: 900),
            Size(count: 100_000, seconds: 600),
            Size(count: 10_000, seconds: 600),
        ]
    }

    enum Cancelling: CaseIterable {
        case none
        /// A fifth of all, at random, when all have come.
        case afterwards
        /// One at random after every five that come.
        case between
    }

    /// A date that lies within a second.
    private static let date: Int64 = 86_400_637

    @Test(
        "for one date no second holds more than the mean, rounded up, and one",
        arguments: Size.all,
        [
            (Cancelling.none, 0), (.afterwards, 0), (.between, 0), (.none, 10), (.afterwards, 10),
            (.between, 10),
        ]
    )
    func oneDate(size: Size, how: (cancelling: Cancelling, undelayed: Int)) {
        let seed: UInt64 = 11
        var random = SeededGenerator(seed: seed)
        var ledger = PlainLedger(perSecond: nil, undelayed: how.undelayed)
        var slots = [PlainLedger.Slot?](repeating: nil, count: size.count)
        var pending: [Int] = []
        let window = Int64(size.seconds) * 1_000
        func cancelOne() {
            let index = random.below(pending.count)
            pending.swapAt(index, pending.count - 1)
            let id = pending.removeLast()
            if let moved = ledger.release(slots[id]!.position, now: 0) {
                slots[Int(moved.id)] = moved.slot
            }
            slots[id] = nil
        }
        for id in 0..<size.count {
            slots[id] = ledger.assign(
                UInt32(id),
                earliest: Self.date,
                window: window,
                isFixed: false,
                now: 0
            )
            pending.append(id)
            if how.cancelling == .between && id % 5 == 4 { cancelOne() }
        }
        if how.cancelling == .afterwards { for _ in 0..<size.count / 5 { cancelOne() } }
        let live = how.cancelling == .none ? size.count : size.count / 5 * 4
        #expect(pending.count == live)
        let times = slots.compactMap { $0?.at }
        #expect(times.count == live)
        #expect(times.allSatisfy { $0 >= Self.date && $0 < Self.date + window })
        // In the schedule's seconds, in those that begin with the date, and in others.
        for phase in [0, Self.date % 1_000, 250] {
            let peak = peak(times, phase: phase)
            #expect(peak <= (live + size.seconds - 1) / size.seconds + 1, "seed \(seed), \(phase)")
        }
    }

    private func peak(_ times: [Int64], phase: Int64) -> Int {
        let first = ((times.min() ?? 0) - phase) / 1_000
        var counts = [Int](repeating: 0, count: 1_000)
        for time in times { counts[Int((time - phase) / 1_000 - first)] += 1 }
        return counts.max() ?? 0
    }

    @Test(
        "at every moment of the arrivals two seconds differ by at most one",
        arguments: [1, 2, 7, 60, 97]
    )
    func prefixes(seconds: Int) {
        var ledger = PlainLedger(perSecond: nil, undelayed: 0)
        var counts = [Int](repeating: 0, count: seconds)
        var isFlat = true
        for id in 0..<UInt32(seconds * 5 + 3) {
            let slot = ledger.assign(
                id,
                earliest: 50_000,
                window: Int64(seconds) * 1_000,
                isFixed: false,
                now: 0
            )
            counts[Int(slot.at - 50_000) / 1_000] += 1
            isFlat = isFlat && counts.max()! - counts.min()! <= 1
        }
        #expect(isFlat)
    }

    @Test("the first few arrivals are spread over the whole window")
    func spread() {
        var ledger = PlainLedger(perSecond: nil, undelayed: 0)
        var seconds: [Int] = []
        for id in 0..<UInt32(20) {
            let slot = ledger.assign(id, earliest: 0, window: 600_000, isFixed: false, now: 0)
            seconds.append(Int(slot.at / 1_000))
        }
        seconds.sort()
        let gaps = zip(seconds, seconds.dropFirst()).map { $1 - $0 }
        // Twenty even gaps would be 30; the golden sequence's differ by a factor of 2.62 at most.
        #expect(gaps.min()! >= 15)
        #expect(gaps.max()! <= 60)
    }

    @Test("those of one second are due at different milliseconds")
    func withinASecond() {
        var ledger = PlainLedger(perSecond: nil, undelayed: 0)
        var times = Set<Int64>()
        for id in 0..<UInt32(300) {
            let slot = ledger.assign(id, earliest: 1_500, window: 1_000, isFixed: false, now: 0)
            times.insert(slot.at)
        }
        #expect(times.count == 300)
        #expect(times.min()! >= 1_500)
        #expect(times.max()! < 2_500)
        #expect(times.max()! - times.min()! > 980)
    }

    @Test("dates that differ within their second leave no second fuller than the others")
    func mixedMilliseconds() {
        let seed: UInt64 = 5
        var random = SeededGenerator(seed: seed)
        var harness = SlotLedgerHarness()
        for _ in 0..<6_000 {
            let earliest = 77_000 + Int64(random.below(1_000))
            _ = harness.assign(earliest: earliest, window: 600_000)
        }
        for _ in 0..<1_200 { harness.release(random.pick(harness.ids)) }
        #expect(harness.faults.isEmpty, "seed \(seed)")
        // The date's own second has one at most, so that the mean is over 599.
        let peak = harness.peak(phase: 0)
        #expect(peak <= (4_800 + 598) / 599 + 1, "seed \(seed)")
    }

    @Test("the same widget does not always come last")
    func order() {
        var ledger = PlainLedger(perSecond: nil, undelayed: 0)
        var delays = Set<Int64>()
        for date in 0..<Int64(50) {
            let earliest = 100_000 + date * 3_600_000
            let slot = ledger.assign(7, earliest: earliest, window: 600_000, isFixed: false, now: 0)
            delays.insert((slot.at - earliest) / 1_000)
        }
        #expect(delays.count > 40)
        #expect(delays.min()! < 100)
        #expect(delays.max()! > 500)
    }
}
