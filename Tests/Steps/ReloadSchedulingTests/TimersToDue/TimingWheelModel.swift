import ReloadScheduling
import TestSupport
import Testing

/// What a wheel should do, told by a dictionary, and a wheel that is held against it at each step.
struct TimingWheelModel: ~Copyable {
    private(set) var wheel: TimingWheel
    private(set) var deadlines: [UInt32: UInt64] = [:]
    private var mostTimers = 0
    private var expired: ContiguousArray<UInt32> = []

    init(now: UInt64) {
        wheel = TimingWheel(now: now)
    }

    // MARK: - Steps

    mutating func schedule(_ id: UInt32, at tick: UInt64) {
        deadlines[id] = max(tick, wheel.now)
        wheel.schedule(id, at: tick)
        check(id)
    }

    mutating func cancel(_ id: UInt32) {
        deadlines[id] = nil
        wheel.cancel(id)
        check(id)
    }

    /// Goes on to a tick in one call.
    mutating func advance(to tick: UInt64, limit: Int = .max / 2) -> Bool {
        let before = wheel.now
        expired.removeAll()
        let isDone = wheel.advance(to: tick, limit: limit, into: &expired)
        let waiting = deadlines.filter { $0.value <= max(tick, before) }
            .sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        #expect(expired.count <= limit)
        #expect(expired.elementsEqual(waiting.prefix(expired.count).map(\.key)))
        if isDone { #expect(expired.count == waiting.count) }
        for id in expired {
            deadlines[id] = nil
            let deadline = wheel.deadline(of: id)
            #expect(deadline == nil)
        }
        let now = wheel.now
        if isDone { #expect(now == max(tick, before)) }
        #expect(now >= before && now <= max(tick, before))
        if let first = deadlines.values.min() { #expect(first >= now) }
        checkWhole()
        return isDone
    }

    /// Goes on to a tick, however many calls it takes, and returns what came out.
    mutating func advanceWhole(to tick: UInt64, limit: Int = .max / 2) -> [UInt32] {
        var all: [UInt32] = []
        while true {
            let isDone = advance(to: tick, limit: limit)
            all += expired
            if isDone { return all }
        }
    }

    // MARK: - Checks

    mutating func checkWhole() {
        let count = wheel.count
        #expect(count == deadlines.count)
        let next = wheel.nextTick
        if let first = deadlines.values.min() {
            #expect(next.map { $0 <= first && $0 >= wheel.now } == true)
        } else {
            #expect(next == nil)
        }
        let entryCount = wheel.entryCount
        mostTimers = max(mostTimers, count)
        #expect(entryCount <= mostTimers * 23 / 10 + 8_000)
    }

    func checkDeadlines() {
        for (id, deadline) in deadlines {
            let found = wheel.deadline(of: id)
            #expect(found == deadline)
        }
    }

    private func check(_ id: UInt32) {
        let deadline = wheel.deadline(of: id)
        #expect(deadline == deadlines[id])
        let count = wheel.count
        #expect(count == deadlines.count)
    }
}

/// What a random run does, and how often.
struct TimingWheelMix: CustomStringConvertible, Sendable {
    var name: String
    var start: UInt64
    var ids = 300
    /// Of 100 steps; the rest go on in time.
    var schedules = 50
    var cancels = 15
    /// How many bits a step in time has at most.
    var advanceBits = 14
    /// How many bits the distance of a deadline has at most.
    var distanceBits = 20
    var steps = 12_000

    var description: String { name }

    static var all: [TimingWheelMix] {
        [
            TimingWheelMix(name: "near", start: 0, advanceBits: 5, distanceBits: 8),
            TimingWheelMix(name: "usual", start: 1_000_000),
            TimingWheelMix(
                name: "the inner ticks wrap",
                start: 1 << 30 - 40_000,
                advanceBits: 8,
                distanceBits: 18
            ),
            TimingWheelMix(
                name: "32 bits wrap",
                start: 1 << 32 - 90_000,
                advanceBits: 10,
                distanceBits: 22
            ),
            TimingWheelMix(name: "far", start: 77, advanceBits: 31, distanceBits: 33),
            TimingWheelMix(name: "parked", start: 5 << 40, advanceBits: 29, distanceBits: 36),
            TimingWheelMix(name: "mixed", start: 1 << 50, advanceBits: 40, distanceBits: 40),
            TimingWheelMix(
                name: "many moves and few steps in time",
                start: 3,
                ids: 2_000,
                schedules: 79,
                cancels: 20,
                advanceBits: 8,
                distanceBits: 30,
                steps: 60_000
            ),
        ]
    }
}

@Suite("A timing wheel, held against a dictionary")
struct TimingWheelModelTests {
    @Test(
        "does what the dictionary says, whatever is scheduled, moved, cancelled and waited for",
        arguments: TimingWheelMix.all,
        [1, 2, 3] as [UInt64]
    )
    func random(mix: TimingWheelMix, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var model = TimingWheelModel(now: mix.start)
        for step in 0..<mix.steps {
            let id = UInt32(random.below(mix.ids))
            let choice = random.below(100)
            if choice < mix.schedules {
                model.schedule(id, at: tick(for: id, &random, mix, model))
            } else if choice < mix.schedules + mix.cancels {
                model.cancel(id)
            } else {
                let limit = random.below(4) == 0 ? 1 + random.below(20) : Int.max / 2
                _ = model.advance(to: target(&random, mix, model), limit: limit)
            }
            if step % 500 == 0 { model.checkDeadlines() }
        }
        model.checkDeadlines()
        let rest = model.deadlines.count
        let out = model.advanceWhole(to: model.deadlines.values.max() ?? 0, limit: 7)
        #expect(out.count == rest)
        let entryCount = model.wheel.entryCount
        #expect(entryCount >= 0)
    }

    private func tick(
        for id: UInt32,
        _ random: inout SeededGenerator,
        _ mix: TimingWheelMix,
        _ model: borrowing TimingWheelModel
    ) -> UInt64 {
        let now = model.wheel.now
        let distance = distance(&random, bits: mix.distanceBits)
        switch random.below(12) {
        case 0: return now
        case 1: return now - min(now, distance)
        case 2: return model.deadlines[id] ?? now + 1
        case 3: return (model.deadlines[id] ?? now) + random.next() % 70
        case 4: return (now >> 6 + distance >> 6) << 6
        case 5: return (now >> 12 + 1) << 12
        case 6: return now + 63 << 24 - 2 + random.next() % 4
        default: return now + distance
        }
    }

    private func target(
        _ random: inout SeededGenerator,
        _ mix: TimingWheelMix,
        _ model: borrowing TimingWheelModel
    ) -> UInt64 {
        let now = model.wheel.now
        switch random.below(8) {
        case 0: return now
        case 1: return now + 1
        case 2: return now - min(now, random.next() % 100)
        case 3: return model.wheel.nextTick ?? now
        case 4: return model.deadlines.values.min() ?? now
        case 5: return (now >> 6 + 1) << 6
        default: return now + distance(&random, bits: mix.advanceBits)
        }
    }

    /// Small and large ones alike.
    private func distance(_ random: inout SeededGenerator, bits: Int) -> UInt64 {
        random.next() >> UInt64(64 - 1 - random.below(bits))
    }
}
