import Basics
import FrameCodec
import TestSupport
import Testing

@testable import RouterCore

@Suite("Work that is measured")
struct MeasuredWorkTests {
    private var meter = WorkMeter(tickLimit: 1_000_000, sharedWork: 100_000)
    private var account = WorkAccount()
    private let group = WorkGroup(hash: 7)

    /// Work whose estimate is settled as the router does, and then measured.
    private mutating func work(_ estimate: Int, costs cost: Int, at time: MonotonicTime = 1_000) {
        meter.charge(estimate)
        meter.settle(&account, in: group, cost: estimate, isMeasured: true, at: time)
        meter.measure(cost, of: &account, in: group, at: time)
    }

    @Test("counts as what it has cost, be it more or less than was estimated")
    mutating func replaced() {
        work(1_000, costs: 250_000)
        #expect(meter.spent == 250_000)
        #expect(meter.credit(of: account) == 750_000)
        #expect(meter.credit(of: WorkAccount(), in: group) == 750_000)
        work(300_000, costs: 50_000)
        #expect(meter.spent == 300_000)
        #expect(meter.credit(of: account, in: group) == 700_000)
    }

    @Test("counts once, though other work was charged that was not settled")
    mutating func unsettled() {
        meter.charge(5_000)
        work(1_000, costs: 20_000)
        #expect(meter.spent == 20_000 && meter.credit(of: account) == 980_000)
        #expect(meter.unmeasured.estimates == 0)
    }

    @Test("does not replace estimates of work that no peer has caused")
    mutating func estimates() {
        meter.charge(400_000)
        meter.estimatesCount()
        work(1_000, costs: 2_000)
        #expect(meter.spent == 402_000)
    }

    @Test("leads to a rest by what was measured, and not by what was estimated")
    mutating func rest() {
        work(2_000_000, costs: 1_000)
        #expect(account.restUntil <= 1_000)
        work(1_000, costs: 2_600_000)
        // A debt of 1.6 of a share.
        #expect(account.restUntil == 1_012)
    }

    @Test("is begun in smaller portions if it has cost more than was estimated, until it does not")
    mutating func portions() {
        #expect(meter.estimate(for: account) == 1_000_000)
        for _ in 0..<20 {
            work(500_000, costs: 2_000_000)
            for _ in 0..<4 { meter.beginRound(at: 0) }
        }
        let portion = meter.estimate(for: account)
        #expect((240_000...270_000).contains(portion), "\(portion)")
        for _ in 0..<40 {
            work(500_000, costs: 100_000)
            meter.beginRound(at: 0)
        }
        #expect(meter.estimate(for: account) == 1_000_000)
    }

    @Test("of one group leaves the others their part of the tick, however many its connections are")
    mutating func groups() {
        var crowd = [WorkAccount](repeating: WorkAccount(), count: 50)
        let other = WorkGroup(hash: 8)
        for _ in 0..<3 {
            for index in crowd.indices
            where meter.credit(of: crowd[index], in: group) > 0 && !meter.isTickSpent {
                meter.charge(90_000)
                meter.settle(&crowd[index], in: group, cost: 90_000, at: 0)
            }
            meter.charge(1_000)
            meter.settle(&account, in: other, cost: 1_000, at: 0)
            meter.beginRound(at: 0)
        }
        // Half of a tick each, which the crowd has spent.
        var spent = 0
        for index in crowd.indices where meter.credit(of: crowd[index], in: group) > 0 {
            meter.charge(90_000)
            meter.settle(&crowd[index], in: group, cost: 90_000, at: 0)
            spent += 90_000
        }
        #expect(spent <= 590_000 && !meter.isTickSpent)
        #expect(meter.credit(of: account, in: other) == 100_000)
    }

    @Test("of one connection makes the others of its group wait for about a tick at most")
    mutating func groupDebt() {
        work(1_000, costs: 60_000_000)
        #expect(meter.credit(of: WorkAccount(), in: group) == -1_000_000)
        for _ in 0..<2 { meter.beginRound(at: 0) }
        #expect(meter.credit(of: WorkAccount(), in: group) == 1_000_000)
        #expect(meter.credit(of: account, in: group) < -50_000_000)
    }

    @Test("of a connection is not counted if it is that of a tick within it")
    mutating func tickInside() {
        meter.charge(1_000)
        meter.settle(&account, cost: 1_000, isMeasured: true, at: 0)
        let unmeasured = meter.unmeasured
        meter.charge(700_000)
        meter.beginRound(at: 0)
        meter.charge(3_000)
        meter.unmeasured = unmeasured
        meter.measure(5_000, of: &account, in: .none, at: 0)
        #expect(meter.spent == 7_000, "3,000 of the tick, and 4,000 more than estimated")
        #expect(meter.credit(of: account) == 996_000)
    }

    @Test("of a callback is not what a part of it has cost that others have caused")
    mutating func parts() {
        var payer = WorkAccount()
        let other = WorkGroup(hash: 8)
        meter.charge(2_000)
        // A part of the callback, for which another pays.
        meter.estimatesCount()
        meter.charge(10_000)
        meter.measure(400_000, of: &payer, in: other, at: 1_000)
        #expect(meter.spent == 402_000 && meter.credit(of: payer, in: other) == 600_000)
        meter.charge(3_000)
        meter.estimatesCount()
        #expect(meter.spent == 405_000 && meter.credit(of: WorkAccount(), in: group) == 1_000_000)
    }

    @Test("of a connection counts what it has settled, also if a tick within it measures others")
    mutating func settledBeforeTick() {
        meter.charge(200_000)
        meter.settle(&account, in: group, cost: 200_000, isMeasured: true, at: 0)
        let unmeasured = meter.unmeasured
        meter.estimatesCount()
        meter.charge(1_000)
        meter.measure(50_000, in: WorkGroup(hash: 8))
        meter.unmeasured = unmeasured
        meter.measure(300_000, of: &account, in: group, at: 0)
        #expect(meter.credit(of: account, in: group) == 700_000)
    }

    @Test("that continues in later ticks is charged by what the connection's frames cost lately")
    func continued() {
        let harness = RouterHarness {
            $0.workPerTick = 1_000_000
            $0.workPerConnection = 100_000
        }
        let slot = harness.connect(.publisher, "first")
        let pings = Array(repeating: encodeFrame(.ping, seq: 0, body: []), count: 40).joined()
        func credit() -> Int {
            let record = harness.router.link.front.sessions.connections[slot]
            return harness.router.outbox.work.credit(of: record.work)
        }
        var costs: [Int] = []
        for cost in [1, 8] {
            for _ in 0..<100 {
                _ = Array(pings).withByteView {
                    harness.router.received(on: slot, bytes: $0, isMeasured: true, now: harness.now)
                }
                let estimate = harness.router.unmeasuredWork.estimates
                harness.router.measured(Nanoseconds(rawValue: Int64(cost * estimate)), of: slot)
                harness.advance(100)
                _ = harness.step()
            }
            let before = credit()
            let session = harness.router.link.front.session(of: slot)
            harness.router.outbox.toFront.searches.append(.init(session: session, work: 10_000))
            harness.router.takeMessages()
            costs.append(before - credit())
        }
        #expect((10_000..<20_000).contains(costs[0]) && costs[1] > 2 * costs[0], "\(costs)")
    }

    @Test("of a report is paid by the devices of its app, and not by those of another")
    func reports() throws {
        let harness = RouterHarness {
            $0.workPerTick = 1_000_000
            $0.workPerConnection = 100_000
        }
        let body = Array(#"{"widgets":[{"id":"s","kind":"static"}]}"#.utf8)
        try body.withByteView { body throws(ProtocolError) in
            _ = try harness.router.report(
                .widgets,
                of: "d",
                app: "game",
                isOfGateway: false,
                body: body,
                isMeasured: true,
                now: harness.now
            )
        }
        func isOverdrawn(_ app: String) -> Bool { harness.router.isOverdrawn(reportsOf: app) }
        func rests(_ app: String) -> Bool { harness.router.restEnd(ofReports: app) != nil }
        #expect(!isOverdrawn("game"))
        harness.router.measured(.milliseconds(2), ofReports: "game")
        #expect(isOverdrawn("game") && rests("game"))
        #expect(!isOverdrawn("news"))
    }

    @Test("is paid by the connection that a driver names, open or closed, and by its group")
    func router() {
        let harness = RouterHarness {
            $0.workPerTick = 1_000_000
            $0.workPerConnection = 100_000
        }
        let first = harness.connect(.publisher, "first")
        let second = harness.connect(.publisher, "second")
        harness.router.join(group, on: first)
        harness.router.join(group, on: second)
        harness.advance(1)
        _ = harness.step()
        func isOverdrawn(_ slot: ConnectionSlot) -> Bool { harness.router.isOverdrawn(slot) }
        func rests(_ slot: ConnectionSlot) -> Bool { harness.router.restEnd(slot) != nil }
        func isBusy() -> Bool { harness.router.isBusy }
        harness.router.measured(.milliseconds(3), of: first)
        #expect(isBusy() && isOverdrawn(first) && rests(first))
        #expect(isOverdrawn(second) && !rests(second), "its group has spent the tick")
        harness.advance(1)
        for _ in 0..<3 { _ = harness.step() }
        #expect(!isOverdrawn(second))
        harness.close(first)
        harness.router.measured(.milliseconds(1), of: first)
        #expect(isBusy())
    }
}
