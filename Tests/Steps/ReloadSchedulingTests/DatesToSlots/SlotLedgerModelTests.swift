import ReloadScheduling
import TestSupport
import Testing

@Suite("A slot ledger and a plain list")
struct SlotLedgerModelTests {
    /// Random calls, at a time that goes on.
    private struct Run: ~Copyable {
        let rate: Int?
        let hasUniform: Bool
        var random: SeededGenerator
        var harness: SlotLedgerHarness
        var now: Int64 = 3_000
        var passed: Int64 = 0

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            rate = seed % 3 == 0 ? nil : 1 + random.below(seed % 3 == 1 ? 4 : 40)
            hasUniform = seed % 4 == 0
            harness = SlotLedgerHarness(perSecond: rate, undelayed: random.below(6))
        }

        mutating func step() {
            switch random.below(20) {
            case 0..<10: assign()
            case 10..<14: release()
            case 14..<16: spend()
            case 16: if hasUniform { assignUniform() }
            case 17: finishDue(evenEarly: random.below(10) == 0)
            case 18: now += Int64(random.below(300))
            default: resume()
            }
        }

        private mutating func assign() {
            let windows: [Int64] = [0, 400, 1_000, 2_000, 3_300, 20_000, 60_000]
            // Few dates, so that many share one; some past, some with milliseconds of their own.
            var earliest = (now / 8_000 + Int64(random.below(4))) * 8_000 + 637
            if random.below(4) == 0 { earliest += Int64(random.below(300)) }
            let window = random.pick(windows)
            for _ in 0..<1 + random.below(8) {
                let isFixed = random.below(4) == 0
                _ = harness.assign(earliest: earliest, window: window, isFixed: isFixed, now: now)
            }
        }

        private mutating func release() {
            for _ in 0..<min(harness.ids.count, random.below(10)) {
                harness.release(random.pick(harness.ids), now: now)
            }
        }

        private mutating func assignUniform() {
            let earliest = now + Int64(random.below(20_000))
            _ = harness.assignUniform(earliest: earliest, window: 10_000, hash: random.next())
        }

        private mutating func spend() {
            let permits = min(harness.ledger.permits(at: now), 50)
            if permits > 0 { harness.spend(1 + random.below(permits), at: now) }
        }

        /// What is due has reloaded, in some of the steps; seldom somebody is finished early.
        private mutating func finishDue(evenEarly: Bool) {
            for id in harness.ids where harness.members[id]!.slot.at <= now {
                harness.finish(id, now: now)
            }
            if evenEarly && !harness.ids.isEmpty {
                harness.finish(random.pick(harness.ids), now: now)
            }
        }

        private mutating func resume() {
            if random.below(3) > 0 { return }
            now += Int64(random.below(random.below(20) == 0 ? 300_000 : 3_000))
            if random.below(2) == 0 { return }
            harness.ledger.pass(now)
            passed = now
        }

        /// What is wrong, as sentences.
        func faults() -> [String] {
            var faults = harness.faults
            let counters = harness.ledger.counters
            if counters.pending != harness.members.count {
                faults.append("the counters do not sum up: \(counters)")
            }
            // Pages of seconds are forgotten as a whole.
            let planned = harness.planned
            for second in max(0, passed / 1_000)..<now / 1_000 + 100 {
                let count = harness.ledger.planned(at: second * 1_000)
                if count != planned[second] ?? 0 {
                    faults.append("second \(second) has \(planned[second] ?? 0), not \(count)")
                }
            }
            if let rate, !hasUniform {
                for (second, count) in planned where count + (harness.spent[second] ?? 0) > rate {
                    faults.append("second \(second) has \(count), above the rate \(rate)")
                }
            }
            let positions = Set(
                harness.members.values.filter { !$0.isUniform }.map(\.slot.position).map {
                    UInt64($0.group) << 32 | UInt64($0.index)
                }
            )
            if positions.count != harness.members.values.count(where: { !$0.isUniform }) {
                faults.append("two share a position")
            }
            return faults
        }
    }

    @Test(
        "agree after any takes, give-backs, finishes, spends and time",
        arguments: 1...24 as ClosedRange<UInt64>
    )
    func agree(seed: UInt64) {
        var run = Run(seed: seed)
        for step in 0..<1_500 {
            run.step()
            if step % 40 > 0 { continue }
            let faults = run.faults()
            #expect(faults.isEmpty, "seed \(seed), step \(step)")
            if !faults.isEmpty { return }
        }
    }
}
