import TestOrigin
import Testing

@Suite("When an origin answers")
struct OriginModelTests {
    private let millisecond: Int64 = 1_000_000
    private let second: Int64 = 1_000_000_000

    /// When each of so many requests is answered that come at once, nil for those refused.
    private func answers(_ model: inout OriginModel, at now: Int64, _ count: Int) -> [Int64?] {
        (0..<count).map { _ in
            if case .answer(let time) = model.admit(at: now) { time } else { nil }
        }
    }

    @Test func `An unlimited origin answers all requests after its latency`() {
        var model = OriginModel(capacity: nil, latencyMilliseconds: 20)
        for now in [0, 5, 5, second] {
            #expect(model.admit(at: now) == .answer(at: now + 20 * millisecond))
        }
    }

    @Test func `Of 300 at once 100 a second takes one, lets 100 wait, and refuses 199`() {
        var model = OriginModel(capacity: 100, latencyMilliseconds: 20)
        let answers = answers(&model, at: 7 * second, 300)
        for index in 0...100 {
            #expect(answers[index] == 7 * second + Int64(index * 10 + 20) * millisecond)
        }
        #expect(answers[101...].allSatisfy { $0 == nil })
        // The queue is empty 1.01 seconds later.
        #expect(model.admit(at: 7 * second) == .refuse(retryAfterSeconds: 2))
        // A turn is over: one place is free.
        let later = 7 * second + 10 * millisecond
        #expect(model.admit(at: later) == .answer(at: 7 * second + 1_030 * millisecond))
        #expect(model.admit(at: later) == .refuse(retryAfterSeconds: 2))
        #expect(model.admit(at: later + 10 * millisecond - 1) == .refuse(retryAfterSeconds: 2))
    }

    @Test func `At its rate no request waits; beyond it latency grows until some are refused`() {
        var steady = OriginModel(capacity: 100, latencyMilliseconds: 0)
        for turn in 0..<1_000 {
            let now = Int64(turn) * 10 * millisecond
            #expect(steady.admit(at: now) == .answer(at: now))
        }
        var flooded = OriginModel(capacity: 100, latencyMilliseconds: 0)
        var latencies: [Int64] = []
        var refused = 0
        for arrival in 0..<1_500 {
            let now = Int64(arrival) * second / 150
            if case .answer(let time) = flooded.admit(at: now) {
                latencies.append(time - now)
            } else {
                refused += 1
            }
        }
        #expect(latencies.max()! <= second)
        #expect(latencies.max()! > second - 10 * millisecond)
        // Ten seconds of 150, of which 100 have their turn, and the queue takes 100 once.
        #expect(abs(refused - (1_500 - 1_000 - 100)) <= 1)
    }

    @Test func `No queue means one at a time`() {
        var model = OriginModel(capacity: 10, latencyMilliseconds: 0, queue: 0)
        #expect(answers(&model, at: 0, 3) == [0, nil, nil])
        #expect(answers(&model, at: 100 * millisecond - 1, 1) == [nil])
        #expect(answers(&model, at: 100 * millisecond, 2) == [100 * millisecond, nil])
    }

    @Test func `A rate that does not divide a second is kept exactly`() {
        for capacity in [3, 7, 999, 1_000_003] {
            var model = OriginModel(capacity: capacity, latencyMilliseconds: 0, queue: capacity * 9)
            let answers = answers(&model, at: 0, capacity * 3 + 1)
            #expect(answers.last == 3 * second, "\(capacity) a second")
            #expect(answers[capacity] == second)
        }
    }

    @Test func `A clock that goes back stands still`() {
        var model = OriginModel(capacity: 10, latencyMilliseconds: 0, queue: 1)
        #expect(answers(&model, at: second, 1) == [second])
        #expect(answers(&model, at: 0, 2) == [second + 100 * millisecond, nil])
    }

    @Test func `What is out of range is clamped`() {
        let model = OriginModel(capacity: 0, latencyMilliseconds: -1, queue: -1)
        #expect(model.capacity == 1 && model.latencyMilliseconds == 0 && model.queue == 0)
        let most = OriginModel(capacity: .max, latencyMilliseconds: .max)
        #expect(most.capacity == OriginModel.capacityLimit)
        #expect(most.latencyMilliseconds == OriginModel.latencyLimit)
    }

    /// The same, one by one: who has been admitted, and when each has its turn.
    private struct Naive {
        let capacity: Int
        let queue: Int
        /// In parts of a nanosecond, of which it has `capacity`.
        var turns: [Int128] = []

        mutating func admit(at now: Int64) -> Int64? {
            let now = Int128(now) * Int128(capacity)
            turns.removeAll { $0 + 1_000_000_000 <= now }
            let waiting = turns.count { $0 > now }
            let next = max(now, (turns.last ?? .min / 2) + 1_000_000_000)
            if next > now && waiting >= queue { return nil }
            turns.append(next)
            return Int64((next + Int128(capacity) - 1) / Int128(capacity))
        }
    }

    @Test(arguments: 0..<20)
    func `It agrees with a queue that is kept one by one`(seed: UInt64) {
        var state = seed &+ 99
        func random(_ below: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % below
        }
        let capacity = [1, 3, 10, 77, 1_000, 30_011][random(6)]
        let queue = [0, 1, 5, capacity][random(4)]
        var model = OriginModel(capacity: capacity, latencyMilliseconds: 0, queue: queue)
        var naive = Naive(capacity: capacity, queue: queue)
        var now: Int64 = 0
        for step in 0..<2_000 {
            if random(3) == 0 { now += Int64(random(3_000_000_000 / capacity)) }
            let expected = naive.admit(at: now)
            let found: Int64? =
                if case .answer(let time) = model.admit(at: now) { time } else { nil }
            #expect(found == expected, "step \(step), \(capacity) a second, queue \(queue)")
        }
    }
}
