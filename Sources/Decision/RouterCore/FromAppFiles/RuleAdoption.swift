internal import Basics

/// The widgets that have yet to adopt how their kinds spread reloads since the last app files, and
/// the devices that have yet to adopt their apps' settings for APNs: it goes through all devices by
/// their numbers, some at a time, as far as a step has work for.
///
///     devices   0 ─────────── begin ─────────── next ─────────── end
///     kind A    former rules  │ former rules    new │ former rules       first lap
///     kind B    new │ former rules until `begin` is reached again        after it
///
/// An adoption that begins while none is under way begins at the first device.
///
/// An app file can change a kind or an app while others are being adopted. Each is adopted in a
/// whole round, which begins where the walk was at that moment. For an app that changes again, a
/// new round takes the place of the former one: a device adopts the settings that there are.
struct RuleAdoption {
    /// Where the walk was when a round began.
    private struct Round: Equatable {
        let begin: DeviceID
        let lap: UInt32
    }

    /// Whether some widgets have yet to adopt the rules of their kinds.
    private(set) var isActive = false
    /// The next device.
    private(set) var next = DeviceID(rawValue: 0)
    /// Counts how often the walk has been at the last device.
    private var lap: UInt32 = 0
    /// The kinds whose widgets adopt other rules, with how reloads were spread before.
    private var entries: [KindID: (former: KindRules, round: Round)] = [:]
    /// The apps whose devices adopt other settings.
    private var apps: [AppID: Round] = [:]
    /// The rounds by where they began: the first one ends first.
    private var rounds: [Round] = []

    /// Begins the round of kinds, given with their former rules, of which none is being adopted
    /// yet.
    mutating func begin(_ kinds: [KindID: KindRules]) {
        if kinds.isEmpty { return }
        let round = beginRound()
        for (kind, former) in kinds {
            precondition(entries[kind] == nil, "kind \(kind) is being adopted")
            entries[kind] = (former, round)
        }
    }

    /// Begins the round of apps, whose devices adopt their settings for APNs.
    mutating func begin(_ changed: Set<AppID>) {
        if changed.isEmpty { return }
        let round = beginRound()
        for app in changed { apps[app] = round }
    }

    private mutating func beginRound() -> Round {
        let round = Round(begin: next, lap: lap)
        if rounds.last != round { rounds.append(round) }
        isActive = true
        return round
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
        return isAhead(device, in: entry.round) ? entry.former : nil
    }

    /// Whether a device has yet to adopt the settings of its app.
    func hasFormerSettings(of app: AppID, on device: DeviceID) -> Bool {
        guard let round = apps[app] else { return false }
        return isAhead(device, in: round)
    }

    /// Whether the walk has yet to come to a device in a round.
    private func isAhead(_ device: DeviceID, in round: Round) -> Bool {
        let isAhead = device.rawValue >= next.rawValue
        let isBefore = device.rawValue < round.begin.rawValue
        return round.lap == lap ? isAhead || isBefore : isAhead && isBefore
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
            entries = entries.filter { $0.value.round != first }
            apps = apps.filter { $0.value != first }
            rounds.removeFirst()
        }
        isActive = !rounds.isEmpty
        // The next adoption begins at the first device, as after a restart: checkpoints, of which
        // none begins meanwhile, have nothing of this.
        if !isActive { self = RuleAdoption() }
    }
}
