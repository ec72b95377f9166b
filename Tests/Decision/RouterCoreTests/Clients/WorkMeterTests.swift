import Basics
import FrameCodec
import TestSupport
import Testing

@testable import RouterCore

@Suite("Work, as the meter divides it")
struct WorkMeterTests {
    @Test("is a whole tick's for a connection that has been alone, and else a share of it for each")
    func shares() {
        var meter = WorkMeter(tickLimit: 1_000, sharedWork: 100)
        var accounts = [WorkAccount](repeating: WorkAccount(), count: 20)
        #expect(meter.credit(of: accounts[0]) == 1_000)
        for (time, count, share) in [
            (0, 1, 1_000), (0, 2, 100), (1, 10, 100), (2, 1, 100), (10, 1, 100), (11, 1, 1_000),
            (12, 20, 100), (21, 0, 100), (22, 0, 1_000),
        ] as [(MonotonicTime, Int, Int)] {
            for index in 0..<count { meter.settle(&accounts[index], cost: 1, at: 0) }
            // Whoever settles twice is one connection all the same.
            if count > 0 { meter.settle(&accounts[0], cost: 1, at: 0) }
            meter.beginRound(at: time)
            #expect(meter.share == share, "after a round of \(count) at \(time)")
        }
    }

    @Test("waits, where a frame cost more than a share, for the rounds that repay it")
    func debt() {
        var meter = WorkMeter(tickLimit: 100, sharedWork: 100)
        var account = WorkAccount()
        meter.settle(&account, cost: 340, at: 0)
        var credits: [Int] = []
        for _ in 0..<5 {
            credits.append(meter.credit(of: account))
            meter.beginRound(at: 0)
        }
        #expect(credits == [-240, -140, -40, 60, 100])
    }

    @Test("has to wait once what is estimated for a credit is done, whatever the estimates missed")
    func estimated() {
        var random = SeededGenerator(seed: 7)
        var meter = WorkMeter(tickLimit: 1_000_000, sharedWork: 100_000)
        var account = WorkAccount()
        for time in 1...1_000 as ClosedRange<Int64> {
            meter.beginRound(at: MonotonicTime(rawValue: time * 1_000))
            let estimate = meter.estimate(for: account)
            if estimate > 0 {
                meter.charge(estimate)
                meter.settle(&account, cost: estimate, isMeasured: true, at: 0)
            }
            #expect(meter.credit(of: account) <= 0)
            let cost = max(0, estimate) * random.below(2_000) / 100
            meter.measure(cost, of: &account, in: .none, at: 0)
        }
    }

    @Test("does not pile up for who has been silent, for however many rounds")
    func silence() {
        var meter = WorkMeter(tickLimit: 100, sharedWork: 100)
        var account = WorkAccount()
        meter.settle(&account, cost: 30, at: 0)
        for _ in 0..<100_000 { meter.beginRound(at: 0) }
        #expect(meter.credit(of: account) == 100)
    }

    @Test("that is overdrawn by much is followed by a rest of eight times as long")
    func rest() {
        for (costs, end) in [
            ([1_100_000], 0), ([1_500_000], 0), ([1_600_000], 1_004), ([3_000_000], 1_015),
            ([1_600_000, 100_000, 150_000], 1_006),
        ] as [([Int], MonotonicTime)] {
            var meter = WorkMeter(tickLimit: 1_000_000, sharedWork: 1_000_000)
            var account = WorkAccount()
            for cost in costs { meter.settle(&account, cost: cost, at: 1_000) }
            #expect(account.restUntil == end, "after \(costs)")
        }
    }

    @Test("is divided among those who wait for it as well as those who had some")
    func waiting() {
        var meter = WorkMeter(tickLimit: 1_000, sharedWork: 100)
        var accounts = [WorkAccount](repeating: WorkAccount(), count: 4)
        meter.settle(&accounts[0], cost: 1_300, at: 0)
        for index in 1..<4 { meter.wait(&accounts[index]) }
        meter.beginRound(at: 0)
        #expect(meter.share == 100)
        #expect(meter.credit(of: accounts[0]) == -200)
        #expect(meter.credit(of: accounts[1]) == 100)
    }

    @Test("is repaid also when the debt is beyond what the account can hold")
    func hugeDebt() {
        var meter = WorkMeter(tickLimit: 3_000_000, sharedWork: 100_000)
        var account = WorkAccount()
        meter.settle(&account, cost: 1 << 50, at: 0)
        #expect(meter.credit(of: account) < 0)
        for _ in 0..<4_096 { meter.beginRound(at: 0) }
        #expect(meter.credit(of: account) == 3_000_000)
    }

    @Test("makes no connection wait for ever, however small the share that repays the largest debt")
    func largestDebt() {
        var meter = WorkMeter(tickLimit: 3_000_000, sharedWork: 250_000)
        var account = WorkAccount()
        var other = WorkAccount()
        meter.settle(&account, cost: 1 << 50, at: 0)
        for _ in 0..<10_000 {
            meter.settle(&other, cost: 1, at: 0)
            var third = WorkAccount()
            meter.settle(&third, cost: 1, at: 0)
            meter.beginRound(at: 0)
        }
        #expect(meter.share == 250_000)
        #expect(meter.credit(of: account) == 250_000)
    }
}

@Suite("A router whose ticks are short")
struct WorkShareTests {
    private static let large = #"{"text":"\#(String(repeating: "a", count: 60_000))"}"#
    private static let small = #"{"character":"kit"}"#

    private let harness = RouterHarness {
        $0.workPerTick = 200_000
        $0.workPerConnection = 50_000
    }

    /// Connects, a step for each: connections cost something too.
    private func connect(_ role: Peer, _ name: String? = nil) -> ConnectionSlot {
        defer { _ = harness.step() }
        return harness.connect(role, name)
    }

    @Test("accepts others' frames in every tick, whatever one connection's frames cost")
    func others() {
        let expensive = connect(.publisher, "expensive")
        let honest = (0..<3).map { connect(.publisher, "honest-\($0)") }
        var seq: UInt64 = 0
        var expensiveCount = 0
        for tick in 1...40 as ClosedRange<UInt64> {
            if !harness.router.isPaused(expensive) {
                seq += 1
                let frame = harness.pushFrame(seq, Self.large)
                if harness.send(expensive, frame) == frame.count { expensiveCount += 1 }
            }
            for slot in honest {
                // The tick may be spent: then the next one begins with who was refused.
                if harness.router.isBusy { _ = harness.step() }
                let frame = harness.pushFrame(tick, Self.small)
                #expect(harness.send(slot, frame) == frame.count, "tick \(tick)")
            }
            harness.advance(1)
            _ = harness.step()
        }
        // Each costs 60,000 of a share of 50,000, and for part of the rest it rests.
        #expect((8...40).contains(expensiveCount), "\(expensiveCount)")
    }

    @Test("lets a producer that reconnects continue its rest, and no other")
    func comesAgain() {
        let honest = connect(.publisher, "honest")
        let first = connect(.publisher, "p")
        var seq: UInt64 = 0
        while harness.router.restEnd(first) == nil && seq < 40 {
            seq += 1
            _ = harness.send(honest, harness.pushFrame(seq, Self.small))
            _ = harness.send(first, harness.pushFrame(seq, Self.large))
            _ = harness.step()
        }
        #expect(harness.router.restEnd(first) != nil)
        harness.close(first)
        let other = connect(.publisher, "q")
        #expect(harness.router.restEnd(other) == nil)
        let second = connect(.publisher, "p")
        #expect(harness.router.restEnd(second) != nil)
        harness.advance(1_000)
        _ = harness.step()
        #expect(harness.router.restEnd(second) == nil)
    }

    @Test("continues with a connection that is alone once its debt is repaid, and loses nothing")
    func alone() {
        let publisher = connect(.publisher, "p")
        let frames = (1...20 as ClosedRange<UInt64>).map { harness.pushFrame($0, Self.large) }
        var rest = Array(frames.joined())
        var acknowledged: UInt64 = 0
        var steps = 0
        while acknowledged < 20 && steps < 1_000 {
            rest.removeFirst(harness.send(publisher, rest))
            for case .ack(_, let seq, _) in harness.step() { acknowledged = seq }
            steps += 1
        }
        #expect(rest.isEmpty && acknowledged == 20)
        #expect(steps <= 40, "a tick has room for one of them: \(steps)")
    }

    @Test("takes no frame when connections come and go so fast that their tick is spent")
    func reconnects() {
        let publisher = connect(.publisher, "p")
        let count = harness.router.limits.workPerTick / min(WorkCost.accept, WorkCost.close) + 1
        let slots = (0..<count).map { _ in harness.open() }
        #expect(harness.send(publisher, harness.pushFrame(1, Self.small)) == 0)
        _ = harness.step()
        #expect(harness.send(publisher, harness.pushFrame(1, Self.small)) > 0)
        _ = harness.step()
        for slot in slots { harness.close(slot) }
        #expect(harness.send(publisher, harness.pushFrame(2, Self.small)) == 0)
    }

    @Test("counts the frames that are refused, and those of devices, by what they make it do")
    func deviceFrames() {
        let gateway = connect(.gateway)
        let widgets = (0..<200).map { TestWidget.character("w\($0)", "kit") }
        let sent = harness.widgets(gateway, "d", widgets)
        #expect(sent == 1)
        let isHeld = harness.router.isPaused(gateway)
        #expect(isHeld, "200 widgets cost more than a tick has")
        var steps = 0
        while harness.router.isPaused(gateway) && steps < 100 {
            _ = harness.step()
            steps += 1
        }
        #expect((2...100).contains(steps), "\(steps)")
    }

    @Test("counts the names with which a refusal compares an unknown kind")
    func unknownKinds() {
        func cost(kinds: Int) -> Int {
            let declarations = (0..<kinds).map { KindDeclaration(kind: "kind-\($0)") }
            let catalog = AppCatalog(apps: [AppDeclaration(app: "game", kinds: declarations)])
            let harness = RouterHarness(catalog: catalog)
            let gateway = harness.connect(.gateway)
            _ = harness.step()
            let before = harness.router.outbox.work.spent
            harness.widgets(gateway, "d", [TestWidget("w", "kind-x")])
            return harness.router.outbox.work.spent - before
        }
        let least = cost(kinds: 1)
        #expect(cost(kinds: 101) == least + 100 * WorkCost.spelling)
        #expect(cost(kinds: 1_000) == least + (Spelling.nameLimit - 1) * WorkCost.spelling)
    }
}
