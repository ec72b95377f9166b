internal import Basics

/// The widgets that have yet to adopt how their kinds spread reloads since the last app files: it
/// goes through all devices by their numbers, some at a time, as far as a step has work for.
///
///     devices   0 ─────────── begin ─────────── next ─────────── end
///     kind A    former rules  │ former rules    new │ former rules       first lap
///     kind B    new │ former rules until `begin` is reached again        after it
///
/// An adoption that begins while none is under way begins at the first device.
///
/// An app file can change a kind while others are being adopted. Each kind is adopted in a whole
/// round, which begins where the walk was at that moment.
struct RuleAdoption {
    /// A kind whose widgets adopt other rules.
    private struct Entry {
        /// How reloads were spread before.
        let former: KindRules
        let begin: DeviceID
        let lap: UInt32
    }

    /// Whether some widgets have yet to adopt the rules of their kinds.
    private(set) var isActive = false
    /// The next device.
    private(set) var next = DeviceID(rawValue: 0)
    /// Counts how often the walk has been at the last device.
    private var lap: UInt32 = 0
    private var entries: [KindID: Entry] = [:]
    /// The kinds, by where their rounds began: the first round ends first.
    private var rounds: [(begin: DeviceID, lap: UInt32, kinds: [KindID])] = []

    /// Begins the round of kinds, of which none is being adopted yet.
    ///
    /// - Parameter kinds: the kinds, with their former rules.
    mutating func begin(_ kinds: [KindID: KindRules]) {
        if kinds.isEmpty { return }
        for (kind, former) in kinds {
            precondition(entries[kind] == nil, "kind \(kind) is being adopted")
            entries[kind] = Entry(former: former, begin: next, lap: lap)
        }
        rounds.append((next, lap, Array(kinds.keys)))
        isActive = true
    }

    /// The kinds that are being adopted, in no order.
    var kinds: some Sequence<KindID> { entries.keys }

    /// Whether a kind is being adopted.
    func has(_ kind: KindID) -> Bool { entries[kind] != nil }

    /// Forgets a kind that has no widgets.
    mutating func forget(_ kind: KindID) { entries[kind] = nil }

    /// The rules by which reloads of a kind are still spread on a device; nil if its widgets have
    /// adopted those of the kind.
    @inline(never)
    func formerRules(of kind: KindID, on device: DeviceID) -> KindRules? {
        guard let entry = entries[kind] else { return nil }
        let isAhead = device.rawValue >= next.rawValue
        let isBefore = device.rawValue < entry.begin.rawValue
        return (entry.lap == lap ? isAhead || isBefore : isAhead && isBefore) ? entry.former : nil
    }

    /// The next device has adopted the rules, of `end` that there are; ends the rounds that are
    /// whole.
    mutating func advance(end: Int) {
        assert(isActive, "nothing is being adopted")
        next = DeviceID(rawValue: next.rawValue + 1)
        if Int(next.rawValue) >= end {
            next = DeviceID(rawValue: 0)
            lap &+= 1
        }
        endRounds()
    }

    /// Ends the rounds that are whole.
    private mutating func endRounds() {
        while let first = rounds.first, first.lap != lap, next.rawValue >= first.begin.rawValue {
            for kind in first.kinds where entries[kind]?.lap == first.lap {
                if entries[kind]?.begin == first.begin { entries[kind] = nil }
            }
            rounds.removeFirst()
        }
        isActive = !rounds.isEmpty
        // The next adoption begins at the first device, as after a restart: checkpoints, of which
        // none begins meanwhile, have nothing of this.
        if !isActive { self = RuleAdoption() }
    }
}
