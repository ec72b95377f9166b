// These break tables from within, which only builds for testing let them.
#if DEBUG
import Basics
import TestSupport
import Testing

@testable import ReloadScheduling

@Suite("The invariants of what schedules reloads")
struct InvariantTests {
    /// The sentence of the violation that a check throws; nil if it throws none.
    private func sentence(_ check: () throws(InvariantViolation) -> Void) -> String? {
        do throws(InvariantViolation) {
            try check()
            return nil
        } catch {
            return error.description
        }
    }

    private func time(_ milliseconds: Int64) -> ScheduleTime {
        ScheduleTime(rawValue: milliseconds)
    }

    private static var hashKey: HashKey { HashKey(low: 3, high: 4) }

    @Test("hold for a wheel, whatever is started and stopped", arguments: [1, 2, 3] as [UInt64])
    func wheel(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var wheel = TimingWheel(now: 1_000)
        var expired: ContiguousArray<UInt32> = []
        for step in 0..<2_000 {
            let id = UInt32(random.below(400))
            let distance = UInt64(random.below(random.pick([3, 100, 5_000, 3_000_000_000])))
            switch random.below(10) {
            case 0..<6: wheel.schedule(id, at: wheel.now + distance)
            case 6..<8: wheel.cancel(id)
            default: _ = wheel.advance(to: wheel.now + distance, limit: 20, into: &expired)
            }
            if step % 5 == 0 { try wheel.checkInvariants() }
        }
        #expect(expired.count > 50)
    }

    @Test("name a timer of a wheel that has no entry")
    func lostTimer() {
        var wheel = TimingWheel(now: 0)
        wheel.schedule(7, at: 10)
        wheel.deadlines[TimerID(rawValue: 8)] = WheelWord(tick: 10)
        let text = sentence { () throws(InvariantViolation) in try wheel.checkInvariants() }
        #expect(text == "TimingWheel: timer 8 runs and has no entry that is met in time")
    }

    @Test("hold for a ledger and a queue, whatever comes", arguments: [1, 2, 3] as [UInt64])
    func ledger(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var ledger = SlotLedger(perSecond: 3, undelayed: 2, hashKey: Self.hashKey)
        var queue = PacedQueue(seed: seed)
        var positions: [WidgetID: SlotPosition] = [:]
        var now: Int64 = 5_000
        for step in 0..<1_500 {
            let id = WidgetID(index: step)
            switch random.below(10) {
            case 0..<5:
                let slot = ledger.assign(
                    id,
                    earliest: time(now + Int64(random.below(4)) * 7_000),
                    window: Milliseconds(rawValue: random.pick([500, 3_000, 20_000])),
                    isFixed: random.below(3) == 0,
                    now: time(now)
                )
                positions[id] = slot.position
                let rank = random.pick([ReloadRank.urgent, .visible, .other])
                queue.append(id, rank: rank, fanOut: UInt64(step / 3))
            case 5, 6:
                guard let id = positions.keys.sorted().first else { continue }
                if let moved = ledger.release(positions.removeValue(forKey: id)!, now: time(now)) {
                    positions[moved.widget] = moved.slot.position
                }
                _ = queue.popFirst()
            case 7:
                guard let id = positions.keys.sorted().last else { continue }
                ledger.finish(positions.removeValue(forKey: id)!, now: time(now))
                queue.compact(idEnd: UInt32(step) + 1) { $0.index % 5 > 0 }
            case 8: ledger.spend(random.below(3), at: time(now))
            default:
                now += Int64(random.below(4_000))
                ledger.pass(time(now))
            }
            if step % 5 > 0 { continue }
            try ledger.checkInvariants()
            try queue.checkInvariants()
            for (id, position) in positions {
                let member = ledger.member(at: position)
                #expect(member == id, "seed \(seed), step \(step)")
            }
        }
    }

    @Test("name a second of a ledger that counts more than it has")
    func counts() {
        var ledger = SlotLedger(perSecond: 3, undelayed: 2, hashKey: Self.hashKey)
        _ = ledger.assign(
            1,
            earliest: time(9_000),
            window: Milliseconds(rawValue: 1_000),
            isFixed: false,
            now: time(1_000)
        )
        ledger.seconds.pages[.first].planned += 1
        let text = sentence { () throws(InvariantViolation) in try ledger.checkInvariants() }
        #expect(
            text == "SlotLedger.SecondCounts: page 0 has 1 reloads and 0 full seconds, "
                + "and counts 2 and 0"
        )
    }

    @Test("name a group of a ledger that is not found by its key")
    func lostGroup() {
        var ledger = SlotLedger(perSecond: 3, undelayed: 2, hashKey: Self.hashKey)
        _ = ledger.assign(
            1,
            earliest: time(9_000),
            window: Milliseconds(rawValue: 1_000),
            isFixed: false,
            now: time(1_000)
        )
        ledger.groups[.first].isClosed = true
        ledger.lastGroup = .none
        let text = sentence { () throws(InvariantViolation) in try ledger.checkInvariants() }
        #expect(text == "SlotLedger: 0 groups are open, and the table has 1")
    }
}
#endif
