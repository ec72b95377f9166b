internal import Basics
internal import FrameCodec
internal import RouterCore

extension Simulation {
    // MARK: - Schedule

    /// Opens the publishers' sessions and schedules the pushes and the outages of every day.
    mutating func beginPublishing() throws(Violation) {
        for number in 0..<SimulatedPublishers.count {
            let slot = UInt32(options.devices + number)
            driver.open(ConnectionSlot(rawValue: slot))
            let hello = HelloMessage(
                role: .publisher,
                app: World.app,
                token: nil,
                name: "p-\(number)"
            )
            try send(slot, frame: encodeFrame(.hello, seq: 0, body: hello.encoded))
        }
        let firstDay = wall - SimulatedTime.ofDay(wall)
        for day in 0...Int64(options.hours / 24 + 2) {
            let midnight = firstDay + .days(day) - start
            for (index, item) in Broadcast.programme.enumerated() {
                scheduleAt(midnight + item.time, event: .programme, extra: UInt32(index))
            }
            for time in Broadcast.heroBurstTimes {
                scheduleAt(midnight + time, event: .broadcast, extra: Broadcast.heroBurstLength)
            }
            scheduleAt(midnight + Broadcast.outage, event: .outage)
        }
        schedule(.duel, for: 0, after: Broadcast.duelInterval)
        schedulePublish()
        scheduleWide()
    }

    private mutating func scheduleAt(
        _ time: Milliseconds,
        event kind: SimulationEvent.Kind,
        extra: UInt32 = 0
    ) {
        if time > now { schedule(kind, for: 0, after: time - now, extra: extra) }
    }

    /// Schedules the next push about a character: 0.7 per device and day, but at least 2,000 a day.
    private mutating func schedulePublish() {
        scheduleNext(.publish, perDay: max(Int64(options.devices) * 70, 200_000))
    }

    /// Schedules the next wide push. There are forty a day, however many devices: with more
    /// devices, each matches more widgets.
    private mutating func scheduleWide() { scheduleNext(.wide, perDay: 4_000) }

    private mutating func scheduleNext(_ kind: SimulationEvent.Kind, perDay: Int64) {
        let wall = wall
        let next = DayCurve.next(after: wall, perDay: perDay, using: &publishers.random)
        schedule(kind, for: 0, after: next - wall)
    }

    // MARK: - Pushes

    /// Sends a push about a single character.
    mutating func publish() throws(Violation) {
        schedulePublish()
        let topic = world.topic(.character, using: &publishers.random)
        let isChanged = publishers.random.perCent(70)
        try push(topic, isChanged: isChanged)
    }

    /// Sends a push about a topic that many widgets have: a stock, a team, a region or a place.
    mutating func wide() throws(Violation) {
        scheduleWide()
        let families: [World.Family] = [.stock, .team, .region, .place]
        let family = families[Int(publishers.random.below(4))]
        try push(world.topic(family, using: &publishers.random), of: family)
    }

    private mutating func push(
        _ topic: UInt32,
        of family: World.Family = .character,
        isChanged: Bool = true
    ) throws(Violation) {
        let isUrgent = publishers.random.perCent(3)
        let validity: Milliseconds? = publishers.random.perCent(5) ? .minutes(1) : nil
        let more =
            family == .character
            ? health(of: topic, isChanged: isChanged)
            : [JSONValue.Member(name: "value", value: .integer(publishers.random.below(1_000)))]
        let name = JSONValue.string(World.name(ofTopic: topic))
        let member = JSONValue.Member(name: family.parameter, value: name)
        let payload = JSONValue.object([member] + more)
        try push(payload, about: [topic], publisher: 0, isUrgent: isUrgent, validity: validity)
    }

    /// Returns the members of a push about a character, with another health if it has changed.
    private mutating func health(of topic: UInt32, isChanged: Bool) -> [JSONValue.Member] {
        let index = Int(topic - world.topics(.character).lowerBound)
        if isChanged { publishers.health[index] = UInt8(publishers.random.below(100)) }
        return [
            JSONValue.Member(name: "hp", value: .integer(Int64(publishers.health[index]))),
            JSONValue.Member(name: "level", value: .integer(12)),
            JSONValue.Member(name: "event", value: .string("hit")),
        ]
    }

    /// Sends one push of a burst about the hero, the character that many widgets have.
    mutating func broadcast(left: UInt32) throws(Violation) {
        assert(left > 0, "the burst has no push left")
        if left > 1 { schedule(.broadcast, for: 0, after: .seconds(1), extra: left - 1) }
        try pushHealth(world.hero)
    }

    /// Sends a push about the champion, who gets more pushes than any budget allows.
    mutating func duel() throws(Violation) {
        schedule(.duel, for: 0, after: Broadcast.duelInterval)
        try pushHealth(world.champion)
    }

    private mutating func pushHealth(_ topic: UInt32) throws(Violation) {
        let name = JSONValue.string(World.name(ofTopic: topic))
        let member = JSONValue.Member(name: World.Family.character.parameter, value: name)
        let payload = JSONValue.object([member] + health(of: topic, isChanged: true))
        try push(payload, about: [topic], publisher: 1)
    }

    /// Sends the broadcast with this index in `Broadcast.programme`.
    mutating func broadcast(_ index: Int) throws(Violation) {
        let item = Broadcast.programme[index]
        let family = world.topics(item.family)
        let all = stride(from: family.lowerBound, to: family.upperBound, by: item.step)
        let topics = Array(all.prefix(item.most))
        let names = topics.map { JSONValue.string(World.name(ofTopic: $0)) }
        let payload = JSONValue.object([
            JSONValue.Member(name: item.family.parameter, value: .list(names)),
            JSONValue.Member(name: "value", value: .integer(Int64(record.sums.pushes))),
        ])
        try push(
            payload,
            about: topics,
            publisher: 2 + index % 2,
            isUrgent: item.isUrgent,
            validity: item.validity
        )
    }

    /// Sends a push on a publisher's connection; it expires after `validity`, nil for never.
    private mutating func push(
        _ payload: JSONValue,
        about topics: [UInt32],
        publisher: Int,
        isUrgent: Bool = false,
        validity: Milliseconds? = nil
    ) throws(Violation) {
        try settle()
        checker.beginPush()
        var matched: UInt32 = 0
        for topic in topics {
            matched += checker.pushed(topic, expiresAt: validity.map { now + $0 }, at: now)
        }
        publishers.seqs[publisher] += 1
        let seq = publishers.seqs[publisher]
        publishers.unacknowledged[publisher].append(.init(seq: seq, matched: matched))
        record.sums.pushes += 1
        record.sums.matches += UInt64(matched)
        let frame = PushFrame.encode(
            Array(payload.text.utf8),
            seq: seq,
            isUrgent: isUrgent,
            expiresAt: validity.map { wall + $0 }
        )
        try send(UInt32(options.devices + publisher), frame: frame)
    }

    /// Checks an ACK to a publisher, which states the matches of its pushes up to `seq`.
    mutating func acknowledged(
        _ slot: UInt32,
        through seq: UInt64,
        matched: UInt32
    ) throws(Violation) {
        let publisher = Int(slot) - options.devices
        var expected: UInt32 = 0
        publishers.unacknowledged[publisher].removeAll { sent in
            if sent.seq <= seq { expected += sent.matched }
            return sent.seq <= seq
        }
        try checker.acknowledged(matched: matched, expected: expected)
    }
}
