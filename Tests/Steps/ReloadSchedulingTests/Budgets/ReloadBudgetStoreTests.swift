import Basics
import ReloadScheduling
import StoreFormat
import TestSupport
import Testing

@Suite("A reload budget that is read from its bytes")
struct ReloadBudgetStoreTests {
    private static func read(_ bytes: [UInt8]) throws(StoreError) -> PlainBudget {
        try restored(bytes) { reader throws(StoreError) in try PlainBudget(reading: &reader) }
    }

    private static func act(
        _ budget: inout PlainBudget,
        _ random: inout SeededGenerator,
        at now: Int64,
        phase: Int64
    ) {
        for _ in 0..<random.below(random.below(40) == 0 ? 300 : 3) {
            budget.charge(at: now, phase: phase)
        }
        for _ in 0..<random.below(3) { budget.recordView(at: now, phase: phase) }
    }

    /// What can be asked of a budget.
    private static func answers(_ budget: PlainBudget, _ now: Int64, _ phase: Int64) -> [Int64] {
        var answers = [Int64(budget.used(at: now, phase: phase))]
        for policy in [BudgetPolicy.widget, .complication] {
            answers.append(Int64(budget.allowance(policy, at: now, phase: phase)))
            for mayUseReserve in [false, true] {
                answers.append(
                    budget.earliest(policy, mayUseReserve: mayUseReserve, at: now, phase: phase)
                )
            }
        }
        return answers
    }

    @Test(
        "answers all later calls as the one that was written",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func behaviour(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let phase = Int64(random.below(86_400_000))
        var now: Int64 = random.pick([0, 1_700_000_000_000])
        var budget = PlainBudget(now: now, phase: phase)
        var other = budget
        for step in 0..<2_000 {
            now += Int64(random.below(random.pick([1_000, 4_000_000, 90_000_000])))
            if random.below(100) == 0 { now += 86_400_000 * Int64(random.below(400)) }
            if random.below(10) == 0 { other = try Self.read(stored { budget.write(to: &$0) }) }
            #expect(other.isPossible(at: now, phase: phase), "seed \(seed), step \(step)")
            var same = random
            Self.act(&budget, &random, at: now, phase: phase)
            Self.act(&other, &same, at: now, phase: phase)
            #expect(
                Self.answers(budget, now, phase) == Self.answers(other, now, phase),
                "seed \(seed), step \(step)"
            )
        }
        #expect(stored { budget.write(to: &$0) } == stored { other.write(to: &$0) })
    }

    @Test("has the bytes that its picture shows")
    func layout() {
        var budget = PlainBudget(now: 0, phase: 0)
        let bucket = PlainBudget.bucketLength
        budget.charge(at: 0, phase: 0)
        budget.recordView(at: bucket, phase: 0)
        for _ in 0..<3 { budget.charge(at: bucket * 9, phase: 0) }
        let bytes = stored { budget.write(to: &$0) }
        var expected = [UInt8](repeating: 0, count: 32)
        (expected[0], expected[9]) = (3, 1)
        (expected[24], expected[30], expected[31]) = (9, 1, 1)
        #expect(bytes == expected)
    }

    @Test("is distinguished from one that was changed later, or at two times")
    func impossible() throws {
        let (bucket, day) = (PlainBudget.bucketLength, PlainBudget.dayLength)
        var budget = PlainBudget(now: 0, phase: 9)
        budget.charge(at: 2 * day + bucket, phase: 9)
        #expect(budget.isPossible(at: 2 * day + bucket, phase: 9))
        #expect(budget.isPossible(at: 900 * day, phase: 9))
        #expect(!budget.isPossible(at: 2 * day, phase: 9))
        #expect(!budget.isPossible(at: day, phase: 9))
        var bytes = stored { budget.write(to: &$0) }
        // Of the third day, but a bucket of the second.
        bytes[24] -= 2
        #expect(try !Self.read(bytes).isPossible(at: 900 * day, phase: 9))
    }

    @Test("throws where its bytes are cut off, and can be worked with whatever bits are flipped")
    func damaged() throws {
        var random = SeededGenerator(seed: 1)
        var budget = PlainBudget(now: 5, phase: 9)
        for _ in 0..<50 { Self.act(&budget, &random, at: 70_000_000, phase: 9) }
        let image = stored { budget.write(to: &$0) }
        for count in image.indices {
            #expect(throws: StoreError.self) { _ = try Self.read(Array(image.prefix(count))) }
        }
        var refused = 0
        for _ in 0..<4_000 {
            var bytes = image
            for _ in 0...random.below(12) {
                bytes[random.below(32)] ^= 1 << UInt8(random.below(8))
            }
            let now: Int64 = 80_000_000 + Int64(random.below(200_000_000))
            guard var budget = try? Self.read(bytes), budget.isPossible(at: now, phase: 9) else {
                refused += 1
                continue
            }
            Self.act(&budget, &random, at: now, phase: 9)
            let answers = Self.answers(budget, now, 9)
            #expect(answers.allSatisfy { $0 >= 0 })
        }
        #expect(refused > 1_000 && refused < 3_000)
    }
}
