import Basics
import TestSupport

@testable import ReloadScheduling

/// The ledgers that the partitions of a store have for one origin, beside a count of what happens
/// in each second in all of them together.
final class PartitionedLedgers {
    private final class Party {
        var ledger: PlainLedger
        var members: [UInt32: PlainLedger.Slot] = [:]

        init(_ ledger: consuming PlainLedger) { self.ledger = ledger }
    }

    private let rate: Int?
    private var parties: [Party] = []
    private var nextID: UInt32 = 0
    private var random: SeededGenerator
    private(set) var now: Int64
    /// Dated reloads, pending and finished, by second.
    private(set) var planned: [Int64: Int] = [:]
    /// Immediate reloads by second.
    private(set) var spent: [Int64: Int] = [:]
    private(set) var lentCount = 0

    init(count: Int, perSecond: Int?, undelayed: Int = 0, seed: UInt64, now: Int64 = 0) {
        rate = perSecond
        random = SeededGenerator(seed: seed)
        self.now = now
        for index in 0..<count {
            let partition = Partition(PartitionID(index: index), of: count)
            parties.append(
                Party(PlainLedger(perSecond: perSecond, undelayed: undelayed, for: partition))
            )
        }
    }

    func assign(in partition: Int, earliest: Int64, window: Int64) {
        let party = parties[partition]
        let slot = party.ledger.assign(
            nextID,
            earliest: earliest,
            window: window,
            isFixed: false,
            now: now
        )
        party.members[nextID] = slot
        planned[slot.at / 1_000, default: 0] += 1
        nextID += 1
    }

    // MARK: - Random calls

    func step() {
        let party = random.pick(parties)
        switch random.below(16) {
        case 0..<6: assignSome()
        case 6, 7: release(from: party)
        case 8..<11: spend(in: party)
        case 11, 12: lend()
        case 13: finishDue()
        case 14: now += Int64(random.below(400))
        default: pass()
        }
    }

    private func assignSome() {
        let earliest = (now / 7_000 + Int64(random.below(4))) * 7_000 + 250
        let window: Int64 = random.pick([0, 400, 1_000, 3_300, 20_000, 120_000])
        // Few enough that seconds are left for immediate ones.
        for _ in 0..<1 + random.below(min(8, rate ?? 8)) {
            assign(in: random.below(parties.count), earliest: earliest, window: window)
        }
    }

    private func release(from party: Party) {
        if party.members.isEmpty { return }
        let id = random.pick(party.members.keys.sorted())
        let slot = party.members.removeValue(forKey: id)!
        guard let moved = party.ledger.release(slot.position, now: now) else {
            planned[slot.at / 1_000, default: 0] -= 1
            return
        }
        planned[moved.formerAt / 1_000, default: 0] -= 1
        party.members[moved.id] = moved.slot
    }

    private func spend(in party: Party) {
        let permits = party.ledger.permits(at: now)
        if permits <= 0 { return }
        let count = 1 + random.below(min(permits, 40))
        party.ledger.spend(count, at: now)
        spent[now / 1_000, default: 0] += count
    }

    /// One lends to another, if one has something left of this second.
    private func lend() {
        let lenders = parties.filter { $0.ledger.permits(at: now) > 0 }
        if rate == nil || lenders.isEmpty { return }
        let lender = random.pick(lenders)
        let permits = lender.ledger.permits(at: now)
        let borrower = random.pick(parties)
        if borrower === lender { return }
        let count = 1 + random.below(permits)
        let before = borrower.ledger.permits(at: now)
        lender.ledger.lend(count, at: now)
        borrower.ledger.borrow(count, at: now)
        lentCount += 1
        // It may be in debt, which what was borrowed pays first.
        if before > 0 && borrower.ledger.permits(at: now) != before + count {
            faults.append("what was borrowed at \(now) cannot be spent")
        }
    }

    private func finishDue() {
        for party in parties {
            for (id, slot) in party.members where slot.at <= now {
                party.ledger.finish(slot.position, now: now)
                party.members[id] = nil
            }
        }
    }

    private func pass() {
        now += Int64(random.below(random.pick([900, 3_000, 40_000])))
        for party in parties where random.below(2) == 0 { party.ledger.pass(now) }
    }

    // MARK: - Checks

    private(set) var faults: [String] = []

    func check() throws {
        for party in parties { try party.ledger.checkInvariants() }
        guard let rate else { return }
        for (second, count) in planned where count + (spent[second] ?? 0) > rate {
            faults.append(
                "second \(second) has \(count) and \(spent[second] ?? 0), above \(rate)"
            )
        }
        for (second, count) in spent where count > rate {
            faults.append("second \(second) has \(count) immediate ones, above \(rate)")
        }
    }
}
