import Basics
import StoreFormat
import TestSupport

@testable import ReloadScheduling

/// A ledger and one that was read from its bytes: all that is called gives the same in both.
struct SlotLedgerReplicas: ~Copyable {
    struct Member {
        var id: UInt32
        var position: SlotPosition
        var isFixed = false
    }

    private(set) var first: PlainLedger
    private var second: PlainLedger
    private(set) var members: [Member] = []
    private var places: [UInt32: Int] = [:]
    private var nextID: UInt32 = 0
    /// Who stood somewhere once.
    private var formerly: [Member] = []
    private(set) var now: Int64
    private let partition: Partition
    private var random: SeededGenerator
    /// Calls that change the ledgers, so far.
    private(set) var callCount = 0
    /// What was wrong, as sentences.
    private(set) var faults: [String] = []

    /// Two empty ledgers.
    init(
        seed: UInt64,
        perSecond: Int?,
        undelayed: Int,
        for partition: Partition = .only,
        now: Int64
    ) {
        let keys = [0, 1].map { HashKey(low: seed, high: $0) }
        first = PlainLedger(
            perSecond: perSecond,
            undelayed: undelayed,
            for: partition,
            hashKey: keys[0]
        )
        second = PlainLedger(
            perSecond: perSecond,
            undelayed: undelayed,
            for: partition,
            hashKey: keys[1]
        )
        self.partition = partition
        random = SeededGenerator(seed: seed)
        self.now = now
    }

    /// Two ledgers read from the same bytes, with those members who have places there, and others
    /// wherever one is free.
    init(seed: UInt64, bytes: [UInt8], members: [Member]) throws(StoreError) {
        self.init(seed: seed, perSecond: nil, undelayed: 0, now: 0)
        first = try Self.read(bytes, HashKey(low: 1, high: 0))
        second = try Self.read(bytes, HashKey(low: 2, high: 0))
        now = first.time
        nextID = (members.map(\.id).max() ?? 0) + 1
        // Those without a group are known only to themselves, and may not be there at all.
        for member in members where member.position.isInGroup { nameMember(member) }
        for position in first.unseatedPositions {
            nameMember(Member(id: nextID, position: position, isFixed: random.below(2) == 0))
            nextID += 1
        }
        if first.unnamedCount > 0 { faults.append("has seats that nobody can take") }
    }

    private mutating func nameMember(_ member: Member) {
        let (id, isFixed, position) = (member.id, member.isFixed, member.position)
        let isSeated = first.nameMember(id, isFixed: isFixed, at: position)
        compare(isSeated, second.nameMember(id, isFixed: isFixed, at: position), "seated")
        if isSeated { add(member) }
    }

    static func read(
        _ bytes: [UInt8],
        _ hashKey: HashKey = HashKey(low: 1, high: 0),
        for partition: Partition = .only
    ) throws(StoreError) -> PlainLedger {
        try restored(bytes) { reader throws(StoreError) in
            try PlainLedger(reading: &reader, for: partition, hashKey: hashKey)
        }
    }

    var bytes: [UInt8] { stored { first.write(to: &$0) } }

    /// From now on the second one is what the first one's bytes say, and its members.
    mutating func read() throws {
        let bytes = bytes
        // Nothing but the places in the tables depends on the key.
        second = try Self.read(bytes, HashKey(using: &random), for: partition)
        for member in members.shuffled(using: &random) {
            let (id, isFixed) = (member.id, member.isFixed)
            if !second.nameMember(id, isFixed: isFixed, at: member.position) {
                faults.append("\(id) has lost its position")
            }
        }
        if second.unnamedCount > 0 { faults.append("has seats that nobody has taken") }
        compareBytes(bytes, "is read")
    }

    // MARK: - Checkpoints

    /// The first one's checkpoint so far, and what it must be.
    private var checkpoint: (found: [UInt8], wanted: [UInt8])?

    mutating func beginCheckpoint() {
        let wanted = bytes
        var writer = StoreWriter()
        first.beginCheckpoint(&writer)
        checkpoint = (writer.bytes.array, wanted)
    }

    /// Writes some more of the checkpoint; what is whole must be as the ledger was at its
    /// beginning.
    mutating func continueCheckpoint() {
        guard let begun = checkpoint else { return }
        var writer = StoreWriter()
        let isMore = first.writeUnwritten(to: &writer)
        if writer.count > 16_384 { faults.append("writes \(writer.count) bytes at once") }
        checkpoint?.found += writer.bytes.array
        if isMore { return }
        if begun.found != begun.wanted { faults.append("has changed in the checkpoint") }
        checkpoint = nil
    }

    mutating func abandonCheckpoint() {
        first.abandonCheckpoint()
        checkpoint = nil
    }

    var isCheckpointing: Bool { checkpoint != nil }

    // MARK: - Comparing

    mutating func compareBytes() {
        compareBytes(bytes, "continues")
    }

    private mutating func compareBytes(_ bytes: [UInt8], _ what: String) {
        let other = stored { second.write(to: &$0) }
        if other != bytes { faults.append("has other bytes when it \(what)") }
        compare(first.counters, second.counters, "counters")
        compare(first.groupCount, second.groupCount, "groups")
        let seated = first.seated
        compare(seated, second.seated, "members")
        let members = members.count { $0.position.isInGroup }
        if members != seated.count { faults.append("has members of whom nobody knows") }
    }

    private mutating func compare<Value: Equatable>(_ one: Value, _ other: Value, _ what: String) {
        if one != other { faults.append("\(what): \(one) and \(other)") }
    }

    // MARK: - Calls

    mutating func step() {
        switch random.below(27) {
        case 0..<9: assign()
        case 9..<12: for _ in 0..<random.below(8) { release() }
        case 12: release(part: 2)
        case 13: finish()
        case 14: assignUniform()
        case 15 where !partition.isOnly && first.rate != .max: lendOrBorrow()
        case 15, 16: spend()
        case 17: look()
        case 18, 19: now += Int64(random.below(700))
        case 20: resume()
        case 21 where random.below(6) == 0: change()
        case 22: moveOn()
        case 23 where random.below(3) == 0: crowd()
        case 24: payDebt()
        default: pass()
        }
    }

    /// Few dates and windows, so that many share them; some past, some with ms of their own.
    private mutating func assign() {
        var earliest = (now / 9_000 + Int64(random.below(4))) * 9_000 + 637
        if random.below(4) == 0 { earliest += Int64(random.below(300)) }
        if random.below(60) == 0 { earliest += Int64(random.below(400)) * 86_400_000 }
        let window: Int64 = random.pick([0, 400, 1_000, 2_000, 3_300, 20_000, 60_000, 300_000])
        for _ in 0..<1 + random.below(8) {
            takeOne(earliest: earliest, window: window, isFixed: random.below(5) == 0)
        }
    }

    mutating func takeOne(earliest: Int64, window: Int64, isFixed: Bool) {
        let id = nextID
        nextID += 1
        callCount += 1
        let slot = first.assign(
            id,
            earliest: earliest,
            window: window,
            isFixed: isFixed,
            now: now
        )
        let other = second.assign(
            id,
            earliest: earliest,
            window: window,
            isFixed: isFixed,
            now: now
        )
        compare(slot, other, "taken")
        add(Member(id: id, position: slot.position, isFixed: isFixed))
    }

    private mutating func assignUniform() {
        let earliest = now + Int64(random.below(20_000))
        let (id, hash) = (nextID, random.next())
        nextID += 1
        callCount += 1
        let slot = first.assignUniform(id, earliest: earliest, window: 10_000, hash: hash)
        let other = second.assignUniform(id, earliest: earliest, window: 10_000, hash: hash)
        compare(slot, other, "taken by chance")
        add(Member(id: id, position: slot.position))
    }

    /// More come with a date than its window holds, and behind that is another full one.
    private mutating func crowd() {
        let rate = Int(min(8, first.rate))
        let earliest = (now / 1_000 + 1 + Int64(random.below(30))) * 1_000 + Int64(random.below(2))
        let later = earliest + 20_000
        for (date, count) in [(earliest, 20 * rate + 2), (later, 15 * rate), (earliest, 20)] {
            for _ in 0..<count { takeOne(earliest: date, window: 20_000, isFixed: false) }
        }
    }

    /// A device that moves its date on and on, page after page.
    private mutating func moveOn() {
        var earliest = now + 200_000_000
        for _ in 0..<5 {
            takeOne(earliest: earliest, window: 2_000, isFixed: false)
            release(members.count - 1)
            earliest += Int64(random.below(300_000))
        }
    }

    private mutating func release() {
        if !members.isEmpty { release(random.below(members.count)) }
    }

    mutating func release(_ index: Int) {
        let member = remove(index)
        callCount += 1
        let moved = first.release(member.position, now: now)
        compare(moved, second.release(member.position, now: now), "moved")
        if let moved, let index = places[moved.id] { members[index].position = moved.slot.position }
    }

    private mutating func release(part: Int) {
        for _ in 0..<members.count / part { release() }
    }

    private mutating func finish() {
        for _ in 0..<min(members.count, random.below(12)) {
            let member = remove(random.below(members.count))
            callCount += 1
            first.finish(member.position, now: now)
            second.finish(member.position, now: now)
        }
    }

    private mutating func spend() {
        let permits = first.permits(at: now)
        compare(permits, second.permits(at: now), "permits")
        // Sometimes more than may go, which is a debt.
        callCount += 1
        let count = random.below(8) == 0 ? random.below(400) : random.below(min(permits, 20) + 1)
        first.spend(count, at: now)
        second.spend(count, at: now)
    }

    /// Lends what there is, or borrows something.
    private mutating func lendOrBorrow() {
        callCount += 1
        let permits = first.permits(at: now)
        if permits > 0 && random.below(2) == 0 {
            let count = 1 + random.below(permits)
            first.lend(count, at: now)
            second.lend(count, at: now)
        } else {
            let count = 1 + random.below(8)
            first.borrow(count, at: now)
            second.borrow(count, at: now)
        }
    }

    /// Spends far too much, and looks how the seconds after it pay.
    private mutating func payDebt() {
        let count = random.below(random.pick([100, 1_000, 1_000_000]))
        first.spend(count, at: now)
        second.spend(count, at: now)
        for _ in 0..<random.below(16) {
            now += Int64(random.below(1_500))
            compare(first.permits(at: now), second.permits(at: now), "permits of debtors")
            look()
            if random.below(6) == 0 { assign() }
            if random.below(12) == 0 { change() }
        }
    }

    private mutating func look() {
        compare(first.nextPermit(after: now), second.nextPermit(after: now), "next permit")
        compare(first.isOverdrawn(at: now), second.isOverdrawn(at: now), "overdrawn")
        for _ in 0..<20 {
            let time = now + Int64(random.below(80_000))
            compare(first.planned(at: time), second.planned(at: time), "planned at \(time)")
        }
        for member in members.suffix(4) + formerly {
            let (id, position) = (member.id, member.position)
            compare(first.holds(position, by: id), second.holds(position, by: id), "holds \(id)")
        }
    }

    private mutating func resume() {
        now += Int64(random.below(random.pick([3_000, 3_000, 30_000, 300_000])))
        // The clock is set forward by up to half a year.
        if random.below(20) == 0 { now += Int64(random.below(180)) * 86_400_000 }
    }

    private mutating func pass() {
        if random.below(3) > 0 { return }
        first.pass(now)
        second.pass(now)
    }

    private mutating func change() {
        let perSecond: Int? = random.below(5) == 0 ? nil : 1 + random.below(30)
        let undelayed = random.below(6)
        first.change(perSecond: perSecond, undelayed: undelayed)
        second.change(perSecond: perSecond, undelayed: undelayed)
    }

    // MARK: - Members

    private mutating func add(_ member: Member) {
        places[member.id] = members.count
        members.append(member)
    }

    private mutating func remove(_ position: Int) -> Member {
        members.swapAt(position, members.count - 1)
        let member = members.removeLast()
        formerly.append(member)
        if formerly.count > 8 { formerly.removeFirst(4) }
        places[member.id] = nil
        if position < members.count { places[members[position].id] = position }
        return member
    }
}
