import Basics
import FrameCodec
import RouterCore
import Testing

/// What a push costs when policies decide on it: no allocation either, once everything is warm.
@Suite("Deciding when, in steady state")
struct SchedulingAllocationTests {
    private static let rounds = 5_000

    /// Runs turns until all is warm, then counts.
    private func verify(
        _ bench: inout SchedulingBench,
        rounds: Int = rounds,
        reloads: ClosedRange<Int>,
        _ reason: DecisionReason
    ) {
        for _ in 0..<rounds { bench.tick() }
        let before = bench.reloadCount
        let decided = bench.router.counters.decisions[reason]
        let count = allocations { for _ in 0..<rounds { bench.tick() } }
        let sent = bench.reloadCount - before
        #expect(count == 0, "\(count) allocations in \(rounds) rounds")
        #expect(reloads.contains(sent), "\(sent) RELOADs")
        let now = bench.router.counters.decisions[reason]
        #expect(now > decided, "what happens is \(reason.name)")
        let hasFailed = bench.router.counters.framesRejected > 0
        #expect(!hasFailed)
    }

    @Test("no push allocates that changes no observed field")
    func unchanged() {
        var bench = SchedulingBench { $0.observes = ["hp"] }
        bench.load(#"{"character":"kit","hp":30}"#)
        verify(&bench, reloads: 0...0, .unchanged)
    }

    @Test("no push allocates that brings other values of observed and inlined fields")
    func changed() {
        var bench = SchedulingBench(milliseconds: 600_000) {
            $0.observes = ["hp"]
            $0.inlines = ["hp"]
            $0.budget.seldom = 1_000
            $0.budget.daily = 1_000
            $0.budget.often = 1_000
        }
        bench.load(#"{"character":"kit","hp":30}"#, #"{"character":"kit","hp":31}"#)
        verify(&bench, rounds: 500, reloads: 25_000...50_000, .sent)
    }

    @Test("no push allocates that is debounced")
    func debounced() {
        var bench = SchedulingBench {
            $0.debounce = DebouncePolicy(wait: .seconds(2), longest: .hours(1))
        }
        bench.load(#"{"character":"kit"}"#)
        verify(&bench, rounds: 500, reloads: 0...0, .debounced)
    }

    @Test("no push allocates that joins what the budget has deferred")
    func coalesced() {
        var bench = SchedulingBench()
        bench.load(#"{"character":"kit"}"#)
        verify(&bench, rounds: 500, reloads: 0...0, .coalesced)
    }

    @Test("no push allocates that is deferred, nor its timer, nor the RELOAD that follows")
    func deferred() {
        var bench = SchedulingBench(milliseconds: 100_000) {
            $0.budget.seldom = 1_000
            $0.budget.daily = 1_000
            $0.budget.often = 1_000
        }
        bench.load(#"{"character":"kit"}"#)
        verify(&bench, rounds: 500, reloads: 1_000...50_000, .spacing)
    }

    @Test("no push that is queued for its origin allocates, nor does its permit")
    func queued() {
        var bench = SchedulingBench(perSecond: 1_000, milliseconds: 50) {
            $0.budget = .unlimited
        }
        bench.load(#"{"character":"kit"}"#)
        verify(&bench, rounds: 500, reloads: 10_000...30_000, .spread)
    }

    @Test("no urgent push with an expiry allocates when policies decide on it")
    func urgent() {
        var bench = SchedulingBench(milliseconds: 50) { $0.budget.spacing = .zero }
        bench.load(#"{"character":"kit"}"#, flags: 3)
        verify(&bench, rounds: 500, reloads: 0...50_000, .coalesced)
    }

    @Test("a TIMELINE allocates for its SCHEDULED alone, and nothing for its slot and timer")
    func timelines() {
        for isOwn in [false, true] {
            var bench = SchedulingBench(milliseconds: 1_000) { $0.spread.window = .minutes(1) }
            bench.answer(date: 30_000, ownTimer: isOwn)
            for _ in 0..<1_000 { bench.tick() }
            let withSlot = allocations { for _ in 0..<1_000 { bench.tick() } }
            bench.answer(date: nil, ownTimer: false)
            for _ in 0..<1_000 { bench.tick() }
            let never = allocations { for _ in 0..<1_000 { bench.tick() } }
            #expect(never == 0, "never: \(never) for 1,000 TIMELINEs")
            #expect(withSlot <= 2_000, "after: \(withSlot) for 1,000 TIMELINEs")
        }
    }
}
